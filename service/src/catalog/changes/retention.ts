// Deletes old rows of the change log, in batches. A row is kept while a reader that begins with a kept snapshot of the
// catalog needs it.
import { sql, type Transaction } from 'kysely'
import type { ChangeCause } from '../../domain/change/change.ts'
import { type PublishContext, withPublishLock } from '../publish-lock.ts'
import { deleteExpiredPast } from './past-retention.ts'

/** Days for which the rows of each cause are kept. */
const KEPT_DAYS = { data: 400, rules: 30, reload: 30 } as const satisfies Record<ChangeCause, number>

const DAY_MS = 86_400_000
const ROWS_PER_BATCH = 10_000

interface RetentionPlan {
  /** Rows with this number or a higher one stay. */
  readonly keptFrom: bigint
  /** Rows with the cause `data` are deleted if they are older than this. */
  readonly dataBefore: Date
  /** Rows with another cause are deleted if they are older than this. */
  readonly othersBefore: Date
}

/**
 * Plans which rows may be deleted. `snapshots` are the positions of the kept snapshots: a reader of the oldest one needs
 * the row of its position, whose tag is compared, and every row after it. Returns undefined if no row may be deleted, as long as there is no snapshot.
 */
export function planRetention(now: Date, snapshots: readonly bigint[]): RetentionPlan | undefined {
  const [first, ...others] = snapshots
  if (first === undefined) return undefined
  const keptFrom = others.reduce((least, seq) => (seq < least ? seq : least), first)
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  return { keptFrom, dataBefore: before(KEPT_DAYS.data), othersBefore: before(KEPT_DAYS.rules) }
}

/** Deletes the rows that may be deleted, and returns their number. Also deletes what old changes replaced. */
export async function deleteExpiredChanges(context: PublishContext, snapshots: readonly bigint[]): Promise<number> {
  await deleteExpiredPast(context)
  const plan = planRetention(context.clock(), snapshots)
  if (plan === undefined) return 0
  let deleted = 0
  for (;;) {
    const batch = await withPublishLock(context, (tx) => deleteBatch(tx, plan))
    deleted += batch
    if (batch < ROWS_PER_BATCH || context.signal.aborted) return deleted
  }
}

/**
 * Deletes one batch, oldest rows first, and raises the floors in the same transaction: a reader sees both or neither. The
 * newest row always stays, because the positions of readers and of API nodes name it.
 */
async function deleteBatch(tx: Transaction<unknown>, plan: RetentionPlan): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    with expired as (
      select seq
        from catalog.change
       where seq < ${plan.keptFrom}
         and seq < (select max(seq) from catalog.change)
         -- The record of an earlier day needs to know whether the CVE was in the catalog.
         and at < case when cause = 'data' or kind in ('added', 'removed') then ${plan.dataBefore}::timestamptz
                       else ${plan.othersBefore}::timestamptz
                  end
       order by seq
       limit ${ROWS_PER_BATCH}
    ), deleted as (
      delete from catalog.change
       using expired
       where change.seq = expired.seq
      returning change.seq, cause
    ), floors as (
      update catalog.change_floor floor
         set data_seq = greatest(floor.data_seq, last.data_seq),
             complete_seq = greatest(floor.complete_seq, last.seq)
        from (select max(seq) as seq, coalesce(max(seq) filter (where cause = 'data'), 0) as data_seq from deleted) last
       where last.seq is not null
    )
    select count(*)::integer as deleted
      from deleted
  `.execute(tx)
  return rows[0]?.deleted ?? 0
}
