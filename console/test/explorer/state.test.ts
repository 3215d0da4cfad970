import { describe, expect, it } from 'vitest'
import { parseSearch, replaceWords, stringifySearch } from '../../src/app/search-string.ts'
import { DEFAULT_COLUMNS } from '../../src/pages/explorer/columns.ts'
import { hidesRejected, toParameters, toRequest } from '../../src/pages/explorer/request.ts'
import { getSort, parseState, toSearch, withFilter } from '../../src/pages/explorer/state.ts'
import { describeFilter, describeOmissions } from '../../src/text/search/describe-filters.ts'

const parse = (query: string) => parseState(parseSearch(query))
const write = (state: ReturnType<typeof parse>) => stringifySearch(toSearch(state))

describe('List state in the address', () => {
  it.each([
    '',
    '?q=fortinet+ssl+vpn',
    '?severity=critical,high&kev=true&sort=epss_desc',
    '?epss_min=0.5&published_after=2026-01-01&status=Analyzed,Rejected',
    '?ids=CVE-2021-44228,CVE-2014-0160',
    '?kev_in=cisa,eu&columns=severity,reasons&rejected=show',
    '?product_vendor=apache,microsoft&has_fix=false&epss_percentile_min=0.9&exploit_maturity=ransomware,active',
  ])('survives reading and writing: %s', (query) => {
    expect(write(parse(query))).toBe(query)
  })

  it('omits parameters that the API would refuse', () => {
    const state = parse('?severity=urgent&kev=1&epss_min=2&cvss_min=1e1&published_after=soon&sort=random&limit=5&ids=x')

    expect(write(state)).toBe('')
  })

  it.each(['cpe_count_min=0', 'cpe_count_min=1.5', 'published_after=2026-01-01T10:00Z'])(
    'omits %s, which the API would refuse',
    (query) => {
      expect(write(parse(`?${query}`))).toBe('')
    },
  )

  it('keeps a date with a time and an offset, which the API accepts', () => {
    expect(parse('?published_after=2026-01-01T10:00:00%2B02:00').filters.published_after).toBe(
      '2026-01-01T10:00:00+02:00',
    )
  })

  it('writes equal filters the same way, in whatever order they were chosen', () => {
    expect(write(parse('?severity=LOW,critical'))).toBe('?severity=critical,low')
  })

  it('reads several ids separated by spaces, commas or semicolons, each once', () => {
    expect(parse('?ids=cve-2021-44228;CVE-2014-0160%20cve-2021-44228').filters.ids).toBe('CVE-2021-44228,CVE-2014-0160')
  })

  it('keeps a hostile query as plain text', () => {
    const text = `<script>'";&a=b`

    expect(parse(write(withFilter(parse(''), 'q', text))).filters.q).toBe(text)
  })

  it('sets, changes and removes a filter without touching the others', () => {
    const state = withFilter(parse('?kev=true&severity=high'), 'severity', 'low')

    expect(write(state)).toBe('?severity=low&kev=true')
    expect(write(withFilter(state, 'severity', undefined))).toBe('?kev=true')
    expect(write(withFilter(state, 'severity', ''))).toBe('?kev=true')
  })

  it('keeps the filters in a new word search, but not a list of ids', () => {
    const search = parseSearch('?q=old&ids=CVE-2021-44228&kev=true')

    expect(stringifySearch(replaceWords(search, 'log4j'))).toBe('?q=log4j&kev=true')
  })

  it('shows the default columns if the address names no existing column', () => {
    expect(parse('?columns=colour').columns).toEqual(DEFAULT_COLUMNS)
  })
})

