import { sql } from 'kysely'
import { extractIds } from '../../stores/extract-ids.ts'
import { stagedStore } from '../../stores/staged-store.ts'
import type { AdvisoryRow } from './advisory.ts'

/**
 * Store of GitHub's advisories. An advisory without a CVE is not stored. It is still copied into the staging table,
 * with null columns, so that an earlier stored version of it is removed.
 */
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
    // An advisory that is missing from the archive may still exist if it was modified on the last day, because the
    // archive is hours behind the API.
    onlyIf: sql`held.modified < (select max(modified) - interval '1 day' from staged_ghsa_advisory)`,
    retractedIf: sql`present.cve_id is null and present.modified >= held.modified`,
    rejected: { column: sql`held.ghsa_id`, ids: extractIds(/GHSA(?:-[0-9a-z]{4}){3}/) },
  },
  queueAs: 'ghsa',
})
