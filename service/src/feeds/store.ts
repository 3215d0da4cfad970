// Interface between the feed engine and the database tables of a feed. In one transaction, rows are copied into a
// staging table with COPY and then merged into the feed's tables.
import type { Transaction } from 'kysely'
import type { CopyValue } from '../database/copy-line.ts'
import type { DeliveryStats } from './guard.ts'

export interface Store<Row> {
  /** Creates the temporary staging table, which PostgreSQL drops at the end of the transaction. */
  createStaging(tx: Transaction<unknown>): Promise<void>
  readonly copyTarget: string
  /** Returns the values in the order of `copyTarget`. `truncated` names the values that were cut (decision E42). */
  toCopyValues(row: Row, truncated?: readonly string[]): readonly CopyValue[]
  /** Names the record of a row for the log of rejected records. */
  describeRow?(row: Row): string
  /** Time that upstream states for a record. The newest one dates a delivery that has no time itself. */
  readTime?(row: Row): Date | null
  /** Drops duplicates, and counts the rows that a merge would add, change or remove, for the guards. */
  computeStats(tx: Transaction<unknown>, scope: DeliveryScope): Promise<DeliveryStats>
  /** Writes only new and changed rows, and queues their CVEs for publication. */
  merge(tx: Transaction<unknown>, scope: DeliveryScope): Promise<MergeCounts>
}

export interface DeliveryScope {
  readonly kind: 'snapshot' | 'delta'
  readonly slice?: { readonly first: string; readonly last: string }
  readonly now: Date
  /** Names of rejected records. Upstream still has them, so their stored rows do not count as missing. */
  readonly rejected: readonly string[]
  /** The run in source.feed_run; undefined for a dry run. */
  readonly runId?: string
}

export interface MergeCounts {
  readonly inserted: number
  readonly updated: number
  readonly removed: number
  /** CVEs that were queued for publication. */
  readonly queued?: number
}
