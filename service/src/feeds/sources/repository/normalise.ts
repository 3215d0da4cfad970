import { hash } from 'node:crypto'
import { formatInstant, UNDATED } from '../../../domain/instant.ts'
import { buildPageUrl } from '../../../domain/source/alias.ts'
import { REPOSITORY_SOURCES, type RepositorySourceId } from '../../../domain/source/repository-sources.ts'
import type { AdvisoryRecord } from '../../../domain/source/vendor-record.ts'
import { clampToNow, isFutureTime } from '../../clock-skew.ts'
import type { Rejected } from '../../feed.ts'
import { parseReferences } from '../../formats/osv-format.ts'
import { readText } from '../../schema-check.ts'
import type { AdvisoryRow } from '../../stores/advisory.ts'
import { parseCveIds } from '../../stores/extract-ids.ts'
import type { ReadAdvisory } from './forms.ts'
import { readFriendsOfPhp } from './friendsofphp.ts'
import { readMalicious } from './malicious.ts'
import { readRubySec } from './rubysec.ts'

const READERS: Readonly<Record<RepositorySourceId, ReadAdvisory>> = {
  rubysec: readRubySec,
  friendsofphp: readFriendsOfPhp,
  malicious: readMalicious,
}

/** In a database without ids, an advisory's id is made of the names of the database and the file. */
const toId = (source: RepositorySourceId, name: string) =>
  REPOSITORY_SOURCES[source].advisories === undefined ? `${source}:${name}` : name

export function isOwnId(source: RepositorySourceId, text: string): boolean {
  return REPOSITORY_SOURCES[source].advisories?.pattern.test(text) ?? text.startsWith(toId(source, ''))
}

/** `raw` is the content of the file with its path in the repository. */
export function normaliseFile(source: RepositorySourceId, raw: unknown, now: Date): AdvisoryRow | Rejected {
  const { repository, branch, path: pattern, advisories: form } = REPOSITORY_SOURCES[source]
  const path = readText(raw, 'path') ?? ''
  const name = pattern.exec(path)?.[1]
  if (name === undefined)
    return { rejected: path || 'an advisory without a path', reason: 'not the path of an advisory' }
  const id = toId(source, name)
  const read = READERS[source](raw)
  if (typeof read === 'string') return { rejected: id, reason: read }
  const { title, isWithdrawn = false, cve, aliases, published, products, urls } = read
  const cveIds = parseCveIds(cve === null ? [] : [cve])
  if (cve !== null && cveIds.length === 0) return { rejected: id, reason: `not a CVE id: "${cve}"` }
  const modified = clampToNow(read.modified ?? UNDATED, now)
  const page = form?.page
    ? buildPageUrl(form.page, id)
    : `https://github.com/${repository}/blob/${branch}/${path.split('/').map(encodeURIComponent).join('/')}`
  const record: AdvisoryRecord = {
    database: source,
    cve_ids: cveIds,
    aliases,
    advisories: form === undefined ? [] : [id],
    title,
    description: null,
    withdrawn: isWithdrawn,
    severity: null,
    scores: [],
    weaknesses: [],
    products,
    references: parseReferences(
      page,
      urls.map((url) => ({ url })),
    ),
    exploitation: null,
    published: published && formatInstant(published),
    modified: formatInstant(modified),
  }
  const text = JSON.stringify(record)
  return {
    id,
    cveIds,
    modified,
    isFuture: isFutureTime(read.modified ?? UNDATED, now),
    record: text,
    contentHash: hash('sha256', text, 'buffer'),
  }
}
