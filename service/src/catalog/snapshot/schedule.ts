// A snapshot is due once a day at a fixed hour, and immediately if there is none.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import { type MadeSnapshot, makeScheduledSnapshot, type SnapshotContext } from './make.ts'

const DAY_MS = 86_400_000

/** Returns the last time at or before `now` when the UTC clock showed the full hour. */
export function findLastHour(now: Date, hour: number): Date {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hour)
  return new Date(today <= now.getTime() ? today : today - DAY_MS)
}

/**
 * The first snapshot is due as soon as the first load is finished. A snapshot from which the change log cannot continue,
 * such as one that an operator made during the first load, does not count.
 */
export async function isSnapshotDue(db: Database, now: Date, hour: number): Promise<boolean> {
  const { rows } = await sql<{ newestAt: Date | null; isLoaded: boolean }>`
    select (
             select max(created_at)
               from catalog.snapshot
              where seq >= (select complete_seq from catalog.change_floor)
           ) as "newestAt",
           exists (select from catalog.first_load where finished_at is not null)
             and exists (select from catalog.cve)
             and not exists (select from source.publication_queue) as "isLoaded"
  `.execute(db)
  const [state] = rows
  if (!state) throw new Error('the query of the newest snapshot returned no row')
  return state.newestAt === null ? state.isLoaded : state.newestAt < findLastHour(now, hour)
}

/** Returns undefined if no snapshot is due, or if another process has made it meanwhile. */
export async function makeDueSnapshot(context: SnapshotContext, hour: number): Promise<MadeSnapshot | undefined> {
  const now = context.clock()
  if (!(await isSnapshotDue(context.session.db, now, hour))) return undefined
  return makeScheduledSnapshot(context, findLastHour(now, hour))
}
