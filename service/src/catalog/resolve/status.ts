import { RULES } from '../../domain/source/provider-names.ts'
import type { Claim } from '../model/claim.ts'
import type { Chosen, Resolved } from '../model/resolved.ts'
import { attribute } from './provenance.ts'

/** Status of a CVE without an NVD status. No source states it, so the service's rules are named as its source. */
const DEFAULT_STATUS = 'Received'
export const REJECTED = 'Rejected'

/** The CVE Program says that the CVE is not a vulnerability, or is a duplicate. */
export function isRejected({ status }: Pick<Resolved, 'status'>): boolean {
  return status.value === REJECTED
}

/**
 * Chooses NVD's status (decision C12), unless the sources disagree about a rejection: then the newest counts (decision
 * E9), because a rejection can be added or revoked. If the dates are equal, a rejection in the CVE List counts, because
 * NVD follows it. KEV lists no rejected CVEs, so a newer KEV entry revokes the rejection.
 */
export function resolveStatus(claims: readonly Claim[]): Chosen<string> {
  const records = orderLists(claims)
  const [leading] = records
  const kev = claims.find(({ source }) => source === 'kev')
  const isRevoked = kev && leading?.status === REJECTED && kev.modified > leading.modified
  const stated = records.flatMap((claim) => (claim.status === null ? [] : [attribute(claim.status, claim)]))
  const [first, ...runnersUp] = stated
  if (first === undefined || isRevoked || leading?.status === null)
    return { value: DEFAULT_STATUS, by: RULES, time: null, runnersUp: stated }
  return { ...first, runnersUp }
}

type StatusClaim = Pick<Claim, 'source' | 'modified' | 'status'>

/** True if NVD and the CVE List reject the CVE, whatever KEV says. */
export function isRejectedInLists(claims: readonly StatusClaim[]): boolean {
  return orderLists(claims)[0]?.status === REJECTED
}

/** The claims of NVD and the CVE List, with the one first whose status takes precedence. */
function orderLists<T extends StatusClaim>(claims: readonly T[]): readonly T[] {
  const [nvd, cve] = (['nvd', 'cve'] as const).map((name) => claims.find(({ source }) => source === name))
  return nvd && cve && isOverruled(nvd, cve) ? [cve, nvd] : [nvd, cve].filter((each) => each !== undefined)
}

/** True if the CVE List's status takes precedence over NVD's. */
function isOverruled(nvd: StatusClaim, cve: StatusClaim): boolean {
  const isRejected = cve.status === REJECTED
  if (isRejected === (nvd.status === REJECTED)) return false
  return isRejected ? cve.modified >= nvd.modified : cve.modified > nvd.modified
}
