import { Type } from 'typebox'
import { type EvidenceRow, parseDay, toEvidenceRow } from '../../evidence-feed.ts'
import type { Rejected } from '../../feed.ts'
import { compileSchema, optionalOrNull, readText } from '../../schema-check.ts'
import { parseCveIds } from '../../stores/extract-ids.ts'
import type { RawRepository } from './read-repositories.ts'

const REPOSITORY = compileSchema(Type.Object({ html_url: Type.String(), created_at: optionalOrNull(Type.String()) }))
/** The capture group contains the repository's owner and name. */
const ON_GITHUB = /^https:\/\/github\.com\/([\w-]{1,39}\/[\w.-]{1,100})$/

/**
 * Stars and push dates change daily and do not show whether an exploit works, so they are not stored. The list comes
 * from a search for CVE ids, so a repository need not contain an exploit.
 */
export function normaliseRepository({ cve, repository }: RawRepository, now: Date): EvidenceRow | Rejected {
  const link = readText(repository, 'html_url') ?? 'a repository without an address'
  const [, name] = ON_GITHUB.exec(link) ?? []
  const rejected = `${cve} ${name ?? link}`
  if (!REPOSITORY.matches(repository)) return { rejected, reason: REPOSITORY.describeMismatch(repository) }
  const [cveId] = parseCveIds([cve])
  if (!cveId) return { rejected, reason: `the repository is listed under "${cve}", which is not a CVE id` }
  if (name === undefined) return { rejected, reason: `html_url is not the address of a GitHub repository: "${link}"` }
  const published = parseDay(repository.created_at)
  if (published === undefined) return { rejected, reason: `created_at is not a date: "${repository.created_at}"` }
  const item = {
    // The id of the stored entry contains the CVE id, because one repository may be listed for many CVEs.
    id: `${cveId} ${name}`,
    kind: 'repository' as const,
    title: name,
    url: link,
    published,
    rank: null,
    cveIds: [cveId],
  }
  return toEvidenceRow(item, now)
}
