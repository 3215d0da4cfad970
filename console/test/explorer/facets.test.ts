import { describe, expect, it } from 'vitest'
import { parseSearch, stringifySearch } from '../../src/app/search-string.ts'
import { listChips } from '../../src/pages/explorer/chips.ts'
import { chooseValue, listChosen } from '../../src/pages/explorer/facets/choose.ts'
import { listFacetFilters } from '../../src/pages/explorer/facets/facet-filters.ts'
import { listValues } from '../../src/pages/explorer/facets/list-values.ts'
import { mergeVendors } from '../../src/pages/explorer/facets/merge-vendors.ts'
import { findSimilar } from '../../src/pages/explorer/find-similar.ts'
import { toFilters } from '../../src/pages/explorer/request.ts'
import { parseState, toSearch } from '../../src/pages/explorer/state.ts'
import { findTotal } from '../../src/pages/explorer/total.ts'
import { FACET_NAMES, FACETS } from '../../src/text/search/facet-specs.ts'

const parse = (query: string) => parseState(parseSearch(query))
const write = (state: ReturnType<typeof parse>) => stringifySearch(toSearch(state))

describe('Choosing a facet value', () => {
  it('adds the value to the others and removes it again', () => {
    const both = chooseValue(parse('?product_vendor=apache&kev=true'), 'product_vendor', 'microsoft', true)

    expect(listChosen(both, 'product_vendor')).toEqual(['apache', 'microsoft'])
    expect(write(both)).toBe('?kev=true&product_vendor=apache,microsoft')
    expect(write(chooseValue(both, 'product_vendor', 'apache', false))).toBe('?kev=true&product_vendor=microsoft')
  })

  it('keeps a name with commas as one value, in the address as well', () => {
    const name = 'ios,_ipados,_and_macos'
    const both = chooseValue(parse('?product=safari'), 'product', name, true)

    expect(listChosen(parse(write(both)), 'product')).toEqual(['safari', name])
    expect(toFilters(both).product).toEqual(['safari', name])
    expect(listChosen(chooseValue(both, 'product', 'safari', false), 'product')).toEqual([name])
    expect(write(chooseValue(chooseValue(both, 'product', name, false), 'product', 'safari', false))).toBe('')
    expect(listChosen(parse('?product=ios,ipados, macos'), 'product')).toEqual(['ios', 'ipados', 'macos'])
  })

  it.each([
    ['kev', '?kev=true', 'false', '?kev=false'],
    ['attack_vector', '?attack_vector=network', 'local', '?attack_vector=local'],
  ] as const)('replaces the value of %s, which can have only one', (name, before, value, after) => {
    expect(write(chooseValue(parse(before), name, value, true))).toBe(after)
    expect(write(chooseValue(parse(after), name, value, false))).toBe('')
  })

  it('sets both dates for a year, and recognises the year by its dates', () => {
    const state = chooseValue(parse(''), 'year', '2021', true)

    expect(write(state)).toBe('?published_after=2021-01-01&published_before=2021-12-31')
    expect(listChosen(state, 'year')).toEqual(['2021'])
    expect(listChosen(parse('?published_after=2021-01-01'), 'year')).toEqual([])
    expect(write(chooseValue(state, 'year', '2021', false))).toBe('')
  })
})

describe('The facet of exploitation', () => {
  const choose = (query: string, value: string, isOn: boolean) =>
    write(chooseValue(parse(query), 'exploit_maturity', value, isOn))

  it('means all exploited CVEs by "exploited", those that ransomware uses as well', () => {
    const both = '?exploit_maturity=ransomware,active'
    expect(choose('', 'active', true)).toBe(both)
    expect(listChosen(parse(both), 'exploit_maturity')).toEqual(['active'])
    expect(choose(both, 'active', false)).toBe('')
  })

  it('narrows the exploited CVEs to those that ransomware uses, and widens them again', () => {
    expect(choose('?exploit_maturity=ransomware,active,poc', 'ransomware', true)).toBe(
      '?exploit_maturity=ransomware,poc',
    )
    expect(listChosen(parse('?exploit_maturity=ransomware'), 'exploit_maturity')).toEqual(['ransomware'])
    expect(choose('?exploit_maturity=ransomware', 'active', true)).toBe('?exploit_maturity=ransomware,active')
    expect(choose('?exploit_maturity=ransomware', 'poc', true)).toBe('?exploit_maturity=ransomware,poc')
  })

  it('counts both levels as exploited', () => {
    const counted = [
      { value: 'active', count: 13 },
      { value: 'ransomware', count: 5 },
    ]
    expect(listValues('exploit_maturity', counted, []).slice(0, 3)).toEqual([
      { value: 'active', count: 18 },
      { value: 'ransomware', count: 5 },
      { value: 'weaponized', count: 0 },
    ])
    expect(listValues('exploit_maturity', undefined, [])[0]).toEqual({ value: 'active', count: undefined })
  })
})

describe('Chips', () => {
  it('show the words and each filter, and the two dates of a year as one', () => {
    const state = parse('?q=fortios&severity=high&published_after=2024-01-01&published_before=2024-12-31')
    expect(listChips(state).map(({ label }) => label)).toEqual([
      'words: fortios',
      'Severity: High',
      'published in 2024',
    ])
  })
})

