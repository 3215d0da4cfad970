// The table of priority levels, used by the code, `GET /api/v1/policy` and docs/priority-policy.md.
import { EPSS_RULE, type EpssRule } from './epss-rule.ts'
import { type DecisionFacts, hasNoInformation, isExploited } from './facts.ts'

/** Levels that say how urgent a CVE is, most urgent first. A caller's limit, such as `fail_on`, is one of these. */
export const RATED_LEVELS = ['P0', 'P1', 'P2', 'P3', 'P4'] as const

/** Levels at which people have to act at once or within a week. */
export const URGENT_LEVELS = ['P0', 'P1'] as const satisfies readonly (typeof RATED_LEVELS)[number][]

/** `unrated` means that nothing is known yet from which a level could follow (decision E33). */
export const UNRATED = 'unrated'

/** All levels in the order of lists. A CVE about which nothing is known can turn out to be urgent. */
export const LEVELS = ['P0', 'P1', 'P2', UNRATED, 'P3', 'P4'] as const

export type Level = (typeof LEVELS)[number]

/** Facts that a rule can test. */
export const POLICY_FACTS = {
  exploited:
    "A KEV catalog (CISA's KEV, ENISA's EU KEV) lists the CVE, or a source reports active exploitation: an SSVC assessment with the value active, or Microsoft's statement that it was exploited.",
  ransomware: 'A KEV catalog knows of ransomware campaigns that use the CVE.',
  public_exploit:
    'There is an Exploit-DB entry, a Metasploit module that exploits, a Nuclei template, a public proof of concept, an SSVC exploitation value of poc or active, or a reference tagged Exploit (exploit_flag).',
  automatable:
    "CISA's SSVC assessment says that exploitation can be automated. Without an assessment: the CVSS vector has AV:N, AC:L, PR:N and UI:N (CVSS 4.0: also AT:N; CVSS 2.0: AV:N, AC:L and Au:N).",
  total_impact:
    "CISA's SSVC assessment says that the technical impact is total. Without an assessment: the CVSS vector has C:H and I:H (CVSS 4.0: VC:H and VI:H; CVSS 2.0: C:C and I:C).",
  epss: 'The EPSS score is at least the given value.',
  epss_held:
    'The CVE holds the EPSS threshold with the given value: its score has reached the threshold, and has not been below the part of it that epss.keep names since then. The value is the threshold of the reference model; epss.models has those of other models.',
  no_epss: 'EPSS has not scored the CVE yet.',
  score: 'The CVSS base score of the record (severity) is at least the given value.',
  no_information:
    'There is neither a CVSS base score, nor an EPSS score, nor an SSVC value, nor evidence of an exploit, and no KEV catalog lists the CVE.',
} as const

type PolicyFact = keyof typeof POLICY_FACTS

/** A condition holds if the fact is true or, for `epss`, `epss_held` and `score`, the value is at least `min`. */
export interface Condition {
  readonly fact: PolicyFact
  readonly min?: number
}

interface PolicyLevel {
  readonly level: Level
  readonly title: string
  /** An alternative holds if all its conditions hold. */
  readonly anyOf: readonly (readonly Condition[])[]
}

export interface Policy {
  readonly version: string
  /** A CVE gets the first level with an alternative that holds. */
  readonly levels: readonly PolicyLevel[]
  /** Says how a CVE without an automatable or technical impact value is treated. */
  readonly unknownValues: string
  /** Absent if the policy compares each day's score with fixed values. */
  readonly epss?: EpssRule
}

const EXPLOITED: Condition = { fact: 'exploited' }
const RANSOMWARE: Condition = { fact: 'ransomware' }
const PUBLIC_EXPLOIT: Condition = { fact: 'public_exploit' }
const AUTOMATABLE: Condition = { fact: 'automatable' }
const TOTAL_IMPACT: Condition = { fact: 'total_impact' }
const NO_EPSS: Condition = { fact: 'no_epss' }
const minEpss = (min: number): Condition => ({ fact: 'epss', min })
const holdsEpss = (min: number): Condition => ({ fact: 'epss_held', min })
const NO_INFORMATION: Condition = { fact: 'no_information' }
const minScore = (min: number): Condition => ({ fact: 'score', min })

