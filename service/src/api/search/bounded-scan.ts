// The page of a search whose hits are common, looked for among the CVEs that come next in the order of the sort.
import { type RawBuilder, sql } from 'kysely'
import { columnNameOf } from '../cve-record/sort.ts'
import {
  allOf,
  conditionsOf,
  indexOrder,
  isByEpss,
  sortedBy,
  valuedAfter,
  valuelessAfter,
  type Walk,
} from './keyset-page.ts'

/**
 * How far it goes for each row that is wanted. Where more than 10,000 are hits, one of every so many CVEs is; four times
 * as far as that finds nearly every page whose hits lie evenly. Then it is given up: they are sparse here, most likely
 * because they lie at the far end of this order, and to go on could meet nearly every CVE first. How many there are is
 * what statistics say; without any, a catalog is taken for a real one.
 */
const SCAN_FACTOR = sql`(select case when reltuples > 0 then reltuples else 300000 end * 4 / 10000
                        from pg_class
                       where oid = 'catalog.cve'::regclass)`

/** Whatever the catalog has grown to: what is given up must not have cost more than what is done then. */
const MAX_SCANNED_ROWS = 25_000

/** Expressions of a `with`, of which `near` is the result: a whole page, or nothing. Nothing unless `condition`. */
export function near(wanted: Walk, count: number, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  const { value, key } = sortedBy(wanted.sort)
  return sql`met as materialized (
      select ${key} as cve_key, ${value} as sort_value
        from ${nextOnes(wanted, count)}
       where ${allOf([condition, ...conditionsOf(wanted)])}
       order by ${indexOrder(wanted.sort)}
       limit ${count}
    ), near as (
      select cve_key, sort_value
        from met
       where (select count(*) from met) = ${count}
    )`
}

/**
 * Those next in order, within the bounds on what they are sorted by, hits or not; and of the other table, if filters read
 * it, theirs, one by one.
 */
function nextOnes(wanted: Walk, count: number): RawBuilder<unknown> {
  const { after, filters, sort } = wanted
  const [own, other] = isByEpss(sort) ? [sql`epss`, sql`cve`] : [sql`cve`, sql`epss`]
  const part = after?.value === null ? valuelessAfter(wanted) : valuedAfter(wanted)
  const next = sql`(select *
                from catalog.${own} as ${own}
               where ${allOf([...part, ...filters.bounds(columnNameOf(sort))])}
               order by ${indexOrder(sort)}
               limit least(${count} * ${SCAN_FACTOR}, ${MAX_SCANNED_ROWS})) as ${own}`
  if (!(isByEpss(sort) ? filters.readsCve : filters.readsEpss)) return next
  // Fenced off by the offset, or the planner would read all of that table for a join.
  return sql`${next}
       cross join lateral (
              select * from catalog.${other} as ${other} where cve.cve_key = epss.cve_key offset 0
            ) as ${other}`
}
