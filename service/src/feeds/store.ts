// Interface between the feed engine and the database tables of a feed. In one transaction, rows are copied into a
// staging table with COPY and then merged into the feed's tables.
import type { Transaction } from 'kysely'
import type { CopyValue } from '../database/copy-line.ts'
import type { DeliveryStats } from './guard.ts'

export interface Store<Row> {
  /** Creates the temporary staging table, which PostgreSQL drops at the end of the transaction. */
  createStaging(tx: Transaction<unknown>): Promise<void>
  /** Target of the SQL command COPY: name of the staging table with a list of its columns. */
  readonly copyTarget: string
  /**
   * Returns the values of a row, in the order of the columns in `copyTarget`. `truncated` names the values of the record
   * that were cut (decision E42).
   */
  toCopyValues(row: Row, truncated?: readonly string[]): readonly CopyValue[]
  /** Names the record of a row for the log of rejected records. */
  describeRow?(row: Row): string
  /**
   * Returns the time that upstream states for a record, or null if it states none. The newest time of a delivery is
   * used as the release time if the delivery itself has none.
   */
  readTime?(row: Row): Date | null
  /**
   * Drops duplicates from the staging table, and counts the rows that a merge would add, change or remove. The guards
   * (sanity checks) use these counts.
   */
  computeStats(tx: Transaction<unknown>, scope: DeliveryScope): Promise<DeliveryStats>
  /**
   * Merges the staging table into the feed's tables. Writes only new and changed rows, and queues their CVEs for
   * publication.
   */
  merge(tx: Transaction<unknown>, scope: DeliveryScope): Promise<MergeCounts>
}

/** Describes which records of the feed a delivery (one file or page) covers. */
export interface DeliveryScope {
  readonly kind: 'snapshot' | 'delta'
  readonly slice?: { readonly first: string; readonly last: string }
  readonly now: Date
  /**
   * Names of rejected records (records that could not be read or converted). Upstream still has these records, so their
   * stored rows do not count as missing.
   */
  readonly rejected: readonly string[]
}

export interface MergeCounts {
  readonly inserted: number
  readonly updated: number
  readonly removed: number
}
