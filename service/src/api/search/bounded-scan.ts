// First attempt to find a page of a search with more than 10,000 hits: scans the index of the sort order for a bounded
// number of rows and keeps the rows that match the filters. If the matching rows do not fill the page, the search
// collects all hits (keyset-page.ts).
import { type RawBuilder, sql } from 'kysely'
import { toSortOrder } from '../cve-record/sort.ts'
import {
  indexOrder,
  isByEpss,
  joinConditions,
  type KeysetQuery,
  leaveOutChanged,
  withoutValue,
  withValue,
} from './keyset-page.ts'

/**
 * Builds an SQL expression: the number of rows that a bounded scan reads for each row of the page. If 10,000 CVEs match
 * the search, it is four times the average distance between two hits, so the scan fills nearly every page if the hits
 * are spread evenly. If the page is not filled, the hits are probably at the far end of the sort order, and a longer
 * scan could read nearly every CVE. If a search is sorted by EPSS and each row is looked up in catalog.cve, which reads
 * four pages for each row, the scan reads half as many rows. The size of the catalog comes from the planner's
 * statistics; without statistics, 300,000 CVEs are assumed.
 */
function selectScanFactor({ filters, sort }: KeysetQuery): RawBuilder<unknown> {
  const factor = isByEpss(sort) && filters.readsCve ? 2 : 4
  return sql`(select case when reltuples > 0 then reltuples else 300000 end * ${sql.lit(factor)} / 10000
                        from pg_class
                       where oid = 'catalog.cve'::regclass)`
}

/**
 * Maximum number of rows that a bounded scan reads, for a catalog of any size. A scan that does not fill the page must
 * not cost more than the collection of all hits that follows it.
 */
const MAX_SCANNED_ROWS = 25_000

/**
 * Builds the SQL of a bounded scan: common table expressions, the last of which is `bounded_page`. It contains a full
 * page of the search, or no row if the scan did not find a full page or if `condition` is false.
 */
export function buildBoundedScan(
  query: KeysetQuery,
  count: number,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { column: value, key } = toSortOrder(query.sort)
  return sql`scan_hits as materialized (
      select ${key} as cve_key, ${value} as sort_value
        from ${selectNextRows(query, count)}
       where ${joinConditions([condition, ...query.filters.rowConditions, ...leaveOutChanged(query)])}
       order by ${indexOrder(query.sort)}
       limit ${count}
    ), bounded_page as (
      select cve_key, sort_value
        from scan_hits
       where (select count(*) from scan_hits) = ${count}
    )`
}

/**
 * Selects the next rows in sort order from the table that has the sorted column (catalog.cve or catalog.epss), whether
 * or not the rows match the filters. If a filter reads the second table, that table is joined row by row.
 */
function selectNextRows(query: KeysetQuery, count: number): RawBuilder<unknown> {
  const { after, filters, sort } = query
  const [own, other] = isByEpss(sort) ? [sql`epss`, sql`cve`] : [sql`cve`, sql`epss`]
  const part = after?.value === null ? withoutValue(query) : withValue(query)
  const next = sql`(select *
                from catalog.${own} as ${own}
               where ${joinConditions([...part, ...filters.bounds(toSortOrder(sort).name)])}
               order by ${indexOrder(sort)}
               limit least(${count} * ${selectScanFactor(query)}, ${MAX_SCANNED_ROWS})) as ${own}`
  if (!(isByEpss(sort) ? filters.readsCve : filters.readsEpss)) return next
  // `offset 0` keeps PostgreSQL's planner from turning the lateral join into a join that reads the whole second table.
  return sql`${next}
       cross join lateral (
              select * from catalog.${other} as ${other} where cve.cve_key = epss.cve_key offset 0
            ) as ${other}`
}
