import { stagedStore } from '../../../stores/staged-store.ts'
import type { KevRow } from '../normalise.ts'

export interface PastKevRow extends KevRow {
  readonly isRemoved: boolean
}

/** The file has the whole history: rows that it lacks are deleted. The history is no part of a record of a CVE. */
export const kevHistoryStore = stagedStore<PastKevRow>({
  table: 'kev_past_entry',
  key: ['cve_id', 'released_at'],
  columns: {
    cve_id: (row) => row.cveId,
    released_at: (row) => row.releasedAt,
    is_removed: (row) => row.isRemoved,
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
    is_published: () => false,
  },
  removal: { rule: 'delete' },
})
