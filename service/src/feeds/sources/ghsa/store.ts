import { sql } from 'kysely'
import { extractIds } from '../../stores/extract-ids.ts'
import { stagedStore } from '../../stores/staged-store.ts'
import type { AdvisoryRow } from './advisory.ts'

/**
 * Store of GitHub's advisories. An advisory without a CVE is copied into the staging table with null columns: it is not
 * stored, and an earlier stored version of it is removed.
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
    // The archive is hours behind the API, so an advisory modified on the last day may be missing from the archive
    // although it still exists.
    onlyIf: sql`held.modified < (select max(modified) - interval '1 day' from staged_ghsa_advisory)`,
    retractedIf: sql`present.cve_id is null and present.modified >= held.modified`,
    rejected: { column: sql`held.ghsa_id`, ids: extractIds(/GHSA(?:-[0-9a-z]{4}){3}/) },
  },
  queueAs: 'ghsa',
})
