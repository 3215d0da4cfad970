import { sql } from 'kysely'
import { extractIds } from '../../stores/extract-ids.ts'
import { stagedStore } from '../../stores/staged-store.ts'
import type { AdvisoryRow } from './advisory.ts'

/** Store of GitHub's advisories, including those without a CVE, which are kept for matching by package. */
export const advisoryStore = stagedStore<AdvisoryRow>({
  table: 'ghsa_advisory',
  key: ['ghsa_id'],
  columns: {
    ghsa_id: (row) => row.ghsaId,
    cve_id: (row) => row.cveId,
    modified: (row) => row.modified,
    record: (row) => row.record,
  },
  contentHash: (row) => row.contentHash,
  readTime: (row) => row.modified,
  stagingColumns: { is_future: { type: 'boolean not null', value: (row) => row.isFuture } },
  isVersioned: true,
  removal: {
    rule: 'delete',
    // An advisory that is missing from the archive may still exist if it was modified on the last day, because the
    // archive is hours behind the API.
    onlyIf: sql`held.modified < (select max(modified) - interval '1 day' from staged_ghsa_advisory)`,
    rejected: { column: sql`held.ghsa_id`, ids: extractIds(/GHSA(?:-[0-9a-z]{4}){3}/) },
  },
  lostCve: sql`held.cve_id is not null and staged.cve_id is null`,
  queueAs: 'ghsa',
})
