import { sql } from 'kysely'
import { extractCveIds } from '../../stores/extract-ids.ts'
import { stagedStore } from '../../stores/staged-store.ts'
import type { KevRow } from './normalise.ts'

export const kevStore = stagedStore<KevRow>({
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
  // An entry that CISA removed from the KEV catalog stays stored. Its removal date is the release date of the first
  // catalog without it.
  removal: {
    rule: 'mark',
    removedAt: sql`(select max(released_at) from staged_kev_entry)`,
    rejected: { column: sql`held.cve_id`, ids: extractCveIds },
  },
  queueAs: 'kev',
})
