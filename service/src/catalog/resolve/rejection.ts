// Removes the assessments of a rejected CVE (decision E9).
import type { Claim } from '../model/claim.ts'

/**
 * Returns the claim without scores, weaknesses, products, exploitation, SSVC values and fixes. A rejected CVE is no
 * vulnerability: records that are older than the rejection may still assess it. Texts, dates, tags and references stay.
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
