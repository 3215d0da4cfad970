import { setStore } from '../../stores/set-store.ts'
import type { WeaknessRow } from './normalise.ts'

/** No CVE is published again when a weakness changes: its name is looked up when a record is shown. */
export const weaknessStore = setStore<WeaknessRow>({
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
  subject: { column: 'cwe_id', pattern: /CWE-\d+/ },
})
