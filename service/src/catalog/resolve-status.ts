import type { Chosen, Said } from './resolved.ts'
import type { Statement } from './statement.ts'

const KNOWN_TO_OTHERS = 'Received'

/**
 * NVD's word (decision C12). The CVE List decides which ids are valid, and NVD follows it: so a rejection there counts as
 * soon as it is not older than what NVD holds. An older one may have been taken back since, which NVD would know.
 */
export function resolveStatus(statements: readonly Statement[]): Chosen<string> {
  const nvd = statements.find(({ source }) => source === 'nvd')
  const cve = statements.find(({ source }) => source === 'cve')
  const saidByNvd: Said<string>[] = nvd ? [{ value: nvd.status ?? KNOWN_TO_OTHERS, by: nvd.speaker }] : []
  const saidByCve: Said<string>[] = cve ? [{ value: cve.status ?? KNOWN_TO_OTHERS, by: cve.speaker }] : []
  const isRejectedSince = cve?.status === 'Rejected' && nvd !== undefined && cve.modified >= nvd.modified
  const ordered =
    isRejectedSince && nvd.status !== 'Rejected' ? [...saidByCve, ...saidByNvd] : [...saidByNvd, ...saidByCve]
  const [first = { value: KNOWN_TO_OTHERS, by: 'kev' }, ...runnersUp] = ordered
  return { ...first, runnersUp }
}
