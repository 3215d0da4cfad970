// Chooses the status of a CVE, such as Analyzed or Rejected, from NVD, the CVE List and KEV.
import type { Claim } from '../model/claim.ts'
import { type Chosen, type Resolved, RULES } from '../model/resolved.ts'
import { attribute } from './provenance.ts'

/** Status of a CVE to which NVD has not given a status. No source states it, so it is attributed to the rules. */
const DEFAULT_STATUS = 'Received'
export const REJECTED = 'Rejected'

/** Returns whether the CVE is rejected: the CVE Program says that it is no vulnerability, or a duplicate. */
export function isRejected({ status }: Pick<Resolved, 'status'>): boolean {
  return status.value === REJECTED
}

/**
 * Takes NVD's status (decision C12), unless the sources disagree on whether the CVE is rejected. If they disagree, the
 * newest source counts (decision E9), because a rejection can be added or revoked. If NVD and the CVE List have the same
 * date, a rejection in the CVE List counts, because the CVE List decides on rejections and NVD follows. KEV lists no
 * rejected CVEs, so an entry that is newer than the rejection revokes it.
 */
export function resolveStatus(claims: readonly Claim[]): Chosen<string> {
  const [nvd, cve, kev] = (['nvd', 'cve', 'kev'] as const).map((name) => claims.find(({ source }) => source === name))
  const records = nvd && cve && isOverruled(nvd, cve) ? [cve, nvd] : [nvd, cve].filter((each) => each !== undefined)
  const leading = records[0]
  const isRevoked = kev && leading?.status === REJECTED && kev.modified > leading.modified
  const stated = records.flatMap((claim) => (claim.status === null ? [] : [attribute(claim.status, claim)]))
  const [first, ...runnersUp] = stated
  if (first === undefined || isRevoked || leading?.status === null)
    return { value: DEFAULT_STATUS, by: RULES, time: null, runnersUp: stated }
  return { ...first, runnersUp }
}

/** Returns whether the status in the CVE List has precedence over the status in NVD. */
function isOverruled(nvd: Claim, cve: Claim): boolean {
  const isRejected = cve.status === REJECTED
  if (isRejected === (nvd.status === REJECTED)) return false
  return isRejected ? cve.modified >= nvd.modified : cve.modified > nvd.modified
}
