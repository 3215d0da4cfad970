// Reads one page of a CVE search in one SQL statement.
import { type RawBuilder, sql } from 'kysely'
import type { CveRow } from '../../../contract/cve-fields.ts'
import type { Database } from '../../../database/postgres.ts'
import { RECORD_JOINS, recordColumns } from '../../cve-record/load.ts'
import type { Selection } from '../../cve-record/selection.ts'
import { toSortOrder } from '../../cve-record/sort.ts'
import { buildBoundedScan } from '../../search/bounded-scan.ts'
import type { Filters } from '../../search/filters/build-filters.ts'
import {
  buildKeysetPage,
  buildPageOfMany,
  direction,
  fromTables,
  isByEpss,
  joinConditions,
  type KeysetQuery,
} from '../../search/keyset-page.ts'

/**
 * If a search has at most this number of hits, the response contains the exact total; otherwise an estimate (decision
 * D9).
 */
export const MAX_EXACT_TOTAL = 10_000

export interface SearchPageQuery extends KeysetQuery {
  readonly limit: number
  readonly selection: Selection
}

export interface FoundRow extends CveRow {
  readonly sort_value: Date | number | null
  /** Number of search hits, counted up to MAX_EXACT_TOTAL + 1. Null on every page after the first. */
  readonly found: number | null
  /** The newest value of `modified` among all CVEs. */
  readonly newest: Date
}

export async function findPage(db: Database, query: SearchPageQuery): Promise<readonly FoundRow[]> {
  return (await pageStatement(query).execute(db)).rows
}

/**
 * Builds the SQL statement of one page. It selects one CVE more than the page holds, to find out whether another page
 * follows.
 */
function pageStatement(query: SearchPageQuery): RawBuilder<FoundRow> {
  const { after, limit, selection, sort } = query
  const order = direction(sort)
  return sql<FoundRow>`
    with ${after ? nextPage(query) : firstPage(query)}
    select ${recordColumns(selection)},
           page.sort_value,
           ${after ? sql`null` : sql`(select found from counted)`} as found,
           (select max(modified) from catalog.cve) as newest
      from page
      join catalog.cve as cve on cve.cve_key = page.cve_key
           ${RECORD_JOINS}
     order by page.sort_value ${order} nulls last, page.cve_key ${order}
     limit ${limit + 1}`
}

function nextPage(query: SearchPageQuery): RawBuilder<unknown> {
  const { after, limit } = query
  if (!after || after.totalEstimate <= MAX_EXACT_TOTAL) {
    return sql`${buildKeysetPage(query, limit + 1, sql`true`)}, ${unionPage('with_value', 'without_value')}`
  }
  return sql`${buildBoundedScan(query, limit + 1, sql`true`)},
    ${buildPageOfMany(query, limit + 1, NO_BOUNDED_PAGE)}, ${unionPage('bounded_page', 'with_value', 'without_value')}`
}

/**
 * Builds the first page of a search. Collects up to MAX_EXACT_TOTAL + 1 hits in the order that the planner finds
 * cheapest. If the search has no further hits, the collected hits are sorted (`few`). Otherwise a bounded scan in sort
 * order usually finds a full page (`bounded_page`). If the bounded scan does not fill the page, all hits are collected
 * and sorted (`with_value`, `without_value`).
 */
function firstPage(query: SearchPageQuery): RawBuilder<unknown> {
  const { limit, sort } = query
  const order = direction(sort)
  const isCommon = sql`(select found from counted) > ${MAX_EXACT_TOTAL}`
  return sql`hits as materialized (
      ${selectHits(query)}
      limit ${MAX_EXACT_TOTAL + 1}
    ), counted as materialized (
      select count(*)::int as found from hits
    ), few as materialized (
      select hits.cve_key, ${isByEpss(sort) ? sql`epss.score` : sql`hits.sort_value`} as sort_value
        from hits
             ${isByEpss(sort) ? sql`join catalog.epss as epss on epss.cve_key = hits.cve_key` : sql``}
       where (select found from counted) <= ${MAX_EXACT_TOTAL}
       order by sort_value ${order} nulls last, cve_key ${order}
       limit ${limit + 1}
    ), ${buildBoundedScan(query, limit + 1, isCommon)},
    ${buildPageOfMany(query, limit + 1, joinConditions([isCommon, NO_BOUNDED_PAGE]))},
    ${unionPage('few', 'bounded_page', 'with_value', 'without_value')}`
}

const NO_BOUNDED_PAGE = sql`not exists (select from bounded_page)`

function unionPage(...parts: readonly string[]): RawBuilder<unknown> {
  const rows = parts.map((part) => sql`select cve_key, sort_value from ${sql.ref(part)}`)
  return sql`page as (${sql.join(rows, sql` union all `)})`
}

function selectHits({ filters, sort }: SearchPageQuery): RawBuilder<unknown> {
  const tables = { cve: filters.readsCve || !filters.readsEpss || !isByEpss(sort), epss: filters.readsEpss }
  const key = tables.cve ? sql`cve.cve_key` : sql`epss.cve_key`
  const columns = isByEpss(sort) ? key : sql`${key}, ${toSortOrder(sort).column} as sort_value`
  if (!filters.findsTextFirst) {
    return sql`select ${columns} from ${fromTables(tables)} where ${joinConditions(filters.conditions)}`
  }
  // `offset 0` keeps the planner from reading all CVEs in the order of their keys in the hope of 10,001 early hits.
  return sql`select cve.*
        from (select ${columns}
                from catalog.cve as cve
               where ${joinConditions(filters.cveConditions)}
              offset 0) as cve
        join catalog.epss as epss on epss.cve_key = cve.cve_key
       where ${joinConditions(filters.bounds('epss'))}`
}

/**
 * Returns the planner's estimate of the number of search hits. `explain` does not run the query; it reads only
 * statistics.
 */
export async function estimateTotal(db: Database, filters: Filters): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': readonly { Plan: { 'Plan Rows': number } }[] }>`
    explain (format json)
     select
       from ${fromTables({ cve: filters.readsCve || !filters.readsEpss, epss: filters.readsEpss })}
      where ${joinConditions(filters.conditions)}
  `.execute(db)
  return rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0
}
