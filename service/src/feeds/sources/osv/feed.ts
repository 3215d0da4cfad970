// Feeds of advisory databases in OSV format, one per entry of OSV_SOURCES. osv.dev publishes one zip archive per ecosystem
// with one JSON file per advisory (https://google.github.io/osv.dev/data).
import { address } from '../../../domain/setting.ts'
import { OSV_SOURCES, type OsvSourceId } from '../../../domain/source/osv-sources.ts'
import { fetchUndatedFile } from '../../download/undated-file.ts'
import type { Feed } from '../../feed.ts'
import { defineFeed, type FeedDefinition, readSchedule } from '../../feed-definition.ts'
import { normaliseOsv, type OsvRow } from './normalise.ts'
import { MAX_DOWNLOAD_BYTES, readDatabase } from './read-database.ts'
import { osvStore } from './store.ts'

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
  return {
    ...readSchedule(id),
    fetch: (context) =>
      fetchUndatedFile(context, {
        feed: id,
        folders: ['osv'],
        name: `${id}.zip`,
        url: settings.url,
        maxDownloadBytes: MAX_DOWNLOAD_BYTES,
        // regex-bound: the name of a file has at most 255 characters
        inDirectory: new RegExp(`^${id}\\.zip$|^${source.files}[\\w.-]*\\.ndjson(?:\\.gz)?$`),
        read: (path, onBytes) => readDatabase(source, path, onBytes),
      }),
    normalise: (raw, now) => normaliseOsv(source, raw, now),
    guards: [],
    store: osvStore(source, id),
  }
}
