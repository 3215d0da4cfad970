// Turns the filters of a request into SQL conditions on catalog.cve and catalog.epss, and into the normalised form that
// a cursor's signature covers.
import { sql } from 'kysely'
import type { Condition, Filter, Table } from '../filter.ts'
import type { SortColumn } from '../sort.ts'
import { FILTER_ENTRIES, type FilterName, type FilterValues } from './table.ts'

export interface Filters {
  /** Conditions on catalog.cve and catalog.epss that find hits through indexes. */
  readonly conditions: readonly Condition[]
  /** Conditions with the same meaning for rows that have already been read in another way. */
  readonly rowConditions: readonly Condition[]
  /** The conditions on catalog.cve, without those on catalog.epss. */
  readonly cveConditions: readonly Condition[]
  /** All row conditions, for statements that do not join catalog.epss: they read its rows with a subquery. */
  readonly standaloneConditions: readonly Condition[]
  /** The conditions that limit the range of the sort column. A scan in sort order reads only this range. */
  readonly bounds: (column: SortColumn) => readonly Condition[]
  readonly readsCve: boolean
  readonly readsEpss: boolean
  /**
   * Whether it is best to find hits in catalog.cve before joining catalog.epss: the search has words, and many CVEs are
   * in its range of EPSS scores.
   */
  readonly findsTextFirst: boolean
  /** Whether a filter leaves at most a few thousand hits. */
  readonly findsFew: boolean
}

/** Few CVEs have an EPSS score above this. */
const HIGH_EPSS = 0.1

export function buildFilters(values: FilterValues): Filters {
  const used = listUsed(values)
  const reads = (table: Table) => used.filter(({ filter }) => filter.reads === table)
  const find = (table: Table) => reads(table).map(({ filter, value }) => filter.condition(value))
  const match = (table: Table) => reads(table).map(({ filter, value }) => filter.rowCondition(value))
  const cveConditions = [...find('cve'), ...findInTable('kev', find('kev')), ...findInTable('product', find('product'))]
  const cveRowConditions = [
    ...match('cve'),
    ...matchInTable('kev', match('kev')),
    ...matchInTable('product', match('product')),
  ]
  return {
    conditions: [...cveConditions, ...find('epss')],
    rowConditions: [...cveRowConditions, ...match('epss')],
    cveConditions,
    standaloneConditions: [...cveRowConditions, ...matchInTable('epss', match('epss'))],
    bounds: (column) =>
      used.filter(({ filter }) => filter.boundedColumn === column).map(({ filter, value }) => filter.bound(value)),
    readsCve: cveConditions.length > 0,
    readsEpss: reads('epss').length > 0,
    findsTextFirst: values.q !== undefined && reads('epss').length > 0 && (values.epss_min ?? 0) < HIGH_EPSS,
    findsFew: used.some(({ filter, value }) => filter.findsFew(value)),
  }
}

interface FurtherConditions {
  /** Conditions on catalog.cve that find hits through indexes. */
  readonly find: readonly Condition[]
  /** Conditions with the same meaning for rows of catalog.cve that have already been read. */
  readonly match: readonly Condition[]
}

/** Adds conditions on catalog.cve to the filters of a request. */
export function addConditions(filters: Filters, { find, match }: FurtherConditions): Filters {
  return {
    ...filters,
    conditions: [...find, ...filters.conditions],
    rowConditions: [...match, ...filters.rowConditions],
    cveConditions: [...find, ...filters.cveConditions],
    standaloneConditions: [...match, ...filters.standaloneConditions],
    readsCve: true,
  }
}

/** Tables that a condition on catalog.cve can read, each with the `from` list and the CVE key for a subquery. */
const SUBQUERIES = {
  epss: { from: sql`catalog.epss as epss`, key: sql`epss.cve_key` },
  kev: { from: sql`catalog.kev as kev`, key: sql`kev.cve_key` },
  product: {
    from: sql`catalog.product as product join catalog.cve_product as named on named.product_key = product.product_key`,
    key: sql`named.cve_key`,
  },
} as const

/** Builds an SQL condition that finds the CVEs with a row in the table that meets all conditions. */
function findInTable(table: keyof typeof SUBQUERIES, conditions: readonly Condition[]): readonly Condition[] {
  const { from, key } = SUBQUERIES[table]
  if (conditions.length === 0) return []
  return [sql`cve.cve_key in (select ${key} from ${from} where ${sql.join([...conditions], sql` and `)})`]
}

/** Builds the same condition for rows of catalog.cve that have already been read. */
function matchInTable(table: keyof typeof SUBQUERIES, conditions: readonly Condition[]): readonly Condition[] {
  const { from, key } = SUBQUERIES[table]
  if (conditions.length === 0) return []
  return [sql`exists (select from ${from} where ${sql.join([sql`${key} = cve.cve_key`, ...conditions], sql` and `)})`]
}

/** Normalises filters so that those with the same meaning give equal values (decision D8). */
export function normaliseFilters(values: FilterValues): Readonly<Record<string, unknown>> {
  return Object.fromEntries(listUsed(values).map(({ name, filter, value }) => [name, filter.normalise(value)]))
}

interface UsedFilter {
  readonly name: FilterName
  readonly filter: Filter<unknown>
  readonly value: unknown
}

function listUsed(values: FilterValues): readonly UsedFilter[] {
  return FILTER_ENTRIES.map(([name, filter]) => ({ name, filter, value: values[name] })).filter(
    ({ value }) => value !== undefined,
  )
}
