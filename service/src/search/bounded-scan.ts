// The first attempt to find a page of a search with many hits: scans the index of the sort order for a bounded number
// of rows and keeps those that match the filters. If they do not fill the page, the search collects all hits
// (keyset-page.ts).
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/postgres.ts'
import {
  type Hit,
  indexOrder,
  isByEpss,
  joinConditions,
  type KeysetQuery,
  leaveOutChanged,
  withoutValue,
  withValue,
} from './keyset-page.ts'
import { selectScannedRows } from './scan-length.ts'
import { toSortOrder } from './sort.ts'

/**
 * Returns a full page of a search that has about `total` hits, or fewer rows if the scan did not fill the page. In that
 * case there may be more hits than were returned.
 */
export async function scanInOrder(
  db: Database,
  query: KeysetQuery,
  { count, total }: { readonly count: number; readonly total: number },
): Promise<readonly Hit[]> {
  const { column: value, key } = toSortOrder(query.sort)
  const { rows } = await sql<Hit>`
    select ${key} as cve_key, ${value} as sort_value
      from ${selectNextRows(query, selectScannedRows(count * getMargin(query), total))}
     where ${joinConditions([...query.filters.rowConditions, ...leaveOutChanged(query)])}
     order by ${indexOrder(query.sort)}
     limit ${count}
  `.execute(db)
  return rows
}

/**
 * A scan reads this many times the rows in which it would find a full page if the hits were spread evenly, so it fills
 * nearly every page. If it does not, the hits are probably at the far end of the sort order, and a longer scan could
 * read nearly every CVE. A scan sorted by EPSS is shorter, because looking up a row in catalog.cve reads four pages.
 */
const getMargin = ({ filters, sort }: KeysetQuery) => (isByEpss(sort) && filters.readsCve ? 2 : 4)

/**
 * Selects the next rows in sort order from the table that has the sorted column (catalog.cve or catalog.epss), whether
 * or not the rows match the filters. If a filter reads the second table, that table is joined row by row.
 */
function selectNextRows(query: KeysetQuery, limit: RawBuilder<unknown>): RawBuilder<unknown> {
  const { after, filters, sort } = query
  const [own, other] = isByEpss(sort) ? [sql`epss`, sql`cve`] : [sql`cve`, sql`epss`]
  const part = after?.value === null ? withoutValue(query) : withValue(query)
  const next = sql`(select *
                from catalog.${own} as ${own}
               where ${joinConditions([...part, ...filters.bounds(toSortOrder(sort).name)])}
               order by ${indexOrder(sort)}
               limit ${limit}) as ${own}`
  if (!(isByEpss(sort) ? filters.readsCve : filters.readsEpss)) return next
  // `offset 0` keeps PostgreSQL's planner from turning the lateral join into one that reads the whole second table.
  return sql`${next}
       cross join lateral (
              select * from catalog.${other} as ${other} where cve.cve_key = epss.cve_key offset 0
            ) as ${other}`
}
