// The reads that a page makes in any case. The start script sends them before the application has loaded.
import { CVE_INCLUDE } from './cve-include.ts'

const CVE_PAGE = /^\/console\/cves\/(CVE-\d{4}-\d{4,19})\/?$/i

/** Returns the addresses as the application spells them: an answer to another spelling would not be found. */
export function listEarlyReads(path: string): readonly string[] {
  const [, id] = CVE_PAGE.exec(path) ?? []
  const include = new URLSearchParams({ include: CVE_INCLUDE.join(',') })
  return ['/console/api/session', ...(id === undefined ? [] : [`/console/api/v1/cve/${id.toUpperCase()}?${include}`])]
}
