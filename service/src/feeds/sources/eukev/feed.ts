// Feed of ENISA's catalog of vulnerabilities that are known to be exploited in the EU (EU KEV, decision E23).
import { sql } from 'kysely'
import { address } from '../../../domain/setting.ts'
import { collectUndatedFile, fetchUndatedFile, type UndatedFile } from '../../download/undated-file.ts'
import { type Feed, FeedError, type Reading } from '../../feed.ts'
import { createFeed, defineFeed } from '../../feed-definition.ts'
import { readWholeFile } from '../../formats/decompress.ts'
import { parseRecord } from '../../formats/parse-json.ts'
import { extractCveIds } from '../../stores/extract-ids.ts'
import { stagedStore } from '../../stores/staged-store.ts'
import { type EuKevRow, normaliseEuKev } from './normalise.ts'

const FILE = 'eukev.json'
/** Maximum size of the catalog, in memory and as a download: 180 times its size in 2026. */
const MAX_BYTES = 4 * 1024 * 1024

export const euKevDefinition = defineFeed(
  { url: address('FEED_EUKEV_URL', 'https://raw.githubusercontent.com/enisaeu/CNW/main/eukev/eukev.json') },
  euKevFeed,
)

export function euKevFeed(settings: { readonly url: string }): Feed<unknown, EuKevRow> {
  const catalog: UndatedFile<unknown> = {
    feed: 'eukev',
    name: FILE,
    url: settings.url,
    maxDownloadBytes: MAX_BYTES,
    inDirectory: /^eukev\.json(?:\.gz)?$/,
    read: readCatalog,
  }
  return createFeed('eukev', {
    fetch: (context) => fetchUndatedFile(context, catalog),
    collect: collectUndatedFile(catalog),
    normalise: normaliseEuKev,
    store: euKevStore,
  })
}

const euKevStore = stagedStore<EuKevRow>({
  table: 'eu_kev_entry',
  key: ['cve_id'],
  columns: {
    cve_id: (row) => row.cveId,
    euvd_id: (row) => row.euvdId,
    vendor_project: (row) => row.vendorProject,
    product: (row) => row.product,
    date_reported: (row) => row.dateReported,
    date_listed: (row) => row.dateListed,
    patched_since: (row) => row.patchedSince,
    origin: (row) => row.origin,
    exploitation: (row) => row.exploitation,
    threat_actors: (row) => row.threatActors,
    cwes: (row) => row.cwes,
  },
  contentHash: (row) => row.contentHash,
  readTime: ({ dateListed }) => new Date(`${dateListed}T00:00:00Z`),
  stagingColumns: { is_future: { type: 'boolean not null', value: (row) => row.isFuture } },
  firstStoredColumn: 'first_stored_at',
  firstSeen: { column: 'first_seen', removalColumn: 'removal_first_seen' },
  // If the catalog has several entries for one CVE, the entry that was listed first is stored.
  preferred: sql`date_listed`,
  // The catalog has no date, so the time of the import is the removal date.
  removal: { rule: 'mark', rejected: { column: sql`held.cve_id`, ids: extractCveIds } },
  queueAs: 'eukev',
})

async function* readCatalog(path: string, onBytes: (count: number) => void): AsyncGenerator<Reading<unknown>> {
  const parsed = parseRecord(await readWholeFile(path, { maxBytes: MAX_BYTES }, onBytes))
  if ('error' in parsed) throw new FeedError(`the file is ${parsed.error}`)
  if (!Array.isArray(parsed.value)) throw new FeedError('the file is not a JSON array of entries')
  for (const raw of parsed.value) yield { raw }
}
