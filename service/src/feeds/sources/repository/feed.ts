// Feeds of advisory databases that are kept as YAML or JSON files in a repository, one per entry of REPOSITORY_SOURCES.
import { address } from '../../../domain/setting.ts'
import { REPOSITORY_SOURCES, type RepositorySourceId } from '../../../domain/source/repository-sources.ts'
import { collectUndatedFile, fetchUndatedFile, type UndatedFile } from '../../download/undated-file.ts'
import type { Feed, Reading } from '../../feed.ts'
import { createFeed, defineFeed, type FeedDefinition } from '../../feed-definition.ts'
import { readDecompressed } from '../../formats/decompress.ts'
import { readJsonLines } from '../../formats/json-lines.ts'
import { parseRecord } from '../../formats/parse-json.ts'
import { parseYamlRecord } from '../../formats/parse-yaml.ts'
import { readZipEntries } from '../../formats/zip.ts'
import { readText } from '../../schema-check.ts'
import { type AdvisoryRow, advisoryStore } from '../../stores/advisory.ts'
import { isOwnId, normaliseFile } from './normalise.ts'

const MEBIBYTE = 1024 * 1024
/** The longest file of 2026 has 22 KiB. */
const LIMITS = { maxDownloadBytes: 128 * MEBIBYTE, maxFileBytes: 256 * 1024, maxBytes: 512 * MEBIBYTE }
/** In October 2026, the repository of malicious packages had 239,136 reports of 1 to 4 KiB. */
const LARGE_LIMITS = { maxDownloadBytes: 2048 * MEBIBYTE, maxFileBytes: 4 * MEBIBYTE, maxBytes: 8192 * MEBIBYTE }

const findLimits = (id: RepositorySourceId) => (REPOSITORY_SOURCES[id].hasLargeArchive ? LARGE_LIMITS : LIMITS)

// Both casts are safe: Object.keys returns the keys of REPOSITORY_SOURCES, which become the keys of the result.
export const repositoryDefinitions = Object.fromEntries(
  (Object.keys(REPOSITORY_SOURCES) as RepositorySourceId[]).map((id) => [id, defineRepositoryFeed(id)]),
) as Readonly<Record<RepositorySourceId, FeedDefinition>>

function defineRepositoryFeed(id: RepositorySourceId): FeedDefinition {
  const { repository, branch } = REPOSITORY_SOURCES[id]
  const url = address(
    `FEED_${id.toUpperCase()}_URL`,
    `https://codeload.github.com/${repository}/zip/refs/heads/${branch}`,
  )
  return defineFeed({ url }, (settings: { readonly url: string }) => repositoryFeed(id, settings))
}

export function repositoryFeed(id: RepositorySourceId, settings: { readonly url: string }): Feed<unknown, AdvisoryRow> {
  const { repository, branch } = REPOSITORY_SOURCES[id]
  const archive = `${repository.split('/')[1]}-${branch}.zip`
  const file: UndatedFile<unknown> = {
    feed: id,
    name: archive,
    url: settings.url,
    maxDownloadBytes: findLimits(id).maxDownloadBytes,
    // regex-bound: the name of a file has at most 255 characters
    inDirectory: new RegExp(`^${archive.replaceAll('.', '\\.')}$|^${id}[\\w.-]*\\.ndjson(?:\\.gz)?$`),
    read: (path, onBytes) => (path.endsWith('.zip') ? readArchive(id, path, onBytes) : readLines(id, path, onBytes)),
  }
  return createFeed(id, {
    fetch: (context) => fetchUndatedFile(context, file),
    collect: collectUndatedFile(file),
    normalise: (raw, now) => normaliseFile(id, raw, now),
    store: advisoryStore(id, (text) => isOwnId(id, text)),
  })
}

type Readings = AsyncGenerator<Reading<unknown>, void, undefined>

/** Files of other kinds are skipped. The first part of a name is the archive's own folder. */
async function* readArchive(id: RepositorySourceId, archive: string, onBytes: (count: number) => void): Readings {
  const toPath = (name: string) => name.slice(name.indexOf('/') + 1)
  const limits = {
    matches: (name: string) => REPOSITORY_SOURCES[id].path.test(toPath(name)),
    maxEntryBytes: findLimits(id).maxFileBytes,
    maxBytes: findLimits(id).maxBytes,
  }
  for await (const { name, bytes } of readZipEntries(archive, limits, onBytes)) {
    const path = toPath(name)
    const parsed = path.endsWith('.json') ? parseRecord(bytes) : parseYamlRecord(bytes)
    yield 'error' in parsed ? { rejected: path, reason: parsed.error } : { raw: addPath(parsed.value, path) }
  }
}

function addPath(value: unknown, path: string): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value, path } : { path }
}

/** One file per line, converted to JSON, with the member `path`. */
async function* readLines(id: RepositorySourceId, file: string, onBytes: (count: number) => void): Readings {
  const { maxBytes, maxFileBytes } = findLimits(id)
  const chunks = readDecompressed(file, { maxBytes }, onBytes)
  for await (const reading of readJsonLines(chunks, { maxLineBytes: maxFileBytes })) {
    const path = 'raw' in reading ? readText(reading.raw, 'path') : undefined
    if (path === undefined || REPOSITORY_SOURCES[id].path.test(path)) yield reading
  }
}
