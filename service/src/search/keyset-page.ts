// SQL for one page of a search in sort order, starting after a cursor position. CVEs with a value in the sort column
// come first, CVEs without one come last. The two groups are selected separately, so that one index serves both sort
// directions (decision D7).
import { type RawBuilder, sql } from 'kysely'
import type { CursorPosition } from '../contract/cursor.ts'
import type { Database } from '../database/postgres.ts'
import type { CveKey } from '../domain/cve-id.ts'
import type { Filters } from './filters/build-filters.ts'
import { type Sort, toSortOrder } from './sort.ts'

export interface KeysetQuery {
  readonly filters: Filters
  readonly sort: Sort
  readonly after: CursorPosition | undefined
}

/** A hit and its value in the sort column, or a text that stands for several values. */
export interface Hit {
  readonly cve_key: CveKey
  readonly sort_value: Date | number | string | null
}

/**
 * Up to this many hits, a search sorted by EPSS looks up the score of each hit. Following the index of scores until
 * enough of so few hits are found would read many scores in vain.
 */
const MAX_SCORES_LOOKED_UP = 10_000

/**
 * Finds all hits after the cursor position in a search with about `total` hits, and returns the first `count` of them
 * in sort order. The cost grows with the number of hits.
 */
export async function findAmongAllHits(
  db: Database,
  query: KeysetQuery,
  { count, total }: { readonly count: number; readonly total: number },
): Promise<readonly Hit[]> {
  const { filters, sort } = query
  const followsScores = isByEpss(sort) && filters.readsCve && total > MAX_SCORES_LOOKED_UP
  const selectPart = followsScores ? selectByScores : selectMatching
  const withValues = (await selectPart(query, withValue(query), count).execute(db)).rows
  const missing = count - withValues.length
  if (missing === 0) return withValues
  return [...withValues, ...(await selectPart(query, withoutValue(query), missing).execute(db)).rows]
}

/**
 * Selects the first `count` hits of one group (with or without a value).
 *
 * The matching rows are materialized before the limit is applied. Otherwise PostgreSQL's planner would see the small
 * limit and scan the index of the sort order in the hope of an early match; if all matches are at the far end, such a
 * scan reads nearly every CVE. If the planner does use that index to find the materialized rows, its scan still stops
 * at the limit.
 */
function selectMatching(query: KeysetQuery, part: readonly RawBuilder<unknown>[], count: number): RawBuilder<Hit> {
  const { column: value, key } = toSortOrder(query.sort)
  return sql<Hit>`
    with all_hits as materialized (
      select ${key} as cve_key, ${value} as sort_value
        from ${fromTables(requiredTables(query))}
       where ${joinConditions([...query.filters.conditions, ...leaveOutChanged(query), ...part])}
       order by ${indexOrder(query.sort)}
    )
    select cve_key, sort_value from all_hits limit ${count}`
}

/**
 * Selects the same hits for a search that is sorted by EPSS and filters by columns of catalog.cve. It collects only the
 * keys of the hits and follows the index of EPSS scores until the page is full, because joining all hits with their
 * scores costs more.
 */
function selectByScores({ filters, sort }: KeysetQuery, part: readonly RawBuilder<unknown>[], count: number) {
  // With `case`, PostgreSQL looks up each key in a hash table of all hits instead of planning a join. The session's
  // work_mem can hold a hash table of a million hits.
  const allHits = sql`select cve.cve_key from catalog.cve as cve where ${joinConditions(filters.cveConditions)}`
  return sql<Hit>`
    select epss.cve_key, epss.score as sort_value
      from catalog.epss as epss
     where ${joinConditions([...part, ...filters.bounds('epss')])}
       and case when epss.cve_key in (${allHits}) then true end
     order by ${indexOrder(sort)}
     limit ${count}`
}

/** Returns SQL conditions for CVEs that have a value in the sort column and come after the cursor position. */
export function withValue({ sort, after }: KeysetQuery): readonly RawBuilder<unknown>[] {
  const { column: value, key } = toSortOrder(sort)
  if (!after) return [sql`${value} is not null`]
  if (after.value === null) return [sql`false`]
  return [sql`(${value}, ${key}) ${comparator(sort)} (${after.value}, ${after.key})`]
}

/** Returns SQL conditions for CVEs that have no value in the sort column and come after the cursor position. */
export function withoutValue({ sort, after }: KeysetQuery): readonly RawBuilder<unknown>[] {
  const { column: value, key } = toSortOrder(sort)
  return [sql`${value} is null`, ...(after?.value === null ? [sql`${key} ${comparator(sort)} ${after.key}`] : [])]
}

/**
 * Returns the SQL condition for later pages of a search sorted by `modified`. It leaves out CVEs that changed after the
 * first page was read: their position in the sort order has changed, so they could be returned twice (decision D8).
 */
export function leaveOutChanged({ sort, after }: KeysetQuery): readonly RawBuilder<unknown>[] {
  return after && isByModified(sort) ? [sql`cve.modified <= ${after.asOf}`] : []
}

export const isByModified = (sort: Sort): boolean => toSortOrder(sort).name === 'modified'

export const isByEpss = (sort: Sort): boolean => toSortOrder(sort).table === 'epss'

/**
 * Returns an `order by` list that follows the index, forwards or backwards. The list has no `nulls first` or `nulls
 * last`, because rows with and without a value are selected separately.
 */
export function indexOrder(sort: Sort): RawBuilder<unknown> {
  const { column: value, key } = toSortOrder(sort)
  return sql`${value} ${direction(sort)}, ${key} ${direction(sort)}`
}

interface RequiredTables {
  readonly cve: boolean
  readonly epss: boolean
}

/**
 * Builds the `from` list of a search. Every CVE has a row in both catalog.cve and catalog.epss, so a search that reads
 * only one of them needs no join.
 */
export function fromTables({ cve, epss }: RequiredTables): RawBuilder<unknown> {
  if (!epss) return sql`catalog.cve as cve`
  return cve
    ? sql`catalog.cve as cve join catalog.epss as epss on epss.cve_key = cve.cve_key`
    : sql`catalog.epss as epss`
}

function requiredTables({ filters, sort }: KeysetQuery): RequiredTables {
  return { cve: filters.readsCve || !isByEpss(sort), epss: filters.readsEpss || isByEpss(sort) }
}

export function direction(sort: Sort): RawBuilder<unknown> {
  return toSortOrder(sort).isDescending ? sql`desc` : sql`asc`
}

/** Returns the operator that selects rows after a cursor position: `<` in descending order, otherwise `>`. */
function comparator(sort: Sort): RawBuilder<unknown> {
  return toSortOrder(sort).isDescending ? sql`<` : sql`>`
}

export function joinConditions(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join([sql`true`, ...conditions], sql` and `)
}
