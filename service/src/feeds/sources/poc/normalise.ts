import { Type } from 'typebox'
import type { Rejected } from '../../feed.ts'
import { orNull, shapeOf } from '../../schema-check.ts'
import { cveIdsAmong, type EvidenceRow, evidenceRow, parseDay } from '../../stores/exploit-row.ts'
import type { RawRepository } from './read-repositories.ts'

const REPOSITORY = shapeOf(Type.Object({ html_url: Type.String(), created_at: orNull(Type.String()) }))
/** The owner and the name. */
const ON_GITHUB = /^https:\/\/github\.com\/([\w-]{1,39}\/[\w.-]{1,100})$/

/**
 * Stars and pushes are left out: they move every day, and say nothing of whether it works. The list is gathered by
 * searching for ids, so that a repository in it is a claim and no more.
 */
export function normaliseRepository({ cve, repository }: RawRepository, now: Date): EvidenceRow | Rejected {
  const link = linkOf(repository)
  const [, name] = ON_GITHUB.exec(link) ?? []
  const rejected = `${cve} ${name ?? link}`
  if (!REPOSITORY.fits(repository)) return { rejected, reason: REPOSITORY.fault(repository) }
  const [cveId] = cveIdsAmong([cve])
  if (!cveId) return { rejected, reason: `it is listed for something that is no CVE id: "${cve}"` }
  if (name === undefined) return { rejected, reason: `html_url is not the address of a repository: "${link}"` }
  const published = parseDay(repository.created_at)
  if (published === undefined) return { rejected, reason: `created_at is no date: "${repository.created_at}"` }
  const said = {
    // One repository may be listed for many CVEs.
    id: `${cveId} ${name}`,
    kind: 'repository' as const,
    title: name,
    url: link,
    published,
    rank: null,
    cveIds: [cveId],
  }
  return evidenceRow(said, now)
}

function linkOf(repository: unknown): string {
  const isNamed = typeof repository === 'object' && repository !== null && 'html_url' in repository
  return isNamed && typeof repository.html_url === 'string' ? repository.html_url : 'a repository without an address'
}
