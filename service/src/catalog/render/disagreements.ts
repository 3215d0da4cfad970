// Finds disagreements between the sources of a CVE, as defined in docs/decisions.md (section "Disagreements").

import { baseSeverity, baseSeverityV2 } from '../../domain/cvss/severity.ts'
import type { DecisionFacts } from '../../domain/priority/facts.ts'
import { DISAGREEMENT_BITS } from '../../domain/source/disagreement.ts'
import type { Claim, Rating } from '../model/claim.ts'
import type { Chosen, Resolved } from '../model/resolved.ts'
import { REJECTED } from '../resolve/status.ts'
import { hasDifferentLimits } from './version-limits.ts'

/** Returns a sum of DISAGREEMENT_BITS. */
export function findDisagreements(resolved: Resolved, facts: DecisionFacts): number {
  return (
    (hasDifferentSeverities(resolved) ? DISAGREEMENT_BITS.score : 0) +
    (hasDifferentLimits(resolved.cpeCandidates) ? DISAGREEMENT_BITS.affected : 0) +
    (isRejectedBySome(resolved.claims) ? DISAGREEMENT_BITS.rejected : 0) +
    (hasContraryExploitation(facts) ? DISAGREEMENT_BITS.kev_ssvc : 0)
  )
}

/** True if two providers use the same major version of CVSS and have no severity level in common. */
function hasDifferentSeverities({ v2, v3, v4 }: Resolved): boolean {
  return [v2, v3, v4].some((chosen) => chosen !== null && hasDifferentLevels(chosen))
}

function hasDifferentLevels({ value, runnersUp }: Chosen<Rating>): boolean {
  if (runnersUp.length === 0) return false
  const byProvider = Map.groupBy([value, ...runnersUp.map((each) => each.value)], ({ by }) => by)
  const levels = [...byProvider.values()].map((ratings) => ratings.map(readLevel))
  return levels.some((some, index) =>
    levels.slice(index + 1).some((others) => !some.some((each) => others.includes(each))),
  )
}

function readLevel({ version, score }: Rating): string {
  return version === '2.0' ? baseSeverityV2(score) : baseSeverity(score)
}

/** True if NVD or the CVE List rejects the CVE, while the other one or KEV does not. */
function isRejectedBySome(claims: readonly Claim[]): boolean {
  const deciding = claims.filter(({ source }) => source === 'nvd' || source === 'cve' || source === 'kev')
  const rejecting = deciding.filter(({ status }) => status === REJECTED)
  return rejecting.length > 0 && rejecting.length < deciding.length
}

/** CISA lists the CVE in KEV but does not call it exploited in its SSVC assessment, or vice versa. */
function hasContraryExploitation({ kev, cisaExploitation, isRejected }: DecisionFacts): boolean {
  return !isRejected && cisaExploitation !== null && (kev !== null) !== (cisaExploitation === 'active')
}