const UNKNOWN_VALUES =
  'If no source says whether exploitation can be automated or what its technical impact is, the worse value counts for an exploited CVE and the better value for any other CVE.'

/** A published version never changes: new rules get a new version. */
export const POLICIES = {
  '2026-11': {
    version: '2026-11',
    levels: [
      {
        level: 'P0',
        title: 'act now',
        anyOf: [
          [EXPLOITED, RANSOMWARE],
          [EXPLOITED, AUTOMATABLE, TOTAL_IMPACT],
        ],
      },
      { level: 'P1', title: 'this week', anyOf: [[EXPLOITED], [PUBLIC_EXPLOIT, minEpss(0.7)]] },
      {
        level: 'P2',
        title: 'this month',
        anyOf: [[minEpss(0.2)], [PUBLIC_EXPLOIT, minEpss(0.1)], [PUBLIC_EXPLOIT, AUTOMATABLE, TOTAL_IMPACT, NO_EPSS]],
      },
      {
        level: 'P3',
        title: 'next cycle',
        anyOf: [
          [PUBLIC_EXPLOIT, AUTOMATABLE],
          [PUBLIC_EXPLOIT, TOTAL_IMPACT],
          [minEpss(0.1)],
          [minScore(9)],
          [minScore(7), AUTOMATABLE],
        ],
      },
      { level: 'P4', title: 'routine', anyOf: [[]] },
    ],
    unknownValues: UNKNOWN_VALUES,
  },
  '2026-12': {
    version: '2026-12',
    levels: [
      {
        level: 'P0',
        title: 'act now',
        anyOf: [
          [EXPLOITED, RANSOMWARE],
          [EXPLOITED, AUTOMATABLE, TOTAL_IMPACT],
        ],
      },
      {
        level: 'P1',
        title: 'this week',
        anyOf: [
          [EXPLOITED],
          [PUBLIC_EXPLOIT, holdsEpss(0.7), AUTOMATABLE],
          [PUBLIC_EXPLOIT, holdsEpss(0.7), TOTAL_IMPACT],
        ],
      },
      {
        level: 'P2',
        title: 'this month',
        anyOf: [
          [holdsEpss(0.2)],
          [PUBLIC_EXPLOIT, holdsEpss(0.1)],
          [PUBLIC_EXPLOIT, AUTOMATABLE, TOTAL_IMPACT, NO_EPSS],
        ],
      },
      { level: UNRATED, title: 'not assessed yet', anyOf: [[NO_INFORMATION]] },
      {
        level: 'P3',
        title: 'next cycle',
        anyOf: [
          [PUBLIC_EXPLOIT, AUTOMATABLE],
          [PUBLIC_EXPLOIT, TOTAL_IMPACT],
          [holdsEpss(0.1)],
          [minScore(9)],
          [minScore(7), AUTOMATABLE],
        ],
      },
      { level: 'P4', title: 'routine', anyOf: [[]] },
    ],
    unknownValues: UNKNOWN_VALUES,
    epss: EPSS_RULE,
  },
} as const satisfies Readonly<Record<string, Policy>>

export type PolicyVersion = keyof typeof POLICIES

/** When this changes, every CVE is published again. */
export const POLICY_VERSION = '2026-12' satisfies PolicyVersion

const CURRENT: Policy = POLICIES[POLICY_VERSION]

/** Returns undefined for a version that never existed. */
export function findPolicy(version: string): Policy | undefined {
  return Object.values<Policy>(POLICIES).find((each) => each.version === version)
}

/** The values that conditions test. The policy says what replaces unknown values. */
export interface PolicyInputs {
  readonly isExploited: boolean
  readonly isUsedByRansomware: boolean
  readonly hasPublicExploit: boolean
  readonly isAutomatable: boolean
  readonly isTotal: boolean
  readonly hasNoInformation: boolean
  /** The highest EPSS threshold that the CVE holds, as a threshold of the reference model; null without a score. */
  readonly epss: number | null
  readonly score: number | null
}

