// Maintenance of the credit ledger: creates partitions ahead of time, sums up charges by day and detaches old days.
//
// The steps are idempotent and take a lock in the database, so two runs at once do no harm. Each portion of the roll-up
// and each detached day has its own transaction, so a run that fails or is killed keeps what it has finished, and the
// next run continues from there.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { classifyDatabaseError } from '../../database/classify-error.ts'
import type { Database } from '../../database/postgres.ts'

const MAX_DETACH_ATTEMPTS = 10
const DETACH_RETRY_DELAY_MS = 1000

/** Throws if a running transaction may still add charges to a past day: that day can be summed up later. */
export async function maintainLedger(accounts: Database, signal: AbortSignal): Promise<void> {
  await sql`select accounts.prepare_ledger()`.execute(accounts)
  const rollUp = await rollUpUsage(accounts, signal)
  await detachOldDays(accounts, signal)
  signal.throwIfAborted()
  if (rollUp === 'waiting') throw new OpenTransactionError()
}

class OpenTransactionError extends Error {
  override name = 'OpenTransactionError'
  override message = 'a transaction may still add charges to a past day, so the day is not summed up yet'
}

type RollUpResult = 'counted' | 'done' | 'busy' | 'waiting'

/**
 * Rolls up portions until all complete days are counted, another process is counting, or an open transaction must end
 * first.
 */
async function rollUpUsage(accounts: Database, signal: AbortSignal): Promise<RollUpResult> {
  let result: RollUpResult = 'counted'
  while (result === 'counted' && !signal.aborted) {
    const { rows } = await sql<{ result: RollUpResult }>`select accounts.roll_up_portion() as result`.execute(accounts)
    result = rows[0]?.result ?? 'done'
  }
  return result
}

/**
 * If the lock is taken, the database soon gives up, so that charges do not wait; the next run detaches the remaining
 * days.
 */
async function detachOldDays(accounts: Database, signal: AbortSignal): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    try {
      const { rows } = await sql<{ name: string | null }>`select accounts.detach_ledger_day() as name`.execute(accounts)
      if (rows[0]?.name == null) return
    } catch (error) {
      failures += 1
      if (classifyDatabaseError(error) !== 'timeout' || failures >= MAX_DETACH_ATTEMPTS) throw error
      await sleep(DETACH_RETRY_DELAY_MS, undefined, { ref: false, signal }).catch(() => {})
    }
  }
}
