// Where the rows of a feed go: into a staging table by COPY, and from there, in one merge, to where they belong.
import type { Transaction } from 'kysely'
import type { CopyValue } from '../database/copy-line.ts'
import type { Measure } from './guard.ts'

export interface Store<Row> {
  /** Makes the temporary table that COPY fills; it is gone with the transaction. */
  stage(tx: Transaction<unknown>): Promise<void>
  /** The table and its columns, as COPY names them. */
  readonly staging: string
  /** The values in the order of the columns. */
  values(row: Row): readonly CopyValue[]
  /** Settles duplicates within the delivery, and says what a merge would do, for the guards to judge. */
  measure(tx: Transaction<unknown>, scope: Scope): Promise<Measure>
  /** Leaves unchanged rows alone, and queues the CVEs that changed. */
  merge(tx: Transaction<unknown>, scope: Scope): Promise<Merged>
}

/** What a delivery speaks of. */
export interface Scope {
  readonly kind: 'snapshot' | 'delta'
  readonly slice?: { readonly first: string; readonly last: string }
  readonly now: Date
  /** What upstream calls the records that it has and we could not use: they have not vanished. */
  readonly rejected: readonly string[]
}

export interface Merged {
  readonly inserted: number
  readonly updated: number
  readonly removed: number
}
