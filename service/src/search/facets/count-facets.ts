// Counts the values of facets exactly: over the columns in memory, or in the database while these do not show its state.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import { toPosition } from '../../record/change-log/position-text.ts'
import { NEWEST_COLUMN_CHANGE } from '../columns/read-columns.ts'
import { buildFilters } from '../filters/build-filters.ts'
import { fromTables, joinConditions } from '../keyset-page.ts'
import { listFiltersForSql } from './count-in-memory.ts'
import { countFacetsInSql } from './count-in-sql.ts'
import type { FacetCounts, FacetQuery } from './facet-query.ts'
import type { ColumnsThread } from './thread/client.ts'
import type { SearchState } from './thread/messages.ts'

/** The words of `q` must have been resolved. */
export async function countFacets(
  db: Database,
  countInMemory: ColumnsThread['count'],
  query: FacetQuery,
): Promise<FacetCounts> {
  const state = await readState(db, query)
  // The thread needs no filters if it gets the keys, and a component's list of CVEs may be long.
  const inMemory = await countInMemory(state.keys === undefined ? query : { ...query, values: {} }, state)
  return inMemory ?? countFacetsInSql(db, query)
}

/**
 * Reads the position of the database, and in the same statement the keys of the hits if only an index can find them. All
 * filters take part, so that the index of the rarest one is used.
 */
async function readState(db: Database, { values }: FacetQuery): Promise<SearchState> {
  const needsKeys = listFiltersForSql(values).length > 0
  const filters = buildFilters(values)
  const keys = sql`(
    select coalesce(string_agg(cve.cve_key::text, ','), '')
      from ${fromTables({ cve: true, epss: filters.readsEpss })}
     where ${joinConditions(filters.conditions)}
  )`
  const { rows } = await sql<{ newest: string | null; keys: string | null }>`
    select ${NEWEST_COLUMN_CHANGE} as newest, ${needsKeys ? keys : sql`null`} as keys
  `.execute(db)
  return { position: toPosition(rows[0]?.newest), keys: rows[0]?.keys ?? undefined }
}
