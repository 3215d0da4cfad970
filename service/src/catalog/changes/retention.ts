// Deletes old rows of the change log, the values that they replaced (catalog.cve_past), and the rows that complete a
// change for 30 days. A reader that starts from a kept snapshot must find every later row of the log. The log is divided
// into ranges of numbers and goes range by range, so rows are kept longer than they have to be, never shorter (ADR 0036).
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
  /** Limit for rows with the cause `data`, and for added and removed CVEs. Older rows may be deleted. */
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
  await dropExpiredDetails(context)
  const plan = planRetention(context.clock(), snapshots)
  if (plan === undefined) return 0
  let deleted = 0
  while (!context.signal.aborted) {
    const dropped = await withPublishLock(context, (tx) => dropChanges(tx, plan))
    if (dropped === null) break
    deleted += dropped
  }
  return deleted
}

/**
 * Drops tables and raises the floors in one transaction, so that a reader sees both changes or neither. The newest row
 * always stays, because positions of readers and API nodes refer to it. Returns null if nothing is expired. Fails if a
 * reader of the expired rows does not end in time: the job is then tried again.
 */
async function dropChanges(tx: Transaction<unknown>, plan: RetentionPlan): Promise<number | null> {
  const { rows } = await sql<{ dropped: string | null }>`
    select catalog.drop_expired_changes(${plan.keptFrom}, ${plan.dataBefore}, ${plan.othersBefore}) as dropped
  `.execute(tx)
  const dropped = rows[0]?.dropped ?? null
  return dropped === null ? null : Number(dropped)
}

/** Tables whose rows complete a change and are kept for DETAILS_KEPT_DAYS. */
const DETAIL_TABLES = ['change_before', 'affected_touched', 'epss_moved'] as const

/** The rows have no time of their own, but catalog.change_time says by which time the rows of the log were visible. */
async function dropExpiredDetails(context: PublishContext): Promise<void> {
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
    while (!context.signal.aborted && (await withPublishLock(context, (tx) => dropDetails(tx, table, last.seq))));
}

/** Also raises the floor. Returns false if no range of the table is expired. */
async function dropDetails(
  tx: Transaction<unknown>,
  table: (typeof DETAIL_TABLES)[number],
  seq: string,
): Promise<boolean> {
  const { rows } = await sql<{ isDropped: boolean }>`
    select catalog.drop_expired_details(${`catalog.${table}`}::regclass, ${seq}) as "isDropped"
  `.execute(tx)
  return rows[0]?.isDropped ?? false
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
