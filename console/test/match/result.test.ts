import { describe, expect, it } from 'vitest'
import { toCsv } from '../../src/pages/match/csv.ts'
import { countUnlisted, groupAnswer } from '../../src/pages/match/result.ts'
import { parseOptions, toSearch } from '../../src/pages/match/state.ts'
import { describeAnswer, describeOther, describeRequirement } from '../../src/pages/match/texts.ts'
import { component, level, match, summary } from './example-answer.ts'

describe('Result groups', () => {
  it('lists matches across components by level, score and EPSS, and advisories without a level last', () => {
    const { affected } = groupAnswer({
      components: [
        component(0, { matches: [match('GHSA-x', level(null)), match('CVE-2', { ...level('P1'), severity: 5 })] }),
        component(1, {
          matches: [
            match('CVE-4', { ...level('P1'), severity: 9, epss: 0.1 }),
            match('CVE-3', { ...level('P1'), severity: 9, epss: 0.9 }),
            match('CVE-1', level('P0')),
          ],
        }),
      ],
    })

    expect(affected.map(({ match: { id } }) => id)).toEqual(['CVE-1', 'CVE-3', 'CVE-4', 'CVE-2', 'GHSA-x'])
  })

  it('puts the component with more of the most urgent matches first, without counting possible matches', () => {
    const possible = match('CVE-9', { ...level('P0'), verdict: 'possibly_affected' })
    const { upgrades, possible: listed } = groupAnswer({
      components: [
        component(0, { matches: [match('CVE-1', level('P1')), match('CVE-2', level('P1')), possible] }),
        component(1, { matches: [match('CVE-3', level('P0'))] }),
      ],
    })

    expect(upgrades.map(({ component: { index }, counts }) => [index, counts])).toEqual([
      [1, [['P0', 1]]],
      [0, [['P1', 2]]],
    ])
    expect(listed.map(({ match: { id } }) => id)).toEqual(['CVE-9'])
  })

  it('keeps unknown and uncertain components separate from unaffected ones', () => {
    const groups = groupAnswer({
      components: [
        component(0, { verdict: 'unknown_product' }),
        component(1, { verdict: 'unknown_version' }),
        component(2, { verdict: 'possibly_affected', weaker_total: 2 }),
        component(3),
      ],
    })

    expect(groups.unknownProducts.map(({ index }) => index)).toEqual([0])
    expect(groups.unknownVersions.map(({ index }) => index)).toEqual([1])
    expect(groups.uncertain.map(({ index }) => index)).toEqual([2])
    expect(groups.notAffected.map(({ index }) => index)).toEqual([3])
  })

  it('counts the matches that the response leaves out', () => {
    expect(countUnlisted({ components: [component(0, { matches: [match('CVE-1')], matches_total: 5 })] })).toBe(4)
  })
})

describe('The summary of a result', () => {
  it('counts every verdict, data gaps and skipped components in one sentence', () => {
    const sbom = { components_skipped_total: 2, components_skipped: [] }
    const counts = { components: 10, affected: 4, possibly_affected: 1, not_affected: 2, cves: 5, data_gaps: 1 }

    expect(describeAnswer({ summary: summary({ ...counts, unknown_product: 2, unknown_version: 1 }), sbom })).toBe(
      '4 of 10 components are affected, 1 possibly, by 5 listed CVEs and advisories; 2 products and 1 version are unknown and may be affected too; for 1 component the service has no current data; 2 components were skipped; 2 are not affected.',
    )
  })

  it('never calls an unknown product safe', () => {
    expect(describeAnswer({ summary: summary({ components: 1, unknown_product: 1 }) })).toBe(
      'The component is not known to be affected; 1 product is unknown and may be affected too.',
    )
  })
})

describe('The reasons for a match', () => {
  it('say what another source states, with its versions', () => {
    expect(describeOther({ source: 'cna:acme', says: 'unaffected', range: { from: '1.0', through: '1.4' } })).toBe(
      'The CNA acme calls this version unaffected (from 1.0 through 1.4).',
    )
    expect(describeOther({ source: 'ghsa', says: 'not_in_range', range: { versions: ['2.0', '2.1'] } })).toBe(
      'GitHub advisory lists other versions: 2.0, 2.1.',
    )
  })

  it('name the products that must also be present', () => {
    const requires = [{ vendor: 'microsoft', product: 'windows' }]

    expect(describeRequirement(match('CVE-1', { requires }))).toBe(
      'Only together with microsoft windows, which is not among the components.',
    )
    expect(describeRequirement(match('CVE-1'))).toBeUndefined()
  })
})

describe('CSV of a result', () => {
  const answer = {
    components: [
      component(0, { verdict: 'unknown_product', did_you_mean: [{ vendor: 'acme', product: 'router' }] }),
      component(1, {
        matches: [
          match('CVE-1', {
            ...level('P0'),
            fixed_in: [{ product: 'router', branch: null, version: '2.0', source: 'nvd' }],
          }),
        ],
        upgrade_to: {
          version: '2.0',
          seen_in: 'fixed_version',
          clean_version: '1.9',
          branch: null,
          not_clean: null,
        },
      }),
    ],
    summary: summary({}),
    timestamp: '2026-08-22T00:00:00Z',
  } as const

  it('has a line per match and a line per component without one', () => {
    const [titles, first, second] = toCsv(answer).split('\r\n')

    expect(titles).toMatch(/^\u{FEFF}priority,id,component,version,ref,verdict,/u)
    expect(first).toMatch(/^P0,CVE-1,acme product-1,1\.0,,affected,high,7\.5,false,,2\.0,2\.0,1\.9,NVD: acme router/)
    expect(second).toMatch(/^,,acme product-0,1\.0,,unknown_product,.*,acme router$/)
  })

  it('marks a component name as text if a spreadsheet would run it as a formula', () => {
    const interpreted_as = { vendor: null, product: '=cmd()', version: '1', by: 'product' } as const

    expect(toCsv({ ...answer, components: [component(0, { interpreted_as })] })).toContain("'=cmd()")
  })
})

describe('Options in the URL', () => {
  it("use the API's names, ignore other values, and omit defaults", () => {
    const options = parseOptions({ confidence_min: 'low', priority_max: 'P9' })

    expect(options).toEqual({ confidence_min: 'low', priority_max: 'P4' })
    expect(toSearch(options)).toEqual({ confidence_min: 'low' })
  })
})
