import { sql } from 'kysely'
import { extractIds } from '../../stores/extract-ids.ts'
import { stagedStore } from '../../stores/staged-store.ts'
import type { WeaknessRow } from './normalise.ts'

/**
 * Store of the CWE weaknesses. No CVE is published again when a weakness changes: the name of a weakness is looked up
 * when a record is shown.
 */
export const weaknessStore = stagedStore<WeaknessRow>({
  table: 'weakness',
  key: ['cwe_id'],
  columns: {
    cwe_id: (row) => row.cweId,
    kind: (row) => row.kind,
    name: (row) => row.name,
    abstraction: (row) => row.abstraction,
    status: (row) => row.status,
    is_deprecated: (row) => row.isDeprecated,
    description: (row) => row.description,
  },
  removal: { rule: 'mark', rejected: { column: sql`held.cwe_id`, ids: extractIds(/CWE-\d+/) } },
})
