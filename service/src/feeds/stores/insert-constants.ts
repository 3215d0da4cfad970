// Columns whose values are the same for all rows that a delivery inserts.
import { type RawBuilder, sql } from 'kysely'

type Sql = RawBuilder<unknown>

interface ConstantColumns {
  readonly feedColumn?: { readonly name: string; readonly value: string }
  readonly firstStoredColumn?: string
  readonly firstSeenColumn?: string
}

export interface InsertConstant {
  readonly name: string
  readonly value: Sql
}

/** Lists the constants of an insert. `hasRows` is the condition that the table already contains rows of the feed. */
export function listInsertConstants(
  { feedColumn, firstStoredColumn, firstSeenColumn }: ConstantColumns,
  hasRows: Sql,
  now: Date,
): readonly InsertConstant[] {
  return [
    ...(feedColumn ? [{ name: feedColumn.name, value: sql`${feedColumn.value}` }] : []),
    ...(firstStoredColumn ? [{ name: firstStoredColumn, value: sql`${now}::timestamptz` }] : []),
    ...(firstSeenColumn
      ? [{ name: firstSeenColumn, value: sql`case when ${hasRows} then ${now}::timestamptz end` }]
      : []),
  ]
}