describe('List order', () => {
  it('is most urgent first unless the user chose another order', () => {
    expect(getSort(parse(''))).toBe('level_desc')
    expect(getSort(parse('?sort=epss_asc'))).toBe('epss_asc')
    expect(write(parse('?sort=level_desc'))).toBe('')
  })

  it('is by relevance if there are search words and the user chose no other order', () => {
    expect(getSort(parse('?q=log4j'))).toBe('relevance')
    expect(getSort(parse('?q=log4j&sort=published_desc'))).toBe('published_desc')
    expect(write(parse('?q=log4j&sort=published_desc'))).toBe('?q=log4j&sort=published_desc')
    expect(write(parse('?q=log4j&sort=relevance'))).toBe('?q=log4j')
  })

  it('is never by relevance without search words, because the API would refuse it', () => {
    expect(getSort(parse('?sort=relevance'))).toBe('level_desc')
    expect(toParameters(withFilter(parse('?q=log4j'), 'q', undefined)).sort).toBe('level_desc')
  })
})

describe('Search parameters', () => {
  it('hide rejected CVEs by naming all other statuses', () => {
    const { status } = toParameters(parse(''))

    expect(status).toHaveLength(6)
    expect(status).not.toContain('Rejected')
  })

  it.each(['?rejected=show', '?status=Rejected', '?ids=CVE-2021-44228'])('hide no CVE with %s', (query) => {
    expect(hidesRejected(parse(query))).toBe(false)
  })

  it('add include=enrichment where a filter requires it', () => {
    expect(toParameters(parse('?patched=true')).include).toEqual(['enrichment'])
    expect(toParameters(parse('?kev=true')).include).toBeUndefined()
  })

  it('ask for the same members whatever the columns, so that choosing a column needs no read', () => {
    expect(toRequest(parse('?columns=status'))).toEqual(toRequest(parse('')))
    expect(toRequest(parse('')).include).toEqual(['enrichment', 'priority', 'fixes', 'epss_trend'])
  })

  it("convert texts to the SDK's types", () => {
    const query =
      '?kev=false&epss_min=0.5&severity=critical,high&rejected=show&cwe=CWE-79,CWE-89&kev_added_after=2026-01-01'
    expect(toParameters(parse(query))).toEqual({
      kev: false,
      epss_min: 0.5,
      severity: ['critical', 'high'],
      cwe: ['CWE-79', 'CWE-89'],
      kev_added_after: '2026-01-01',
      sort: 'level_desc',
      limit: 50,
    })
  })
})

describe('Filter descriptions', () => {
  it.each([
    ['severity', 'critical,high', 'Severity: Critical, High'],
    ['kev', 'false', 'Not in CISA KEV'],
    ['patched', 'false', 'without a named fix'],
    ['epss_min', '0.5', 'EPSS at least 50.0 %'],
    ['ids', 'CVE-2021-44228,CVE-2014-0160', '2 chosen CVEs'],
    ['published_after', '2026-01-01', 'published from 2026-01-01'],
    ['cwe', 'CWE-79,CWE-99999', 'Weakness: CWE-79 Cross-site scripting, CWE-99999'],
    ['technique', 'T1547.009', 'Technique: T1547.009 Shortcut Modification'],
    ['product', 'http_server', 'Product: HTTP Server'],
    ['product', 'ios,_ipados', 'Product: Ios, iPadOS'],
    ['product', 'safari,ios,_ipados', 'Product: Safari, “Ios, iPadOS”'],
    ['exploit_maturity', 'ransomware,poc', 'Exploitation: Exploited by ransomware, Proof of concept'],
    ['exploit_maturity', 'ransomware,active', 'Exploitation: Exploited'],
    ['exploit_maturity', 'active', 'Exploitation: Exploited, no ransomware known'],
    ['priority', 'P0', 'Level: P0 act now'],
  ] as const)('describe %s=%s as "%s"', (name, value, text) => {
    expect(describeFilter(name, value)).toBe(text)
  })

  it('say that a score filter omits CVEs without a score', () => {
    expect(describeOmissions(parse('?epss_max=0.1'))).toEqual(['CVEs without an EPSS value are left out.'])
    expect(describeOmissions(parse('?kev=true'))).toEqual([])
  })
})
