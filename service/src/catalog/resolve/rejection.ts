import type { Claim } from '../model/claim.ts'

/**
 * A rejected CVE is no vulnerability (decision E9), but records older than the rejection may still assess it. Texts,
 * dates, tags and references stay.
 */
export function dropAssessments(claim: Claim): Claim {
  return {
    ...claim,
    ratings: [],
    weaknesses: [],
    configurations: [],
    affected: [],
    unaffected: [],
    exploitation: null,
    ssvc: [],
    fix: null,
    solutions: [],
    severityWord: null,
  }
}
