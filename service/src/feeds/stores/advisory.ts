// The store of advisories about packages: databases in OSV format, and others that have a form of their own. They share
// two tables, in which each feed has its own rows.
import { sql } from 'kysely'
import type { CveId } from '../../domain/cve-id.ts'
import type { Store } from '../store.ts'
import { stagedStore } from './staged-store.ts'

export interface AdvisoryRow {
  readonly id: string
  readonly cveIds: readonly CveId[]
  readonly modified: Date
  /** True if the modification date is in the future; `modified` is then the time of the import (decision C22). */
  readonly isFuture: boolean
  /** JSON text of an AdvisoryRecord. */
  readonly record: string
  readonly contentHash: Buffer
}

interface StoreOptions {
  /** False if the database states no time of modification; the newest delivery then counts. Default: true. */
  readonly isDated?: boolean
}

/** `isId` tells ids of this database from other subjects of rejections, such as a line of a file. */
export function advisoryStore(
  feed: string,
  isId: (text: string) => boolean,
  { isDated = true }: StoreOptions = {},
): Store<AdvisoryRow> {
  return stagedStore<AdvisoryRow>({
    table: 'osv_advisory',
    feedColumn: { name: 'feed', value: feed },
    key: ['id'],
    columns: {
      id: (row) => row.id,
      modified: (row) => row.modified,
      record: (row) => row.record,
    },
    contentHash: (row) => row.contentHash,
    ...(isDated && { readTime: (row: AdvisoryRow) => row.modified, isVersioned: true }),
    stagingColumns: {
      cve_ids: { type: 'text[] collate "C" not null', value: (row) => row.cveIds },
      is_future: { type: 'boolean not null', value: (row) => row.isFuture },
    },
    removal: {
      rule: 'delete',
      rejected: { column: sql`held.id`, ids: (subjects) => subjects.filter(isId) },
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
