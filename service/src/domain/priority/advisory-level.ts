// The level of an advisory without a CVE. The policy is about vulnerabilities; a malicious package has its level by a
// rule of its own, so no version of the policy changes.
import type { DecisionFacts } from './facts.ts'
import { type Level, listRanks } from './policy.ts'
import { prioritize } from './priority.ts'
import type { SsvcDecision } from './ssvc.ts'

/** Kinds of advisories that do not report a vulnerability. */
export const ADVISORY_KINDS = ['malicious'] as const

export type AdvisoryKind = (typeof ADVISORY_KINDS)[number]

const MALICIOUS_REASON =
  'The package, or the version of it, is malicious. Remove it, and treat each machine on which it ran as compromised.'

interface AdvisoryLevel {
  readonly level: Level | null
  readonly ssvc: SsvcDecision | null
  readonly reason: string | null
  /** Null for a withdrawn advisory. */
  readonly rank: number | null
}

/** EPSS scores only CVEs. */
export function rateAdvisory(kind: AdvisoryKind | null, facts: DecisionFacts): AdvisoryLevel {
  if (kind === 'malicious' && !facts.isRejected)
    return { level: 'P0', ssvc: null, reason: MALICIOUS_REASON, rank: listRanks('P0').max }
  const { priority, rank } = prioritize(facts, null)
  return {
    level: priority.level,
    ssvc: priority.ssvc?.decision ?? null,
    // The policy's sentences call each subject a CVE.
    reason: priority.reasons[0]?.replaceAll('this CVE', 'this advisory') ?? null,
    rank,
  }
}
