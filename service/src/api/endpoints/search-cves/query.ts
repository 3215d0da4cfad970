// One page of a search, in one statement.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/postgres.ts'
import { type CveRow, RECORD_JOINS, recordColumns } from '../../cve-record/load.ts'
import type { Selection } from '../../cve-record/selection.ts'
import { orderOf } from '../../cve-record/sort.ts'
import { near } from '../../search/bounded-scan.ts'
import type { Filters } from '../../search/filters.ts'
import { allOf, isByEpss, tablesOf, type Walk, walk, wayOf } from '../../search/keyset-page.ts'

/** Up to here totals are exact (decision D9). */
export const MAX_EXACT_TOTAL = 10_000

export interface PageWanted extends Walk {
  readonly limit: number
  readonly selection: Selection
}

export interface FoundRow extends CveRow {
  readonly sort_value: Date | number | null
  /** On the first page: how many there are, counted no further than `MAX_EXACT_TOTAL` + 1. */
  readonly found: number | null
  /** The newest `modified` of all. */
  readonly newest: Date
}

export async function findPage(db: Database, wanted: PageWanted): Promise<readonly FoundRow[]> {
  return (await pageStatement(wanted).execute(db)).rows
}

/** One more than the page holds, so that it is known whether there is another. */
function pageStatement(wanted: PageWanted): RawBuilder<FoundRow> {
  const { after, limit, selection, sort } = wanted
  const way = wayOf(sort)
  return sql<FoundRow>`
    with ${after ? nextPage(wanted) : firstPage(wanted)}
    select ${recordColumns(selection)},
           page.sort_value,
           ${after ? sql`null` : sql`(select found from counted)`} as found,
           (select max(modified) from catalog.cve) as newest
      from page
      join catalog.cve as cve on cve.cve_key = page.cve_key
           ${RECORD_JOINS}
     order by page.sort_value ${way} nulls last, page.cve_key ${way}
     limit ${limit + 1}`
}

function nextPage(wanted: PageWanted): RawBuilder<unknown> {
  const { after, limit } = wanted
  if (!after || after.totalEstimate <= MAX_EXACT_TOTAL) {
    return sql`${walk(wanted, limit + 1, sql`true`)}, ${pageOf('valued', 'valueless')}`
  }
  return sql`${near(wanted, limit + 1, sql`true`)},
    ${walk(wanted, limit + 1, NOTHING_NEAR)}, ${pageOf('near', 'valued', 'valueless')}`
}

/**
 * Hits are collected as far as they are counted, in whatever order is cheapest: for a common word that may be the table
 * itself, of which it meets enough soon. If those are all, they are sorted. If there are more, they are common, and there
 * should be a page of them near; if there is none, all are collected and sorted.
 */
function firstPage(wanted: PageWanted): RawBuilder<unknown> {
  const { limit, sort } = wanted
  const way = wayOf(sort)
  const isCommon = sql`(select found from counted) > ${MAX_EXACT_TOTAL}`
  return sql`hits as materialized (
      ${hits(wanted)}
      limit ${MAX_EXACT_TOTAL + 1}
    ), counted as materialized (
      select count(*)::int as found from hits
    ), few as materialized (
      select hits.cve_key, ${isByEpss(sort) ? sql`epss.score` : sql`hits.sort_value`} as sort_value
        from hits
             ${isByEpss(sort) ? sql`join catalog.epss as epss on epss.cve_key = hits.cve_key` : sql``}
       where (select found from counted) <= ${MAX_EXACT_TOTAL}
       order by sort_value ${way} nulls last, cve_key ${way}
       limit ${limit + 1}
    ), ${near(wanted, limit + 1, isCommon)},
    ${walk(wanted, limit + 1, allOf([isCommon, NOTHING_NEAR]))}, ${pageOf('few', 'near', 'valued', 'valueless')}`
}

const NOTHING_NEAR = sql`not exists (select from near)`

function pageOf(...parts: readonly string[]): RawBuilder<unknown> {
  const rows = parts.map((part) => sql`select cve_key, sort_value from ${sql.ref(part)}`)
  return sql`page as (${sql.join(rows, sql` union all `)})`
}

function hits({ filters, sort }: PageWanted): RawBuilder<unknown> {
  const needs = { cve: filters.readsCve || !filters.readsEpss || !isByEpss(sort), epss: filters.readsEpss }
  const key = needs.cve ? sql`cve.cve_key` : sql`epss.cve_key`
  return sql`select ${isByEpss(sort) ? key : sql`${key}, ${orderOf(sort).column} as sort_value`}
        from ${tablesOf(needs)}
       where ${allOf(filters.conditions)}`
}

/** How many the planner expects. Nothing is read for it but statistics. */
export async function estimateTotal(db: Database, filters: Filters): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': readonly { Plan: { 'Plan Rows': number } }[] }>`
    explain (format json)
     select
       from ${tablesOf({ cve: filters.readsCve || !filters.readsEpss, epss: filters.readsEpss })}
      where ${allOf(filters.conditions)}
  `.execute(db)
  return rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0
}
