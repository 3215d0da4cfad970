import { sql } from 'kysely'
import { extractCveIds } from '../../stores/extract-ids.ts'
import { stagedStore } from '../../stores/staged-store.ts'
import type { EuKevRow } from './normalise.ts'

export const euKevStore = stagedStore<EuKevRow>({
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
  // An entry that ENISA removed stays stored. The catalog has no date, so the time of the import is the removal date.
  removal: { rule: 'mark', rejected: { column: sql`held.cve_id`, ids: extractCveIds } },
  queueAs: 'eukev',
})
