// Feeds of advisory databases in OSV format, one per entry of OSV_SOURCES. osv.dev publishes one zip archive per ecosystem
// with one JSON file per advisory (https://google.github.io/osv.dev/data).
import { sql } from 'kysely'
import { address } from '../../../domain/setting.ts'
import type { OsvDescriptor } from '../../../domain/source/descriptor.ts'
import { OSV_SOURCES, type OsvSourceId } from '../../../domain/source/osv-sources.ts'
import { fetchUndatedFile } from '../../download/undated-file.ts'
import type { Feed } from '../../feed.ts'
import { createFeed, defineFeed, type FeedDefinition } from '../../feed-definition.ts'
import { readArchiveOrLines } from '../../formats/json-files.ts'
import type { Store } from '../../store.ts'
import { stagedStore } from '../../stores/staged-store.ts'
import { normaliseOsv, type OsvRow } from './normalise.ts'

const MEBIBYTE = 1024 * 1024
const MAX_DOWNLOAD_BYTES = 512 * MEBIBYTE
/** The longest advisory of 2026, from AlmaLinux, is 0.1 MiB. */
const LIMITS = { maxRecordBytes: 4 * MEBIBYTE, maxBytes: 2048 * MEBIBYTE }
const SUFFIX = '.json'
const BUCKET = 'https://osv-vulnerabilities.storage.googleapis.com'

// Both casts are safe: Object.keys returns the keys of OSV_SOURCES, which become the keys of the result.
export const osvDefinitions = Object.fromEntries(
  (Object.keys(OSV_SOURCES) as OsvSourceId[]).map((id) => [id, defineOsvFeed(id)]),
) as Readonly<Record<OsvSourceId, FeedDefinition>>

function defineOsvFeed(id: OsvSourceId): FeedDefinition {
  const { database, ecosystem } = OSV_SOURCES[id]
  const url = address(`FEED_OSV_${database.toUpperCase()}_URL`, `${BUCKET}/${encodeURIComponent(ecosystem)}/all.zip`)
  return defineFeed({ url }, (settings: { readonly url: string }) => osvFeed(id, settings))
}

export function osvFeed(id: OsvSourceId, settings: { readonly url: string }): Feed<unknown, OsvRow> {
  const source = OSV_SOURCES[id]
  const toId = (name: string) => {
    const advisoryId = name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : ''
    return source.advisories.pattern.test(advisoryId) ? advisoryId : undefined
  }
  return createFeed(id, {
    fetch: (context) =>
      fetchUndatedFile(context, {
        feed: id,
        folders: ['osv'],
        name: `${id}.zip`,
        url: settings.url,
        maxDownloadBytes: MAX_DOWNLOAD_BYTES,
        // regex-bound: the name of a file has at most 255 characters
        inDirectory: new RegExp(`^${id}\\.zip$|^${source.files}[\\w.-]*\\.ndjson(?:\\.gz)?$`),
        read: (path, onBytes) => readArchiveOrLines(path, { toId, ...LIMITS }, onBytes),
      }),
    normalise: (raw, now) => normaliseOsv(source, raw, now),
    store: osvStore(source, id),
  })
}

function osvStore({ advisories }: OsvDescriptor, feed: string): Store<OsvRow> {
  return stagedStore<OsvRow>({
    table: 'osv_advisory',
    feedColumn: { name: 'feed', value: feed },
    key: ['id'],
    columns: {
      id: (row) => row.id,
      modified: (row) => row.modified,
      record: (row) => row.record,
    },
    contentHash: (row) => row.contentHash,
    readTime: (row) => row.modified,
    stagingColumns: {
      cve_ids: { type: 'text[] collate "C" not null', value: (row) => row.cveIds },
      is_future: { type: 'boolean not null', value: (row) => row.isFuture },
    },
    isVersioned: true,
    removal: {
      rule: 'delete',
      rejected: { column: sql`held.id`, ids: (subjects) => subjects.filter((each) => advisories.pattern.test(each)) },
    },
    links: { table: 'osv_advisory_cve', rowColumn: 'advisory_id' },
    lostCve: sql`cardinality(staged.cve_ids) = 0
      and exists (
            select
              from source.osv_advisory_cve link
             where link.feed = held.feed
               and link.advisory_id = held.id
          )`,
    queueAs: feed,
  })
}
