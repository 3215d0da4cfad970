// CVEs in the order of a sort, from a place on: those with the value first, then those without, so that one index serves
// both directions (decision D7).
import { type RawBuilder, sql } from 'kysely'
import type { Place } from '../cursor.ts'
import { orderOf, type Sort } from '../cve-record/sort.ts'
import type { Filters } from './filters.ts'

export interface Walk {
  readonly filters: Filters
  readonly sort: Sort
  readonly after: Place | undefined
}

/**
 * Expressions of a `with`, of which `valued` and `valueless` are the result, each of at most `count` rows, and none unless
 * `condition`. All that pass stand apart and materialized, or the planner would see how few of them are wanted: it would
 * walk in the order of the sort, hoping to meet a page soon, and where hits lie at the far end that meets nearly every
 * CVE first. (Where an index has them in this order, they are read no further than needed all the same.)
 */
export function walk(wanted: Walk, count: number, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`all_valued as materialized (${passing(wanted, valuedAfter(wanted))}
    ), all_valueless as materialized (${passing(wanted, valuelessAfter(wanted))}
    ), valued as materialized (
      select cve_key, sort_value
        from all_valued
       where ${condition}
       limit ${count}
    ), valueless as materialized (
      select cve_key, sort_value
        from all_valueless
       where ${condition} and (select count(*) from valued) < ${count}
       limit ${count}
    )`
}

function passing(wanted: Walk, part: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  const { value, key } = sortedBy(wanted.sort)
  return sql`
          select ${key} as cve_key, ${value} as sort_value
            from ${tablesOf(needsOf(wanted))}
           where ${allOf([...conditionsOf(wanted), ...part])}
           order by ${indexOrder(wanted.sort)}`
}

export function valuedAfter({ sort, after }: Walk): readonly RawBuilder<unknown>[] {
  const { value, key } = sortedBy(sort)
  if (!after) return [sql`${value} is not null`]
  if (after.value === null) return [sql`false`]
  return [sql`(${value}, ${key}) ${beyond(sort)} (${after.value}, ${after.key})`]
}

export function valuelessAfter({ sort, after }: Walk): readonly RawBuilder<unknown>[] {
  const { value, key } = sortedBy(sort)
  return [sql`${value} is null`, ...(after?.value === null ? [sql`${key} ${beyond(sort)} ${after.key}`] : [])]
}

/** What has changed since the first page has moved to the end of `modified_*`: it would come again (decision D8). */
export function conditionsOf({ filters, sort, after }: Walk): readonly RawBuilder<unknown>[] {
  return after && isByModified(sort) ? [...filters.conditions, sql`cve.modified <= ${after.asOf}`] : filters.conditions
}

export const isByModified = (sort: Sort): boolean => sort === 'modified_desc' || sort === 'modified_asc'

export const isByEpss = (sort: Sort): boolean => sort === 'epss_desc' || sort === 'epss_asc'

/** With the key of the table that has the value: an index holds both. */
export function sortedBy(sort: Sort) {
  return { value: orderOf(sort).column, key: isByEpss(sort) ? sql`epss.cve_key` : sql`cve.cve_key` }
}

/** As the index has it, forwards or backwards. Those without the value are another part, so it does not matter where. */
export function indexOrder(sort: Sort): RawBuilder<unknown> {
  const { value, key } = sortedBy(sort)
  return sql`${value} ${wayOf(sort)}, ${key} ${wayOf(sort)}`
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