/** Takes the highest held threshold from `toHeldThreshold`. */
export function toPolicyInputs(facts: DecisionFacts, epss: number | null): PolicyInputs {
  const exploited = isExploited(facts)
  return {
    isExploited: exploited,
    isUsedByRansomware: [facts.kev, facts.euKev].some((entry) => entry?.isUsedByRansomware),
    hasPublicExploit: facts.hasPublicExploit,
    isAutomatable: facts.automatable === null ? exploited : facts.automatable.value === 'yes',
    isTotal: facts.technicalImpact === null ? exploited : facts.technicalImpact.value === 'total',
    hasNoInformation: epss === null && hasNoInformation(facts),
    epss,
    score: facts.score?.value ?? null,
  }
}

function findLevel(inputs: PolicyInputs, policy: Policy = CURRENT): Level {
  return findRule(inputs, policy).level
}

/** A level with the alternative that holds. The last level has no conditions. */
export interface AppliedRule {
  readonly level: Level
  readonly title: string
  readonly conditions: readonly Condition[]
}

export function findRule(inputs: PolicyInputs, { levels }: Policy = CURRENT): AppliedRule {
  for (const { level, title, anyOf } of levels) {
    const conditions = anyOf.find((all) => all.every((each) => holds(each, inputs)))
    if (conditions !== undefined) return { level, title, conditions }
  }
  throw new Error('The last level of a policy must apply to every CVE.')
}

/** Returns null for a rejected CVE, which is not a vulnerability (decision E9). */
export function findLevelOf(facts: DecisionFacts, epss: number | null): Level | null {
  return facts.isRejected ? null : findLevel(toPolicyInputs(facts, epss))
}

function holds({ fact, min = 0 }: Condition, inputs: PolicyInputs): boolean {
  switch (fact) {
    case 'exploited':
      return inputs.isExploited
    case 'ransomware':
      return inputs.isUsedByRansomware
    case 'public_exploit':
      return inputs.hasPublicExploit
    case 'automatable':
      return inputs.isAutomatable
    case 'total_impact':
      return inputs.isTotal
    case 'epss':
    case 'epss_held':
      return inputs.epss !== null && inputs.epss >= min
    case 'no_epss':
      return inputs.epss === null
    case 'score':
      return inputs.score !== null && inputs.score >= min
    case 'no_information':
      return inputs.hasNoInformation
  }
}

/** Each level has this many ranks, P4 those from 0. */
export const RANKS_PER_LEVEL = 2000

/** Within a level, exploited CVEs have the ranks from here on; everything else adds up to less. */
const EXPLOITED_RANKS = 1000

export const MAX_RANK = LEVELS.length * RANKS_PER_LEVEL - 1

/**
 * Returns 0 (least urgent) to MAX_RANK, or null for a rejected CVE. Within a level, known exploitation counts most, then
 * ransomware, automatable, total impact, and the score.
 */
export function rank(facts: DecisionFacts, epss: number | null): number | null {
  if (facts.isRejected) return null
  const inputs = toPolicyInputs(facts, epss)
  return rankInputs(inputs, findLevel(inputs))
}

/** Takes the level as an argument, because a caller's context may have moved it. */
export function rankInputs(inputs: PolicyInputs, level: Level): number {
  return (
    listRanks(level).min +
    (inputs.isExploited ? EXPLOITED_RANKS : 0) +
    (inputs.isUsedByRansomware ? 500 : 0) +
    (inputs.isAutomatable ? 250 : 0) +
    (inputs.isTotal ? 125 : 0) +
    Math.round((inputs.score ?? 0) * 10)
  )
}

/** Returns the lowest and highest rank of a level. */
export function listRanks(level: Level): { readonly min: number; readonly max: number } {
  const min = (LEVELS.length - 1 - LEVELS.indexOf(level)) * RANKS_PER_LEVEL
  return { min, max: min + RANKS_PER_LEVEL - 1 }
}

/** Returns null for a CVE without a level. */
export function findLevelOfRank(stored: number | null): Level | null {
  return stored === null ? null : (LEVELS[LEVELS.length - 1 - Math.floor(stored / RANKS_PER_LEVEL)] ?? null)
}

/** Returns whether a rank is that of a CVE that is known to be exploited. */
export function isExploitedRank(stored: number | null): boolean {
  return stored !== null && stored % RANKS_PER_LEVEL >= EXPLOITED_RANKS
}

/** Every level is more urgent than none. */
export function isMoreUrgent(level: Level, than: Level | null): boolean {
  return than === null || LEVELS.indexOf(level) < LEVELS.indexOf(than)
}
