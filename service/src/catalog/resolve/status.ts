import type { Statement } from '../model/claim.ts'
import type { Chosen, Said } from '../model/resolved.ts'

const KNOWN_TO_OTHERS = 'Received'

/**
 * NVD's word (decision C12), unless the two disagree on whether it is rejected: then whoever is newer knows of what was
 * rejected, or taken back, since. Of the same age, the CVE List's rejection counts: it decides, and NVD follows.
 */
export function resolveStatus(statements: readonly Statement[]): Chosen<string> {
  const nvd = statements.find(({ source }) => source === 'nvd')
  const cve = statements.find(({ source }) => source === 'cve')
  const saidByNvd: Said<string>[] = nvd ? [{ value: nvd.status ?? KNOWN_TO_OTHERS, by: nvd.speaker }] : []
  const saidByCve: Said<string>[] = cve ? [{ value: cve.status ?? KNOWN_TO_OTHERS, by: cve.speaker }] : []
  const ordered = nvd && cve && isOverruled(nvd, cve) ? [...saidByCve, ...saidByNvd] : [...saidByNvd, ...saidByCve]
  const [first = { value: KNOWN_TO_OTHERS, by: 'kev' }, ...runnersUp] = ordered
  return { ...first, runnersUp }
}

function isOverruled(nvd: Statement, cve: Statement): boolean {
  const isRejected = cve.status === 'Rejected'
  if (isRejected === (nvd.status === 'Rejected')) return false
  return isRejected ? cve.modified >= nvd.modified : cve.modified > nvd.modified
}
