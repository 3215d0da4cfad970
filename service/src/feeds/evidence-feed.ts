// Feeds that collect public evidence that a CVE can be exploited: exploits, Metasploit modules, scanner templates and
// repositories. The service stores the address and the name of each item, never its content.
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { CveId } from '../domain/cve-id.ts'
import { formatDay, parseDate } from '../domain/instant.ts'
import type { SourceId } from '../domain/source/sources.ts'
import { TEXT_LIMITS } from '../domain/source/upstream-limits.ts'
import { clampToToday } from './clock-skew.ts'
import { collectUndatedFile, fetchUndatedFile, type UndatedFile } from './download/undated-file.ts'
import { MAX_SUBJECT_LENGTH } from './engine/counters.ts'
import type { Feed, Rejected } from './feed.ts'
import { createFeed } from './feed-definition.ts'
import { sanitizeText } from './sanitize-text.ts'
import type { Store } from './store.ts'
import { stagedStore } from './stores/staged-store.ts'

export interface EvidenceSource<Raw> extends Omit<UndatedFile<Raw>, 'feed' | 'url'> {
  readonly feed: SourceId
  normalise(raw: Raw, now: Date): EvidenceRow | Rejected
}

export function evidenceFeed<Raw>(
  source: EvidenceSource<Raw>,
): (settings: { readonly url: string }) => Feed<Raw, EvidenceRow> {
  return ({ url }) =>
    createFeed(source.feed, {
      fetch: (context) => fetchUndatedFile(context, { ...source, url }),
      collect: collectUndatedFile({ ...source, url }),
      normalise: (raw, now) => source.normalise(raw, now),
      store: evidenceStore(source.feed),
    })
}

export interface EvidenceRow extends EvidenceItem {
  readonly contentHash: Buffer
  /** True if upstream dated the item later than today; `published` is then replaced by today. */
  readonly isFuture: boolean
}

export interface EvidenceItem {
  readonly id: string
  readonly kind: 'exploit' | 'module' | 'template' | 'repository'
  readonly title: string
  readonly url: string
  /** Day as `YYYY-MM-DD`. */
  readonly published: string | null
  /** Upstream's own rating of the item, such as `verified` or `excellent`. */
  readonly rank: string | null
  readonly cveIds: readonly CveId[]
}

export function toEvidenceRow(item: EvidenceItem, now: Date): EvidenceRow {
  const today = formatDay(now)
  const isFuture = item.published !== null && item.published > today
  const clean = { ...item, title: sanitizeText(item.title, TEXT_LIMITS.name.max).trim() }
  // The hash uses the date that upstream gave: a future date that is replaced by today would change it every day.
  const contentHash = hash('sha256', JSON.stringify({ ...clean, isFuture }), 'buffer')
  return { ...clean, published: item.published && clampToToday(item.published, today), contentHash, isFuture }
}

/** Returns null if the time is missing, and undefined if it is not a valid date. */
export function parseDay(text: string | null | undefined): string | null | undefined {
  if (!text) return null
  const day = text.slice(0, 10)
  return parseDate(day) ? day : undefined
}

/** All evidence feeds share two tables. An item that returns keeps the time at which it was first seen. */
export function evidenceStore(feed: string): Store<EvidenceRow> {
  return stagedStore<EvidenceRow>({
    table: 'exploit_item',
    feedColumn: { name: 'feed', value: feed },
    key: ['id'],
    columns: {
      id: (row) => row.id,
      kind: (row) => row.kind,
      title: (row) => row.title,
      url: (row) => row.url,
      published: (row) => row.published,
      rank: (row) => row.rank,
    },
    contentHash: (row) => row.contentHash,
    readTime: ({ published }) => (published === null ? null : new Date(`${published}T00:00:00Z`)),
    stagingColumns: {
      cve_ids: { type: 'text[] collate "C" not null', value: (row) => row.cveIds },
      is_future: { type: 'boolean not null', value: (row) => row.isFuture },
    },
    firstSeen: { column: 'first_seen' },
    removal: {
      rule: 'mark',
      // The log of rejected items truncates long ids, so the stored id is truncated in the same way.
      rejected: { column: sql`left(held.id, ${sql.lit(MAX_SUBJECT_LENGTH)})`, ids: (subjects) => subjects },
    },
    links: { table: 'exploit_item_cve', rowColumn: 'item_id' },
    queueAs: feed,
  })
}
