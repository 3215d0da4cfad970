import { describe, expect, it } from 'vitest'
import { COVERAGE_GAPS } from '../../../service/src/domain/match-words.ts'
import { countCoverage, describeJudges, describeOldest, listJudges } from '../../src/pages/match/coverage/coverage.ts'
import { describeGap } from '../../src/pages/match/texts.ts'
import { component, coverage, match, overview } from './example-answer.ts'

const nvd = { source: 'nvd', complete: true, as_of: '2026-08-21T22:00:00Z', stale: false }
const ghsa = { source: 'ghsa', complete: false, as_of: '2026-08-01T00:00:00Z', stale: true }
const debian = { source: 'debian', complete: false, as_of: null, stale: true }

describe('Coverage of a result', () => {
  it('counts covered components, and the others by reason with those that are affected all the same', () => {
    const components = [
      component(0, { matches: [match('CVE-1')], coverage_gap: 'incomplete' }),
      component(1, { verdict: 'not_covered', coverage_gap: 'incomplete' }),
      component(2),
    ]

    expect(
      countCoverage({ components, overview: overview({ by_coverage_gap: coverage({ covered: 1, incomplete: 2 }) }) }),
    ).toEqual([
      { gap: undefined, count: 1, hitCount: 0 },
      { gap: 'incomplete', count: 2, hitCount: 1 },
    ])
  })

  it('lists the databases that judged components, and how many', () => {
    const components = [component(0, { coverage: [ghsa] }), component(1, { coverage: [ghsa, nvd] })]

    expect(listJudges({ components }).map(({ source, count }) => [source, count])).toEqual([
      ['ghsa', 2],
      ['nvd', 1],
    ])
  })

  it('says of each database when its data is of, and whether it is incomplete, stale or not loaded', () => {
    expect(describeJudges(component(0, { coverage: [nvd, ghsa, debian] }))).toBe(
      'NVD (2026-08-21); GitHub advisories (2026-08-01, incomplete, stale); Debian tracker (not loaded)',
    )
  })

  it('names the oldest database that decided, or says that none did', () => {
    const oldest_data = { source: 'ghsa', as_of: '2026-08-01T00:00:00Z', as_of_basis: 'newest_record' } as const

    expect(describeOldest(overview({ oldest_data }))).toBe(
      'The oldest data that decided is of GitHub advisories: 2026-08-01, by its newest record.',
    )
    expect(describeOldest(overview({}))).toBe('No database judged a component.')
  })

  it('explains each reason in the words of the service', () => {
    for (const [gap, text] of Object.entries(COVERAGE_GAPS))
      expect(describeGap(gap as keyof typeof COVERAGE_GAPS)).toBe(text)
  })
})
