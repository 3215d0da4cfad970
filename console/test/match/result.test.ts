import { describe, expect, it } from 'vitest'
import { COMPONENT_VERDICTS, COVERAGE_GAPS } from '../../../service/src/domain/match-words.ts'
import { toCsv, toPlanCsv } from '../../src/pages/match/csv.ts'
import { countUnlisted, groupAnswer } from '../../src/pages/match/result.ts'
import { parseOptions, toSearch } from '../../src/pages/match/state.ts'
import {
  describeAffectedComponents,
  describeChecked,
  describeDistribution,
  describeOther,
  describeRequirement,
  listFixedVersions,
} from '../../src/pages/match/texts.ts'
import { component, coverage, level, match, overview, planLine } from './example-answer.ts'

describe('Result groups', () => {
  it('lists matches across components by level, score and EPSS, and matches without a level last', () => {
    const { affected } = groupAnswer({
      components: [
        component(0, { matches: [match('GHSA-x', level(null)), match('CVE-2', { ...level('P1'), severity: 5 })] }),
        component(1, {
          matches: [
            match('CVE-4', { ...level('P1'), severity: 9, epss_score: 0.1 }),
            match('CVE-3', { ...level('P1'), severity: 9, epss_score: 0.9 }),
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

  it('keeps components of which nothing is known apart from those that databases clear', () => {
    const groups = groupAnswer({
      components: [
        component(0, { verdict: 'not_covered', coverage_gap: 'stale' }),
        component(1, { verdict: 'not_covered', coverage_gap: 'no_source' }),
        component(2, { verdict: 'possibly_affected', weaker_total: 2 }),
        component(3),
        component(4, { verdict: 'no_known_advisory' }),
        component(5, { verdict: 'not_covered', coverage_gap: 'no_source' }),
      ],
    })

    expect(groups.notCovered.map(({ gap, components }) => [gap, components.map(({ index }) => index)])).toEqual([
      ['no_source', [1, 5]],
      ['stale', [0]],
    ])
    expect(groups.uncertain.map(({ index }) => index)).toEqual([2])
    expect(groups.notAffected.map(({ index }) => index)).toEqual([3])
    expect(groups.noAdvisory.map(({ index }) => index)).toEqual([4])
  })

  it('lists every component in exactly one group or by its matches, whatever its verdict', () => {
    const components = COMPONENT_VERDICTS.map((verdict, index) =>
      component(index, { verdict, coverage_gap: verdict === 'not_covered' ? 'no_data' : null }),
    )
    const { upgrades, uncertain, notCovered, notAffected, noAdvisory } = groupAnswer({ components })

    const listed = [
      ...upgrades.map((upgrade) => upgrade.component),
      ...uncertain,
      ...notCovered.flatMap((group) => group.components),
      ...notAffected,
      ...noAdvisory,
    ]
    expect(listed.map(({ index }) => index).toSorted()).toEqual(components.map(({ index }) => index))
  })

  it('counts the matches that the response leaves out', () => {
    expect(countUnlisted({ components: [component(0, { matches: [match('CVE-1')], matches_total: 5 })] })).toBe(4)
  })
})

describe('The summary of a result', () => {
  it('says first what is not covered, and counts every verdict', () => {
    const by_verdict = { affected: 4, possibly_affected: 1, not_covered: 3, not_affected: 1, no_known_advisory: 1 }
    const counts = { components_total: 10, by_verdict, hits_total: 5 }

    expect(describeAffectedComponents(overview(counts))).toBe(
      '3 of 10 components could not be judged: no complete and current database names them, so they may be affected. 4 of 10 components are affected, 1 possibly, by 5 CVEs and advisories. 1 is not affected; about 1, complete and current databases know no advisory.',
    )
  })

  it.each([
    [1, 'The component could not be judged: no complete and current database names it, so it may be affected.'],
    [
      2,
      'None of the 2 components could be judged: no complete and current database names them, so they may be affected. No component is known to be affected.',
    ],
  ])('never calls %d components that are not covered unaffected', (components, text) => {
    expect(
      describeAffectedComponents(overview({ components_total: components, by_verdict: { not_covered: components } })),
    ).toBe(text)
  })

  it('says who clears a single component', () => {
    expect(describeAffectedComponents(overview({ components_total: 1, by_verdict: { no_known_advisory: 1 } }))).toBe(
      'Complete and current databases know no advisory about the component.',
    )
    expect(describeAffectedComponents(overview({ components_total: 1, by_verdict: { not_affected: 1 } }))).toMatch(
      /^The component is not affec/,
    )
  })
})

describe('The headline of what was checked', () => {
  const checked = (total: number, covered: number, stale = 0) =>
    describeChecked({ overview: overview({ components_total: total, by_coverage_gap: coverage({ covered, stale }) }) })

  it('says that CVEs may be missing where a database is not complete and current, or cannot judge', () => {
    expect(checked(10, 7, 3)).toBe(
      'Incomplete: for 3 of 10 components, not every database is loaded or current, so CVEs may be missing',
    )
    expect(checked(10, 7)).toBe(
      'Incomplete: for 3 of 10 components, not every database can judge them, so CVEs may be missing',
    )
    expect(checked(1, 0, 1)).toBe(
      'Incomplete: for the component, not every database is loaded or current, so CVEs may be missing',
    )
  })

  it('never uses the word "safe"', () => {
    for (const text of [checked(10, 10), checked(1, 1), checked(0, 0)]) expect(text).not.toMatch(/safe/)
    expect(checked(10, 10)).toBe('Complete: every database for all 10 components is loaded and current')
  })
})

describe('The reasons for a match', () => {
  it('say what another source states, with its versions', () => {
    expect(
      describeOther({ source: 'cna:acme', says: 'unaffected', range: { from_version: '1.0', through_version: '1.4' } }),
    ).toBe('The CNA acme calls this version unaffected (from 1.0 through 1.4).')
    expect(describeOther({ source: 'ghsa', says: 'not_in_range', range: { listed_versions: ['2.0', '2.1'] } })).toBe(
      'GitHub advisory lists other versions: 2.0, 2.1.',
    )
  })

  it('say what the distribution does about the CVE, and its urgency', () => {
    expect(
      describeDistribution(match('CVE-1', { distribution_state: 'no_dsa', distribution_urgency: 'unimportant' })),
    ).toBe('The distribution says: it publishes no advisory of its own (no-dsa); its urgency is “unimportant”.')
    expect(describeDistribution(match('CVE-1'))).toBeUndefined()
  })

  it('name the branch and the source of a fixed version, and a product that is another one', () => {
    const fixed_in = [
      { product: 'product-0', branch: '1.2', version: '1.2.9', source: 'nvd' },
      { product: 'distribution', branch: null, version: '7', source: 'redhat' },
    ]

    expect(listFixedVersions({ component: component(0), match: match('CVE-1', { fixed_in }) })).toEqual([
      { version: '1.2.9', note: 'branch 1.2, per NVD' },
      { version: '7', note: 'of distribution, per Red Hat' },
    ])
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
      component(0, {
        verdict: 'not_covered',
        coverage_gap: 'unknown_product',
        coverage: [],
        similar_products: [{ vendor: 'acme', product: 'router' }],
      }),
      component(1, {
        matches: [
          match('CVE-1', {
            ...level('P0'),
            aliases: [
              { alias: 'GHSA-1', source: 'ghsa' },
              { alias: 'GO-1', source: 'osv-go' },
            ],
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
    fix_plan: [planLine({ remains_total: 2, remains: ['CVE-9'] })],
    overview: overview({}),
    timestamp: '2026-08-22T00:00:00Z',
  } as const

  it('has a line per match and a line per component without one', () => {
    const [titles, first, second] = toCsv(answer).split('\r\n')

    expect(titles).toMatch(
      /^\u{FEFF}priority_level,id,aliases,component,version,ref,verdict,component_verdict,coverage_gap,/u,
    )
    expect(first).toMatch(
      /^P0,CVE-1,GHSA-1; GO-1,acme product-1,1\.0,,affected,affected,,high,7\.5,false,,2\.0,2\.0,1\.9,NVD: acme router/,
    )
    expect(first).toContain(',NVD (2026-08-21),')
    expect(second).toMatch(/^,,,acme product-0,1\.0,,not_covered,not_covered,unknown_product,/)
    expect(second).toContain(`,${COVERAGE_GAPS.unknown_product},`)
    expect(second).toMatch(/,acme router$/)
  })

  it('has a file of its own for the fix plan', () => {
    expect(toPlanCsv(answer).split('\r\n')[1]).toBe(
      'acme/router,1.0,2.0,major,fixed_version,1,P0: CVE-1,2,CVE-9; and 1 more,0,,,unknown_product,',
    )
  })

  it('names the components that could not be judged in the file of the fix plan, too', () => {
    const lines = toPlanCsv(answer).trimEnd().split('\r\n')
    const unjudged = answer.components.filter(({ verdict }) => verdict === 'not_covered')
    expect(lines).toHaveLength(1 + answer.fix_plan.length + unjudged.length)
    expect(lines.at(-1)).toBe(`acme/product-0,1.0,,,,,,,,,,,unknown_product,${COVERAGE_GAPS.unknown_product}`)
  })

  it('marks a component name as text if a spreadsheet would run it as a formula', () => {
    const interpreted_as = { vendor: null, product: '=cmd()', version: '1', identified_by: 'product' } as const

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
