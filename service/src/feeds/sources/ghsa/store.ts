import { sql } from 'kysely'
import { extractIds, stagedStore } from '../../stores/staged-store.ts'
import type { AdvisoryRow } from './advisory.ts'

/** An advisory without a CVE is staged with null columns: it is not stored, and it removes the stored advisory. */
export const advisoryStore = stagedStore<AdvisoryRow>({
  table: 'ghsa_advisory',
  key: ['ghsa_id'],
  columns: {
    ghsa_id: (row) => row.ghsaId,
    cve_id: (row) => row.kept?.cveId ?? null,
    modified: (row) => row.modified,
    record: (row) => row.kept?.record ?? null,
  },
  contentHash: (row) => row.contentHash,
  stagingColumns: { is_future: { type: 'boolean not null', value: (row) => row.isFuture } },
  stagedAsNull: ['cve_id', 'record'],
  isVersioned: true,
  removal: {
    rule: 'delete',
    // The archive is hours behind the API, so an advisory from the last day may be missing from it without being removed.
    onlyIf: sql`held.modified < (select max(modified) - interval '1 day' from staged_ghsa_advisory)`,
    retractedIf: sql`present.cve_id is null and present.modified >= held.modified`,
    rejected: { column: sql`held.ghsa_id`, ids: extractIds(/GHSA(?:-[0-9a-z]{4}){3}/) },
  },
  queueAs: 'ghsa',
})
