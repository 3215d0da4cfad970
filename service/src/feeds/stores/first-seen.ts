// Columns with the time at which a feed stored something for the first time.
import { type RawBuilder, sql } from 'kysely'

type Sql = RawBuilder<unknown>

/** Stays null during the feed's first load, because the age of the rows that upstream lists at that time is unknown. */
export interface FirstSeen {
  readonly column: string
  /** Condition for setting the column of a staged row (`staged`). By default, the feed must have stored rows before. */
  readonly isNews?: Sql
  /**
   * Set when a row is marked as removed. With this column, a row that returns gets a new time instead of its first one.
   */
  readonly removalColumn?: string
}

export interface LinkFirstSeen {
  readonly column: string
  /** `held` is the stored row, null if there is none, and `staged` the staged row. */
  readonly isNews: Sql
}

/** Column with the feed's name, in a table that several feeds share. */
export interface FeedColumn {
  readonly name: string
  readonly value: string
}

interface ConstantColumns {
  readonly feedColumn?: FeedColumn
  readonly firstStoredColumn?: string
  readonly firstSeen?: FirstSeen
}

export interface InsertConstant {
  readonly name: string
  readonly value: Sql
}

/**
 * Lists the columns that an insert does not copy from the staging table. `hasRows`: whether the table has rows of the
 * feed.
 */
export function listInsertConstants(
  { feedColumn, firstStoredColumn, firstSeen }: ConstantColumns,
  hasRows: Sql,
  now: Date,
): readonly InsertConstant[] {
  return [
    ...(feedColumn ? [{ name: feedColumn.name, value: sql`${feedColumn.value}` }] : []),
    ...(firstStoredColumn ? [{ name: firstStoredColumn, value: sql`${now}::timestamptz` }] : []),
    ...(firstSeen
      ? [{ name: firstSeen.column, value: sql`case when ${firstSeen.isNews ?? hasRows} then ${now}::timestamptz end` }]
      : []),
  ]
}

/** Builds the assignment of an update that gives a returning row (`held`) a new time. */
export function renewFirstSeen(firstSeen: FirstSeen | undefined, now: Date): Sql {
  if (firstSeen?.removalColumn === undefined) return sql``
  const column = sql.id(firstSeen.column)
  return sql`, ${column} = case when held.removed_at is null then held.${column} else ${now}::timestamptz end`
}

/** Builds the assignment of the update that marks a row as removed. */
export function setRemovalFirstSeen(firstSeen: FirstSeen | undefined, now: Date): Sql {
  if (firstSeen?.removalColumn === undefined) return sql``
  return sql`, ${sql.id(firstSeen.removalColumn)} = ${now}::timestamptz`
}
