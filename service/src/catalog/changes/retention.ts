// Deletes old rows of the change log, the values that they replaced (catalog.cve_past), and the rows that complete a
// change for 30 days. A reader that starts from a kept snapshot must find every later row of the log.
import { sql, type Transaction } from 'kysely'
import type { ChangeCause } from '../../domain/change/change.ts'
import { type PublishContext, withPublishLock } from '../publish-lock.ts'

/** Number of days for which rows are kept, by cause. */
const KEPT_DAYS = { data: 400, rules: 30, reload: 30, source: 30, epss_model: 30 } as const satisfies Record<
  ChangeCause,
  number
>

/** Number of days for which the rows that complete a change are kept. */
const DETAILS_KEPT_DAYS = 30

const DAY_MS = 86_400_000
const ROWS_PER_BATCH = 10_000

interface RetentionPlan {
  /** Rows with this or a higher number are kept. */
  readonly keptFrom: bigint
  /** Limit for rows with the cause `data`, and for added and removed CVEs. Older rows are deleted. */
  readonly dataBefore: Date
  /** Limit for all other rows. */
  readonly othersBefore: Date
}

/**
 * `snapshots`: positions of the kept snapshots. A reader of the oldest one needs every later row, and the row at its
 * position to compare the tag. Without a snapshot, nothing may be deleted.
 */
export function planRetention(now: Date, snapshots: readonly bigint[]): RetentionPlan | undefined {
  const [first, ...others] = snapshots
  if (first === undefined) return undefined
  const keptFrom = others.reduce((least, seq) => (seq < least ? seq : least), first)
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  return { keptFrom, dataBefore: before(KEPT_DAYS.data), othersBefore: before(KEPT_DAYS.rules) }
}

/** Also deletes the values that old changes replaced. Returns the number of deleted log rows. */
export async function deleteExpiredChanges(context: PublishContext, snapshots: readonly bigint[]): Promise<number> {
  await deleteExpiredPast(context)
  await deleteExpiredDetails(context)
  const plan = planRetention(context.clock(), snapshots)
  if (plan === undefined) return 0
  let deleted = 0
  for (;;) {
    const batch = await withPublishLock(context, (tx) => deleteChanges(tx, plan))
    deleted += batch
    if (batch < ROWS_PER_BATCH || context.signal.aborted) return deleted
  }
}

/**
 * Deletes rows and raises the floors in one transaction, so that a reader sees both changes or neither. The newest row
 * always stays, because positions of readers and API nodes refer to it.
 */
async function deleteChanges(tx: Transaction<unknown>, plan: RetentionPlan): Promise<number> {
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
    ), times as (
      -- The log is complete since the first of the other times.
      delete from catalog.change_time
       where seq < (select max(seq) from deleted where cause = 'data')
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

/** Tables whose rows complete a change and are kept for DETAILS_KEPT_DAYS. */
const DETAIL_TABLES = ['change_before', 'affected_touched', 'epss_moved'] as const

/** The rows have no time of their own, but catalog.change_time says by which time the rows of the log were visible. */
async function deleteExpiredDetails(context: PublishContext): Promise<void> {
  const before = new Date(context.clock().getTime() - DETAILS_KEPT_DAYS * DAY_MS)
  const { rows } = await sql<{ seq: string }>`
    select seq
      from catalog.change_time
     where at < ${before}
     order by at desc, seq desc
     limit 1
  `.execute(context.session.db)
  const [last] = rows
  if (last === undefined) return
  for (const table of DETAIL_TABLES)
    while (!context.signal.aborted && (await hasDetails(context, table, last.seq)))
      await withPublishLock(context, (tx) => deleteDetails(tx, table, last.seq))
}

type DetailTable = (typeof DETAIL_TABLES)[number]

async function hasDetails({ session }: PublishContext, table: DetailTable, seq: string): Promise<boolean> {
  const { rows } = await sql`select from catalog.${sql.id(table)} where seq <= ${seq} limit 1`.execute(session.db)
  return rows.length > 0
}

/** Raises the floor in the same transaction, so that no reader takes a deleted row for a change without any. */
async function deleteDetails(tx: Transaction<unknown>, table: DetailTable, seq: string): Promise<void> {
  await sql`update catalog.change_floor set details_seq = greatest(details_seq, ${seq}::bigint)`.execute(tx)
  await sql`
    delete from catalog.${sql.id(table)}
     where ctid = any (array(select ctid from catalog.${sql.id(table)} where seq <= ${seq} limit ${ROWS_PER_BATCH}))
  `.execute(tx)
}

/** Replaced values are kept for as long as changes to upstream data. */
async function deleteExpiredPast(context: PublishContext): Promise<void> {
  const before = new Date(context.clock().getTime() - KEPT_DAYS.data * DAY_MS)
  while (!context.signal.aborted && (await hasExpired(context, before)))
    await withPublishLock(context, (tx) => deleteReplaced(tx, before))
}

/** Checks without the lock, because on most days nothing has expired since the last call. */
async function hasExpired({ session }: PublishContext, before: Date): Promise<boolean> {
  const { rows } = await sql`select from catalog.cve_past where until_at < ${before} limit 1`.execute(session.db)
  return rows.length > 0
}

/**
 * Deletes replaced values and moves `complete_since` in one transaction, so that a reader sees both changes or neither.
 */
async function deleteReplaced(tx: Transaction<unknown>, before: Date): Promise<void> {
  await sql`
    update catalog.past_start
       set complete_since = greatest(complete_since, ${before}::timestamptz)
  `.execute(tx)
  await sql`
    delete from catalog.cve_past
     where ctid = any (array(
             select ctid
               from catalog.cve_past
              where until_at < ${before}
              limit ${ROWS_PER_BATCH}
           ))
  `.execute(tx)
}
