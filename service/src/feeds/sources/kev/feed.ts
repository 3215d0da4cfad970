// Feed of CISA's catalog of known exploited vulnerabilities (KEV).
import { address } from '../../../domain/setting.ts'
import {
  checkReleaseDate,
  downloadRelease,
  type ReleaseCursor,
  type ReleaseFile,
  readReleaseCursor,
} from '../../download/dated-release.ts'
import { type Delivery, type Feed, type FetchContext, NoFilesError, type Reading } from '../../feed.ts'
import { defineFeed } from '../../feed-definition.ts'
import { listFiles } from '../../formats/directory.ts'
import { type KevRow, normaliseKev, type RawKevEntry } from './normalise.ts'
import { readCatalogHeader, readEntries } from './parse.ts'
import { kevStore } from './store.ts'

const FILE = 'known_exploited_vulnerabilities.json'
const MAX_DOWNLOAD_BYTES = 64 * 1024 * 1024

export const kevDefinition = defineFeed(
  {
    url: address('FEED_KEV_URL', 'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json'),
  },
  kevFeed,
)

export function kevFeed(settings: { readonly url: string }): Feed<RawKevEntry, KevRow> {
  return {
    name: 'kev',
    title: 'CISA Known Exploited Vulnerabilities',
    // CISA updates the KEV catalog on working days, and new entries are urgent, so the feed runs every 30 minutes. Most
    // requests return 304 Not Modified.
    intervalSeconds: 30 * 60,
    staleAfterSeconds: 24 * 60 * 60,
    fetch: (context) => fetchCatalog(context, settings.url),
    normalise: normaliseKev,
    guards: [],
    store: kevStore,
  }
}

async function* fetchCatalog(context: FetchContext, url: string): AsyncGenerator<Delivery<RawKevEntry>> {
  const previous = readReleaseCursor(context.cursor)
  const file =
    context.from === undefined
      ? await downloadRelease(context, { name: FILE, url, maxBytes: MAX_DOWNLOAD_BYTES }, previous)
      : await findKevFile(context.from)
  if (file) yield await buildDelivery(file, previous, context.now)
}

async function findKevFile(directory: string): Promise<ReleaseFile> {
  const [file] = await listFiles(directory, 'kev', /^known_exploited_vulnerabilities\.json(\.gz)?$/)
  if (!file) throw new NoFilesError(`${directory} contains no ${FILE}.`)
  return { path: file.path, bytes: file.bytes, validators: {} }
}

async function buildDelivery(
  file: ReleaseFile,
  previous: ReleaseCursor | undefined,
  now: Date,
): Promise<Delivery<RawKevEntry>> {
  const header = await readCatalogHeader(file.path)
  const releasedAt = checkReleaseDate(header.releasedAt, previous, now)
  const { version } = header
  const cursor: ReleaseCursor = { releasedAt: releasedAt.toISOString(), version, validators: file.validators }
  return {
    label: `${FILE} ${version}`,
    kind: 'snapshot',
    upstreamAt: releasedAt,
    cursor,
    bytes: { before: 0, own: file.bytes, total: file.bytes },
    records: (onBytes) => addReleaseDate(readEntries(file.path, onBytes), releasedAt),
  }
}

async function* addReleaseDate(
  entries: AsyncIterable<Reading<unknown>>,
  releasedAt: Date,
): AsyncGenerator<Reading<RawKevEntry>> {
  for await (const entry of entries) yield 'raw' in entry ? { raw: { entry: entry.raw, releasedAt } } : entry
}
