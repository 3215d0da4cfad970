// Maintenance of the credit ledger: creates partitions ahead of time, sums up charges by day and detaches old days. It
// also deletes old console sessions and old sign-in data.
//
// Every API node runs the maintenance when it starts and every six hours. The steps are idempotent and take a lock in
// the database, so several nodes may run them at once. Each portion of the roll-up and each detached day has its own
// transaction, so a run that fails or is killed keeps what it has finished, and the next run of any node continues from
// there.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { classifyDatabaseError } from '../../database/classify-error.ts'
import type { Database } from '../../database/postgres.ts'

const INTERVAL_MS = 6 * 60 * 60 * 1000
/** Time after which the roll-up is retried if a transaction may still add charges to a past day. */
const RETRY_INTERVAL_MS = 60_000
const MAX_DETACH_ATTEMPTS = 10
const DETACH_RETRY_DELAY_MS = 1000

export interface LedgerMaintenance {
  /** Waits for the running statement. The remaining work is left to the next run. */
  stop(): Promise<void>
}

interface MaintenanceEvents {
  readonly onDone: () => void
  readonly onError: (error: unknown) => void
}

export function startLedgerMaintenance(accounts: Database, { onDone, onError }: MaintenanceEvents): LedgerMaintenance {
  const stopping = new AbortController()
  const repeat = async () => {
    while (!stopping.signal.aborted) {
      const result = await maintainLedger(accounts, stopping.signal, onError).catch(onError)
      if (result === 'finished') onDone()
      const delayMs = result === 'waiting' ? RETRY_INTERVAL_MS : INTERVAL_MS
      await sleep(delayMs, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
    }
  }
  const repeated = repeat()
  return {
    stop: async () => {
      stopping.abort()
      await repeated
    },
  }
}

async function maintainLedger(
  accounts: Database,
  signal: AbortSignal,
  onError: MaintenanceEvents['onError'],
): Promise<'finished' | 'waiting' | 'stopped'> {
  await sql`select accounts.prepare_ledger()`.execute(accounts)
  // A failure is only reported: old sessions can wait for the next run, but the ledger cannot.
  await sql`select accounts.delete_old_sessions()`.execute(accounts).catch(onError)
  const rollUp = await rollUpUsage(accounts, signal)
  await detachOldDays(accounts, signal)
  if (signal.aborted) return 'stopped'
  return rollUp === 'waiting' ? 'waiting' : 'finished'
}

type RollUpResult = 'counted' | 'done' | 'busy' | 'waiting'

/**
 * Rolls up portions until all complete days are counted, another node is counting, or an open transaction must end
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
