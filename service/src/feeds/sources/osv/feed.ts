// Feeds of advisory databases in OSV format, one per entry of OSV_SOURCES. osv.dev publishes one zip archive per ecosystem
// with one JSON file per advisory (https://google.github.io/osv.dev/data).
import { address } from '../../../domain/setting.ts'
import { OSV_SOURCES, type OsvSourceId } from '../../../domain/source/osv-sources.ts'
import { collectUndatedFile, fetchUndatedFile, type UndatedFile } from '../../download/undated-file.ts'
import type { Feed } from '../../feed.ts'
import { createFeed, defineFeed, type FeedDefinition } from '../../feed-definition.ts'
import { readArchiveOrLines } from '../../formats/json-files.ts'
import { type AdvisoryRow, advisoryStore } from '../../stores/advisory.ts'
import { normaliseOsv } from './normalise.ts'

const MEBIBYTE = 1024 * 1024
/** The longest advisory of 2026, from AlmaLinux, is 0.1 MiB. */
const LIMITS = { maxDownloadBytes: 512 * MEBIBYTE, maxRecordBytes: 4 * MEBIBYTE, maxBytes: 2048 * MEBIBYTE }
/** Ubuntu's records of kernel flaws list all versions of a hundred packages. */
const LARGE_LIMITS = { maxDownloadBytes: 4096 * MEBIBYTE, maxRecordBytes: 32 * MEBIBYTE, maxBytes: 65_536 * MEBIBYTE }
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

export function osvFeed(id: OsvSourceId, settings: { readonly url: string }): Feed<unknown, AdvisoryRow> {
  const source = OSV_SOURCES[id]
  const { maxDownloadBytes, ...limits } = source.hasLargeArchive ? LARGE_LIMITS : LIMITS
  const isId = (text: string) => source.advisories.pattern.test(text)
  const toId = (name: string) => {
    const advisoryId = name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : ''
    return isId(advisoryId) ? advisoryId : undefined
  }
  const archive: UndatedFile<unknown> = {
    feed: id,
    folders: ['osv'],
    name: `${id}.zip`,
    url: settings.url,
    maxDownloadBytes,
    // regex-bound: the name of a file has at most 255 characters
    inDirectory: new RegExp(`^${id}\\.zip$|^${source.files}[\\w.-]*\\.ndjson(?:\\.gz)?$`),
    read: (path, onBytes) => readArchiveOrLines(path, { toId, ...limits }, onBytes),
  }
  return createFeed(id, {
    fetch: (context) => fetchUndatedFile(context, archive),
    collect: collectUndatedFile(archive),
    normalise: (raw, now) => normaliseOsv(source, raw, now),
    store: advisoryStore(id, isId),
  })
}
