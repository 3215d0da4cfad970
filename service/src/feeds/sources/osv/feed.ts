// Feeds of advisory databases in OSV format, one per entry of OSV_DATABASES. osv.dev publishes one zip archive per
// ecosystem with one JSON file per advisory (https://google.github.io/osv.dev/data).
import { address } from '../../../domain/setting.ts'
import { fetchUndatedFile } from '../../download/undated-file.ts'
import type { Feed } from '../../feed.ts'
import { defineFeed, type FeedDefinition } from '../../feed-definition.ts'
import { OSV_DATABASES, type OsvDatabase } from './databases.ts'
import { normaliseOsv, type OsvRow } from './normalise.ts'
import { MAX_DOWNLOAD_BYTES, readDatabase } from './read-database.ts'
import { osvStore } from './store.ts'

const BUCKET = 'https://osv-vulnerabilities.storage.googleapis.com'

export const osvDefinitions: readonly FeedDefinition[] = OSV_DATABASES.map((database) =>
  defineFeed(
    { url: address(`FEED_OSV_${database.name.toUpperCase()}_URL`, `${BUCKET}/${database.ecosystem}/all.zip`) },
    (settings: { readonly url: string }) => osvFeed(database, settings),
  ),
)

export function osvFeed(database: OsvDatabase, settings: { readonly url: string }): Feed<unknown, OsvRow> {
  const name = `osv-${database.name}`
  const archive = `${name}.zip`
  return {
    name,
    title: database.title,
    intervalSeconds: 6 * 60 * 60,
    staleAfterSeconds: 3 * 24 * 60 * 60,
    fetch: (context) =>
      fetchUndatedFile(context, {
        feed: name,
        folders: ['osv'],
        name: archive,
        url: settings.url,
        maxDownloadBytes: MAX_DOWNLOAD_BYTES,
        // regex-bound: the name of a file has at most 255 characters
        inDirectory: new RegExp(`^${name}\\.zip$|${database.ndjsonFiles.source}`),
        read: (path, onBytes) => readDatabase(database, path, onBytes),
      }),
    normalise: (raw, now) => normaliseOsv(database, raw, now),
    guards: [],
    store: osvStore(database, name),
  }
}
