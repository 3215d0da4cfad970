// Feed of CISA's catalog of known exploited vulnerabilities (KEV).
import { sql } from 'kysely'
import { address } from '../../../domain/setting.ts'
import { collectFile } from '../../collect.ts'
import { checkReleaseDate, fetchRelease } from '../../download/dated-release.ts'
import { type Feed, mapReadings, NoFilesError } from '../../feed.ts'
import { createFeed, defineFeed } from '../../feed-definition.ts'
import { type FoundFile, listFiles } from '../../formats/directory.ts'
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
  const request = { name: FILE, url: settings.url, maxBytes: MAX_DOWNLOAD_BYTES }
  return createFeed('kev', {
    fetch: (context) =>
      fetchRelease(context, {
        ...request,
        find: findCatalog,
        open: async ({ path }, held) => {
          const { version, releasedAt: at } = await readCatalogHeader(path)
          const releasedAt = checkReleaseDate(at, held, context.now)
          return {
            label: `${FILE} ${version}`,
            release: { version, at },
            records: (onBytes) => mapReadings(readEntries(path, onBytes), (entry) => ({ entry, releasedAt })),
          }
        },
      }),
    collect: collectFile(request),
    normalise: normaliseKev,
    store: kevStore,
  })
}

async function findCatalog(directory: string): Promise<FoundFile> {
  const [file] = await listFiles(directory, 'kev', /^known_exploited_vulnerabilities\.json(\.gz)?$/)
  if (!file) throw new NoFilesError(`${directory} contains no ${FILE}.`)
  return file
}

/** Columns that current entries share with the entries of earlier releases. */
export const KEV_COLUMNS = {
  vendor_project: (row: KevRow) => row.vendorProject,
  product: (row: KevRow) => row.product,
  vulnerability_name: (row: KevRow) => row.vulnerabilityName,
  date_added: (row: KevRow) => row.dateAdded,
  short_description: (row: KevRow) => row.shortDescription,
  required_action: (row: KevRow) => row.requiredAction,
  due_date: (row: KevRow) => row.dueDate,
  known_ransomware: (row: KevRow) => row.isKnownRansomware,
  notes: (row: KevRow) => row.notes,
  cwes: (row: KevRow) => row.cwes,
}

const kevStore = stagedStore<KevRow>({
  table: 'kev_entry',
  key: ['cve_id'],
  columns: { cve_id: (row) => row.cveId, ...KEV_COLUMNS },
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
