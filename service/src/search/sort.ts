// The sort orders of CVEs, in one table. CVEs with equal values are sorted by id in the same direction. CVEs without a
// value come last in both ascending and descending order (decision D7).
import { type RawBuilder, sql } from 'kysely'
import { word } from '../contract/request/value-types.ts'

interface SortValue {
  /** The table that has the value and an index on it: catalog.cve or catalog.epss, with its name as alias. */
  readonly table: 'cve' | 'epss'
  /** A column, or an expression of columns. */
  readonly value: RawBuilder<unknown>
}

/** The values by which CVEs can be sorted, in descending or ascending order. */
const SORT_VALUES = {
  severity: { table: 'cve', value: sql.ref('cve.score') },
  published: { table: 'cve', value: sql.ref('cve.published') },
  modified: { table: 'cve', value: sql.ref('cve.modified') },
  epss: { table: 'epss', value: sql.ref('epss.score') },
  priority: { table: 'cve', value: sql.ref('cve.priority') },
  level: { table: 'cve', value: sql`catalog.level_order(cve.priority, cve.event_day, cve.urgent_day)` },
} as const satisfies Readonly<Record<string, SortValue>>

export type SortColumn = keyof typeof SORT_VALUES

export type Sort = `${SortColumn}_${'desc' | 'asc'}`

interface SortOrder {
  readonly name: SortColumn
  readonly table: SortValue['table']
  readonly column: RawBuilder<unknown>
  /** The column with the CVE key in the same table, so that one index contains both columns. */
  readonly key: RawBuilder<unknown>
  readonly isDescending: boolean
}

// The cast is safe: Object.keys returns the keys of SORT_VALUES.
const SORT_ORDERS = new Map<Sort, SortOrder>(
  (Object.keys(SORT_VALUES) as SortColumn[]).flatMap((name) => {
    const { table, value: column } = SORT_VALUES[name]
    const value = { name, table, column, key: sql.ref(`${table}.cve_key`) }
    return [
      [`${name}_desc`, { ...value, isDescending: true }],
      [`${name}_asc`, { ...value, isDescending: false }],
    ] as const
  }),
)

export const SORTS: readonly Sort[] = [...SORT_ORDERS.keys()]

export const sortType = () => word(SORTS)

export function toSortOrder(sort: Sort): SortOrder {
  const order = SORT_ORDERS.get(sort)
  if (!order) throw new Error(`There is no sort order ${sort}.`)
  return order
}

/** Returns the SQL text after `order by`, for a statement that uses the table aliases `cve` and `epss`. */
export function orderBy(sort: Sort): RawBuilder<unknown> {
  const { column, isDescending } = toSortOrder(sort)
  return isDescending
    ? sql`${column} desc nulls last, cve.cve_key desc`
    : sql`${column} asc nulls last, cve.cve_key asc`
}
