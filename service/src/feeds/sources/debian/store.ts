import { sql } from 'kysely'
import { stagedStore } from '../../stores/staged-store.ts'
import type { DebianRow } from './normalise.ts'

/** Store of Debian's tracker. */
export const debianStore = stagedStore<DebianRow>({
  table: 'debian_status',
  key: ['package', 'cve_id', 'release'],
  columns: {
    package: (row) => row.package,
    cve_id: (row) => row.cveId,
    release: (row) => row.release,
    status: (row) => row.status,
    fixed_version: (row) => row.fixedVersion,
    urgency: (row) => row.urgency,
  },
  queueAs: 'debian',
  removal: {
    rule: 'delete',
    // A rejection names package, CVE and perhaps the release; the rows of all releases are kept.
    rejected: {
      column: sql`held.package || ' ' || held.cve_id`,
      ids: (subjects) => subjects.map((each) => each.split(' ', 2).join(' ')),
    },
  },
})
