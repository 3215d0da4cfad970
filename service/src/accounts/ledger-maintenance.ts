// Maintenance of the credit ledger: creates partitions ahead of time and sums charges up by day.
//
// Every API node runs the maintenance at its start and every six hours. The steps are idempotent and take a lock in the
// database, so several nodes may run them at once. After a failure the next run tries again.
import { sql } from 'kysely'
import type { Database } from '../database/postgres.ts'

const INTERVAL_MS = 6 * 60 * 60 * 1000

export interface LedgerMaintenance {
  stop(): Promise<void>
}

interface MaintenanceEvents {
  readonly onDone: () => void
  readonly onError: (error: unknown) => void
}

export function startLedgerMaintenance(accounts: Database, { onDone, onError }: MaintenanceEvents): LedgerMaintenance {
  const run = () => maintainLedger(accounts).then(onDone, onError)
  let current = run()
  const timer = setInterval(() => {
    current = current.then(run)
  }, INTERVAL_MS)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await current
    },
  }
}

async function maintainLedger(accounts: Database): Promise<void> {
  await sql`select accounts.prepare_ledger()`.execute(accounts)
  await sql`select accounts.roll_up_usage()`.execute(accounts)
}
