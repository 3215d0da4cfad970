// CVEs in the order of a sort, from a place on: those with the value first, then those without, so that one index serves
// both directions (decision D7).
import { type RawBuilder, sql } from 'kysely'
import type { Place } from '../../cursor.ts'
import { orderOf, type Sort } from '../../cve-record/sort.ts'
import type { Filters } from './filters.ts'

export interface Walk {
  readonly filters: Filters
  readonly sort: Sort
  readonly after: Place | undefined
}

/**
 * What the planner is told that a page needs. Told the truth, it walks in the order of the sort whenever it hopes to meet
 * a page soon; and where what is looked for lies at the far end, that meets nearly every CVE first.
 */
const PLANNED_ROWS = 10_000

/**
 * Expressions of a `with`, of which `valued` and `valueless` are the result, each of at most `count` rows, and none unless
 * `condition`. The planned ones stand apart and materialized, or the planner would see how few of their rows are wanted;
 * they are read no further than that all the same.
 */
export function walk(wanted: Walk, count: number, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`planned_valued as materialized (${valuedPart(wanted)}
    ), planned_valueless as materialized (${valuelessPart(wanted)}
    ), valued as materialized (
      select cve_key, sort_value
        from planned_valued
       where ${condition}
       limit ${count}
    ), valueless as materialized (
      select cve_key, sort_value
        from planned_valueless
       where ${condition} and (select count(*) from valued) < ${count}
       limit ${count}
    )`
}

function valuedPart(wanted: Walk): RawBuilder<unknown> {
  const { value, key } = sortedBy(wanted.sort)
  const way = wayOf(wanted.sort)
  return sql`
          select ${key} as cve_key, ${value} as sort_value
            from ${tablesOf(needsOf(wanted))}
           where ${allOf([...conditionsOf(wanted), sql`${value} is not null`, ...valuedAfter(wanted)])}
           order by ${value} ${way}, ${key} ${way}
           limit ${PLANNED_ROWS}`
}

function valuelessPart(wanted: Walk): RawBuilder<unknown> {
  const { value, key } = sortedBy(wanted.sort)
  return sql`
          select ${key} as cve_key, ${value} as sort_value
            from ${tablesOf(needsOf(wanted))}
           where ${allOf([...conditionsOf(wanted), sql`${value} is null`, ...valuelessAfter(wanted)])}
           order by ${key} ${wayOf(wanted.sort)}
           limit ${PLANNED_ROWS}`
}

function valuedAfter({ sort, after }: Walk): readonly RawBuilder<unknown>[] {
  if (!after) return []
  if (after.value === null) return [sql`false`]
  const { value, key } = sortedBy(sort)
  return [sql`(${value}, ${key}) ${beyond(sort)} (${after.value}, ${after.key})`]
}

function valuelessAfter({ sort, after }: Walk): readonly RawBuilder<unknown>[] {
  return after?.value === null ? [sql`${sortedBy(sort).key} ${beyond(sort)} ${after.key}`] : []
}

/** What has changed since the first page has moved to the end of `modified_*`: it would come again (decision D8). */
function conditionsOf({ filters, sort, after }: Walk): readonly RawBuilder<unknown>[] {
  return after && isByModified(sort) ? [...filters.conditions, sql`cve.modified <= ${after.asOf}`] : filters.conditions
}

export const isByModified = (sort: Sort): boolean => sort === 'modified_desc' || sort === 'modified_asc'

export const isByEpss = (sort: Sort): boolean => sort === 'epss_desc' || sort === 'epss_asc'

/** With the key of the table that has the value: an index holds both. */
function sortedBy(sort: Sort) {
  return { value: orderOf(sort).column, key: isByEpss(sort) ? sql`epss.cve_key` : sql`cve.cve_key` }
}

interface Needs {
  readonly cve: boolean
  readonly epss: boolean
}

/** Every CVE has a row in both tables, so either will do alone. */
export function tablesOf({ cve, epss }: Needs): RawBuilder<unknown> {
  if (!epss) return sql`catalog.cve as cve`
  return cve
    ? sql`catalog.cve as cve join catalog.epss as epss on epss.cve_key = cve.cve_key`
    : sql`catalog.epss as epss`
}

function needsOf({ filters, sort }: Walk): Needs {
  return { cve: filters.readsCve || !isByEpss(sort), epss: filters.readsEpss || isByEpss(sort) }
}

export function wayOf(sort: Sort): RawBuilder<unknown> {
  return orderOf(sort).isDescending ? sql`desc` : sql`asc`
}

function beyond(sort: Sort): RawBuilder<unknown> {
  return orderOf(sort).isDescending ? sql`<` : sql`>`
}

export function allOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join([sql`true`, ...conditions], sql` and `)
}
