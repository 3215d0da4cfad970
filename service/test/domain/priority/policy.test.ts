import { describe, expect, it } from 'vitest'
import type { DecisionFacts } from '../../../src/domain/priority/facts.ts'
import {
  findLevelOf,
  findLevelOfRank,
  findPolicy,
  LEVELS,
  listRanks,
  POLICIES,
  POLICY_VERSION,
  rank,
} from '../../../src/domain/priority/policy.ts'
import { AUTOMATABLE, buildFacts, IN_KEV, NOT_AUTOMATABLE, PARTIAL, TOTAL } from './facts-fixture.ts'

const RANSOMWARE = { ...IN_KEV, isUsedByRansomware: true }
const scored = (value: number) => ({ score: { value, version: '3.1', source: 'nvd' } })
const HARMLESS = { automatable: NOT_AUTOMATABLE, technicalImpact: PARTIAL }
const WORST = { automatable: AUTOMATABLE, technicalImpact: TOTAL }

const CASES: readonly (readonly [string, string, Partial<DecisionFacts>, number | null])[] = [
  ['P0', 'an exploited CVE that ransomware uses', { kev: RANSOMWARE, ...HARMLESS }, null],
  [
    'P0',
    'a CVE only in EU KEV that ransomware uses',
    { euKev: { since: '2026-07-01', isUsedByRansomware: true }, ...HARMLESS },
    null,
  ],
  ['P0', 'an exploited CVE that is automatable with total impact', { kev: IN_KEV, ...WORST }, null],
  [
    'P0',
    'a CVE only in EU KEV that is automatable with total impact',
    { euKev: { since: '2026-07-01', isUsedByRansomware: false }, ...WORST },
    null,
  ],
  ['P0', 'an exploited CVE without SSVC values, because unknown counts as the worse value', { kev: IN_KEV }, null],
  ['P1', 'an exploited CVE that is not automatable', { kev: IN_KEV, ...WORST, automatable: NOT_AUTOMATABLE }, null],
  ['P1', 'an exploited CVE with partial impact', { kev: IN_KEV, ...WORST, technicalImpact: PARTIAL }, 0.9],
  [
    'P1',
    'an automatable CVE with a public exploit and an EPSS score of 0.7',
    { hasPublicExploit: true, automatable: AUTOMATABLE },
    0.7,
  ],
  [
    'P1',
    'a CVE with a public exploit, total impact and an EPSS score of 0.7',
    { hasPublicExploit: true, technicalImpact: TOTAL },
    0.7,
  ],
  ['P2', 'a CVE with a public exploit and an EPSS score below 0.7', { hasPublicExploit: true }, 0.69999],
  ['P2', 'a CVE without a public exploit and an EPSS score of 0.7', {}, 0.7],
  ['P2', 'a CVE with an EPSS score of 0.2', {}, 0.2],
  ['P2', 'a CVE with a public exploit and an EPSS score of 0.1', { hasPublicExploit: true }, 0.1],
  [
    'P2',
    'an automatable CVE with total impact, an exploit and no EPSS score',
    { hasPublicExploit: true, ...WORST },
    null,
  ],
  [
    'P3',
    'an automatable CVE with total impact, an exploit and a low EPSS score',
    { hasPublicExploit: true, ...WORST },
    0.01,
  ],
  [
    'P2',
    'a CVE with a public exploit and an EPSS score of 0.7 that is neither automatable nor of total impact',
    { hasPublicExploit: true },
    0.7,
  ],
  ['P3', 'a CVE with a public exploit that is automatable', { hasPublicExploit: true, automatable: AUTOMATABLE }, null],
  ['P3', 'a CVE with a public exploit and total impact', { hasPublicExploit: true, technicalImpact: TOTAL }, null],
  ['P3', 'a CVE with an EPSS score of 0.1', {}, 0.1],
  ['P3', 'a CVE with a score of 9.0', scored(9), null],
  ['P3', 'an automatable CVE with a score of 7.0', { ...scored(7), automatable: AUTOMATABLE }, null],
  ['P4', 'an automatable CVE with a score of 6.9', { ...scored(6.9), automatable: AUTOMATABLE }, null],
  ['P4', 'a CVE with a score of 8.9 that is not automatable', scored(8.9), 0.09999],
  [
    'P4',
    'a CVE with a public exploit and unknown SSVC values, because unknown counts as the better value',
    { hasPublicExploit: true },
    null,
  ],
  ['unrated', 'a CVE about which nothing is known', {}, null],
  ['P4', 'a CVE of which only a low EPSS score is known', {}, 0.01],
  ['P4', 'a CVE of which only an SSVC value is known', { cisaExploitation: 'none' }, null],
  ['P4', 'a CVE of which only a low score is known', scored(2), null],
]

describe('Priority policy 2026-12', () => {
  it.each(CASES)('gives %s to %s', (level, _, values, epss) => {
    expect(findLevelOf(buildFacts(values), epss)).toBe(level)
  })

  it('gives no level to a rejected CVE (decision E9)', () => {
    const rejected = buildFacts({ isRejected: true, kev: RANSOMWARE })
    expect(findLevelOf(rejected, 0.9)).toBeNull()
    expect(rank(rejected, 0.9)).toBeNull()
  })

  it('is the current policy, and every version can be read by its name', () => {
    expect(POLICY_VERSION).toBe('2026-12')
    for (const [name, policy] of Object.entries(POLICIES)) {
      expect(findPolicy(name)).toBe(policy)
      expect(policy.version).toBe(name)
    }
    expect(findPolicy('toString')).toBeUndefined()
  })
})

describe('Rank of a CVE', () => {
  it.each([
    [11975, { kev: RANSOMWARE, ...WORST, ...scored(10) }, 0.9],
    [11473, { kev: IN_KEV, ...WORST, ...scored(9.8) }, null],
    [9125, { kev: IN_KEV, automatable: NOT_AUTOMATABLE, technicalImpact: TOTAL }, null],
    [2098, { ...HARMLESS, ...scored(9.8) }, null],
    [4000, {}, null],
    [0, {}, 0],
  ])('is %d for %j and the EPSS score %d', (expected, values, epss) => {
    expect(rank(buildFacts(values), epss)).toBe(expected)
  })

  it('is higher for an exploited CVE than for any other at its level', () => {
    const exploited = rank(buildFacts({ kev: IN_KEV, ...HARMLESS }), null)
    const other = rank(buildFacts({ hasPublicExploit: true, ...WORST, ...scored(10) }), 0.7)
    expect(findLevelOfRank(exploited)).toBe('P1')
    expect(findLevelOfRank(other)).toBe('P1')
    expect(exploited).toBeGreaterThan(other ?? 0)
  })

  it('is higher for every CVE at a more urgent level', () => {
    expect(LEVELS.map(listRanks)).toEqual([
      { min: 10000, max: 11999 },
      { min: 8000, max: 9999 },
      { min: 6000, max: 7999 },
      { min: 4000, max: 5999 },
      { min: 2000, max: 3999 },
      { min: 0, max: 1999 },
    ])
    for (const [level, , values, epss] of CASES) {
      const { min, max } = listRanks(LEVELS.find((each) => each === level) ?? 'P4')
      expect(rank(buildFacts(values), epss)).toBeGreaterThanOrEqual(min)
      expect(rank(buildFacts(values), epss)).toBeLessThanOrEqual(max)
    }
  })
})
