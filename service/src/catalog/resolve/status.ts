// Chooses the status of a CVE, such as Analyzed or Rejected, from NVD and the CVE List.
import type { Claim } from '../model/claim.ts'
import type { Attributed, Chosen } from '../model/resolved.ts'

/** Status of a CVE to which NVD has not given a status. */
const DEFAULT_STATUS = 'Received'

/**
 * Takes NVD's status (decision C12), unless NVD and the CVE List disagree on whether the CVE is rejected. If they
 * disagree, the newer record counts, because a rejection can be added or revoked. If both records have the same date, a
 * rejection in the CVE List counts, because the CVE List decides on rejections and NVD follows.
 */
export function resolveStatus(claims: readonly Claim[]): Chosen<string> {
  const nvd = claims.find(({ source }) => source === 'nvd')
  const cve = claims.find(({ source }) => source === 'cve')
  const fromNvd: Attributed<string>[] = nvd ? [{ value: nvd.status ?? DEFAULT_STATUS, by: nvd.provider }] : []
  const fromCveList: Attributed<string>[] = cve ? [{ value: cve.status ?? DEFAULT_STATUS, by: cve.provider }] : []
  const ordered = nvd && cve && isOverruled(nvd, cve) ? [...fromCveList, ...fromNvd] : [...fromNvd, ...fromCveList]
  const [first = { value: DEFAULT_STATUS, by: 'kev' }, ...runnersUp] = ordered
  return { ...first, runnersUp }
}

/** Returns whether the status in the CVE List has precedence over the status in NVD. */
function isOverruled(nvd: Claim, cve: Claim): boolean {
  const isRejected = cve.status === 'Rejected'
  if (isRejected === (nvd.status === 'Rejected')) return false
  return isRejected ? cve.modified >= nvd.modified : cve.modified > nvd.modified
}
