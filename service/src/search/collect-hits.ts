// The first step of a search with few hits: collects, counts and sorts all of them.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/postgres.ts'
import type { Filters } from './filters/build-filters.ts'
import { direction, fromTables, type Hit, isByEpss, joinConditions, type KeysetQuery } from './keyset-page.ts'
import { toSortOrder } from './sort.ts'

/**
 * Maximum number of hits that are collected, counted and sorted. A search with more hits pays for the collection, the
 * estimate and the scan. A maximum of 12,000 would avoid that for more searches of today's catalog, but would make the
 * median search 1.6 times slower in a catalog ten times the size (ADR 0023).
 */
export const MAX_COLLECTED = 6000

interface CollectedHits {
  /** Number of search hits, counted up to MAX_COLLECTED + 1. */
  readonly found: number
  /** Whether these are all hits, so that `found` is their exact number. */
  readonly isComplete: boolean
  /** The first `count` hits in sort order; none if the search has more than MAX_COLLECTED hits. */
  readonly hits: readonly Hit[]
}

/** Collects hits in whatever order the planner finds cheapest, and sorts them if they are all the hits. */
export async function collectHits(db: Database, query: KeysetQuery, count: number): Promise<CollectedHits> {
  const { sort } = query
  const order = direction(sort)
  const { rows } = await sql<{ found: number } & (Hit | { cve_key: null })>`
    with hits as materialized (
      ${selectSortedHits(query)}
      limit ${MAX_COLLECTED + 1}
    )
    select found, page.*
      from (select count(*)::int as found from hits) as counted
           left join lateral (
             select hits.cve_key, ${isByEpss(sort) ? sql`epss.score` : sql`hits.sort_value`} as sort_value
               from hits
                    ${isByEpss(sort) ? sql`join catalog.epss as epss on epss.cve_key = hits.cve_key` : sql``}
              where found <= ${MAX_COLLECTED}
              order by sort_value ${order} nulls last, cve_key ${order}
              limit ${count}
           ) as page on true
  `.execute(db)
  const found = rows[0]?.found ?? 0
  return { found, isComplete: found <= MAX_COLLECTED, hits: rows.filter((row) => row.cve_key !== null) }
}

/** Selects all hits in whatever order the planner finds cheapest. */
function selectSortedHits({ filters, sort }: KeysetQuery): RawBuilder<unknown> {
  const isInCve = filters.readsCve || !filters.readsEpss || !isByEpss(sort)
  const key = isInCve ? sql`cve.cve_key` : sql`epss.cve_key`
  const columns = isByEpss(sort) ? key : sql`${key}, ${toSortOrder(sort).column} as sort_value`
  if (isInCve) return selectHits(filters, columns)
  return sql`select ${columns} from ${fromTables({ cve: false, epss: true })} where ${joinConditions(filters.conditions)}`
}

/** Selects columns of catalog.cve, including the key, for all hits or for those that meet a further condition. */
export function selectHits(
  filters: Filters,
  columns: RawBuilder<unknown>,
  further: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  if (!filters.findsTextFirst) {
    return sql`select ${columns}
        from ${fromTables({ cve: true, epss: filters.readsEpss })}
       where ${joinConditions([...filters.conditions, further])}`
  }
  // `offset 0` keeps the planner from reading all CVEs in key order in the hope of finding hits early.
  return sql`select cve.*
        from (select ${columns}
                from catalog.cve as cve
               where ${joinConditions([...filters.cveConditions, further])}
              offset 0) as cve
        join catalog.epss as epss on epss.cve_key = cve.cve_key
       where ${joinConditions(filters.bounds('epss'))}`
}