describe('Filters for the counts', () => {
  it('omit the filters on the facet itself, because its values are alternatives', () => {
    const state = parse('?severity=high&product_vendor=apache&rejected=show')

    expect(listFacetFilters(state, 'severity')).toEqual({ product_vendor: ['apache'] })
    expect(listFacetFilters(state, 'product_vendor')).toEqual({ severity: ['high'] })
    expect(listFacetFilters(state, 'cwe')).toEqual({ severity: ['high'], product_vendor: ['apache'] })
  })

  it('hide rejected CVEs as the list does, except when counting statuses', () => {
    expect(listFacetFilters(parse(''), 'cwe')).toHaveProperty('status')
    expect(listFacetFilters(parse(''), 'status')).toEqual({})
  })

  it.each(FACET_NAMES)('never contain a filter on the facet %s', (name) => {
    const all = parse(
      '?priority=P0&severity=high&kev=true&exploit_maturity=poc&product_vendor=a&product=b&cwe=CWE-79&published_after=2021-01-01&published_before=2021-12-31&attack_vector=local&technique=T1190&assigner=x&status=Analyzed',
    )

    const kept = Object.keys(listFacetFilters(all, name))
    expect(kept).toHaveLength(13 - FACETS[name].filters.length)
    for (const filter of FACETS[name].filters) expect(kept).not.toContain(filter)
  })
})

describe('Facet values', () => {
  const count = (value: string, number: number) => ({ value, count: number })

  it('include all severities in order, with 0 for those that no CVE has, and without numbers until the counts are loaded', () => {
    expect(listValues('severity', [count('low', 3), count('critical', 2)], [])).toEqual([
      count('critical', 2),
      count('high', 0),
      count('medium', 0),
      count('low', 3),
    ])
    expect(listValues('severity', undefined, [])[0]).toEqual({ value: 'critical', count: undefined })
  })

  it('start with chosen names that the counts do not contain', () => {
    expect(listValues('product_vendor', [count('apache', 9)], ['apache', 'acme'])).toEqual([
      { value: 'acme', count: undefined },
      count('apache', 9),
    ])
  })

  it('omit names with a comma that the filter would read as two', () => {
    expect(listValues('product', [count('a,_inc.', 9), count('b,c', 1)], [])).toEqual([count('a,_inc.', 9)])
    expect(listValues('assigner', [count('a,_inc.', 9), count('b', 1)], [])).toEqual([count('b', 1)])
  })

  it('list years, newest first', () => {
    expect(listValues('year', [count('2021', 9), count('2024', 1)], []).map(({ value }) => value)).toEqual([
      '2024',
      '2021',
    ])
  })
})

describe('Suggested names', () => {
  it('are merged if products from several vendors have the same name', () => {
    const suggestions = [
      { value: 'agent', vendor: 'acme', count: 3 },
      { value: 'agent', vendor: 'other', count: 2 },
      { value: 'agent_x', vendor: 'acme', count: 1 },
    ]

    expect(mergeVendors(suggestions)).toEqual([
      { value: 'agent', note: 'acme, other', count: 5 },
      { value: 'agent_x', note: 'acme', count: 1 },
    ])
    expect(mergeVendors([{ value: 'CWE-79', title: 'Cross-site Scripting', count: 1 }])[0]?.note).toBe(
      'Cross-site Scripting',
    )
  })
})

describe('Number of matching CVEs', () => {
  const list = (totalEstimate: number, hasNextPage: boolean, isPlaceholderData = false) => ({
    rows: Array.from({ length: 50 }),
    totalEstimate,
    hasNextPage,
    isPlaceholderData,
  })

  it('is an estimate only above 1,000', () => {
    expect(findTotal(list(1000, true), undefined)).toEqual({ count: 1000, isExact: true })
    expect(findTotal(list(1001, true), undefined)).toEqual({ count: 1001, isExact: false })
  })

  it('is exact if the facets counted every CVE, or if all rows are loaded', () => {
    expect(findTotal(list(12_000, true), 12_345)).toEqual({ count: 12_345, isExact: true })
    expect(findTotal(list(1200, false), undefined)).toEqual({ count: 50, isExact: true })
  })

  it('is the number of rows on the page while another search is loading', () => {
    expect(findTotal(list(5000, true, true), 12_345)).toEqual({ count: 5000, isExact: false })
  })
})

describe('Unknown names in a list without results', () => {
  const unknown = (value: string, ...suggestions: readonly string[]) => ({
    parameter: 'product_vendor' as const,
    value,
    suggestions: suggestions.map((each) => ({ value: each, count: 3 })),
  })

  it('have the most similar name, and are shown as the person entered them', () => {
    const state = parse('?product_vendor=Micro Sft,apache')
    expect(findSimilar(state, [unknown('micro_sft', 'microsoft', 'microsys')])).toEqual([
      { name: 'product_vendor', value: 'Micro Sft', similar: { value: 'microsoft', note: '', count: 3 } },
    ])
  })

  it('are left out if no name is similar, or if the person has removed them', () => {
    expect(findSimilar(parse('?product_vendor=qqqq'), [unknown('qqqq')])).toEqual([])
    expect(findSimilar(parse(''), [unknown('micro_sft', 'microsoft')])).toEqual([])
  })
})
