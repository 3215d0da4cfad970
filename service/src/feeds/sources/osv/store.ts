import { sql } from 'kysely'
import type { OsvDescriptor } from '../../../domain/source/descriptor.ts'
import type { Store } from '../../store.ts'
import { stagedStore } from '../../stores/staged-store.ts'
import type { OsvRow } from './normalise.ts'

/** Store of one OSV database. All databases share two tables. */
export function osvStore({ advisories }: OsvDescriptor, feed: string): Store<OsvRow> {
  return stagedStore<OsvRow>({
    table: 'osv_advisory',
    feedColumn: { name: 'feed', value: feed },
    key: ['id'],
    columns: {
      id: (row) => row.id,
      modified: (row) => row.modified,
      record: (row) => row.record,
    },
    contentHash: (row) => row.contentHash,
    readTime: (row) => row.modified,
    stagingColumns: {
      cve_ids: { type: 'text[] collate "C" not null', value: (row) => row.cveIds },
      is_future: { type: 'boolean not null', value: (row) => row.isFuture },
    },
    isVersioned: true,
    removal: {
      rule: 'delete',
      rejected: { column: sql`held.id`, ids: (subjects) => subjects.filter((each) => advisories.pattern.test(each)) },
    },
    links: { table: 'osv_advisory_cve', rowColumn: 'advisory_id' },
    lostCve: sql`cardinality(staged.cve_ids) = 0
      and exists (
            select
              from source.osv_advisory_cve link
             where link.feed = held.feed
               and link.advisory_id = held.id
          )`,
    queueAs: feed,
  })
}
