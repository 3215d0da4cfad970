// Feed of CISA's catalog of known exploited vulnerabilities (KEV).
import { sql } from 'kysely'
import { address } from '../../../domain/setting.ts'
import {
  checkReleaseDate,
  downloadRelease,
  type ReleaseCursor,
  type ReleaseFile,
  readReleaseCursor,
} from '../../download/dated-release.ts'
import { type Delivery, type Feed, type FetchContext, NoFilesError, type Reading } from '../../feed.ts'
import { defineFeed, readSchedule } from '../../feed-definition.ts'
import { listFiles } from '../../formats/directory.ts'
import { extractCveIds } from '../../stores/extract-ids.ts'
import { stagedStore } from '../../stores/staged-store.ts'
import { type KevRow, normaliseKev, type RawKevEntry } from './normalise.ts'
import { readCatalogHeader, readEntries } from './parse.ts'

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
    ...readSchedule('kev'),
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

const kevStore = stagedStore<KevRow>({
  table: 'kev_entry',
  key: ['cve_id'],
  columns: {
    cve_id: (row) => row.cveId,
    vendor_project: (row) => row.vendorProject,
    product: (row) => row.product,
    vulnerability_name: (row) => row.vulnerabilityName,
    date_added: (row) => row.dateAdded,
    short_description: (row) => row.shortDescription,
    required_action: (row) => row.requiredAction,
    due_date: (row) => row.dueDate,
    known_ransomware: (row) => row.isKnownRansomware,
    notes: (row) => row.notes,
    cwes: (row) => row.cwes,
  },
  contentHash: (row) => row.contentHash,
  stagingColumns: {
    is_future: { type: 'boolean not null', value: (row) => row.isFuture },
    released_at: { type: 'timestamptz not null', value: (row) => row.releasedAt },
  },
  firstStoredColumn: 'first_stored_at',
  firstSeen: { column: 'first_seen', removalColumn: 'removal_first_seen' },
  // If the KEV catalog has several entries for one CVE, the entry that was added last is stored.
  preferred: sql`date_added desc`,
  // The removal date of an entry is the release date of the first catalog without it.
  removal: {
    rule: 'mark',
    removedAt: sql`(select max(released_at) from staged_kev_entry)`,
    rejected: { column: sql`held.cve_id`, ids: extractCveIds },
  },
  queueAs: 'kev',
})
