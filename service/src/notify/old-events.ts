// Deletes the events of watches that are older than their account's plan keeps them.
import { sql } from 'kysely'
import type { Database } from '../database/postgres.ts'
import { PLAN_NAMES, WATCH_LIMITS } from '../domain/account/plan.ts'

const MAX_ROWS = 5000

/** Each portion has its own transaction, so a run that is killed keeps what it has finished. */
export async function deleteOldEvents(
  accounts: Database,
  signal: AbortSignal,
  maxRows: number = MAX_ROWS,
): Promise<number> {
  const days = Object.fromEntries(PLAN_NAMES.map((plan) => [plan, WATCH_LIMITS[plan].eventDays]))
  let total = 0
  while (!signal.aborted) {
    const { rows } = await sql<{ deleted: number }>`
      select notify.delete_old_events(${JSON.stringify(days)}::jsonb, ${maxRows}) as deleted`.execute(accounts)
    const deleted = rows[0]?.deleted ?? 0
    total += deleted
    if (deleted < maxRows) break
  }
  return total
}
