// What keeps the books in order without anybody remembering to: partitions ahead of time, daily sums.
//
// Every node does it, at its start and every few hours: each step is idempotent and takes a lock in the database, so
// several at once are safe. If no node runs, nothing is needed; if it fails, the next one tries again.
import { sql } from 'kysely'
import type { Database } from '../database/postgres.ts'

const EVERY_MS = 6 * 60 * 60 * 1000

export interface Housekeeping {
  stop(): Promise<void>
}

interface Events {
  readonly onDone: () => void
  readonly onError: (error: unknown) => void
}

export function keepHouse(accounts: Database, { onDone, onError }: Events): Housekeeping {
  const once = () => tidy(accounts).then(onDone, onError)
  let current = once()
  const timer = setInterval(() => {
    current = current.then(once)
  }, EVERY_MS)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await current
    },
  }
}

async function tidy(accounts: Database): Promise<void> {
  await sql`select accounts.prepare_ledger()`.execute(accounts)
  await sql`select accounts.roll_up_usage()`.execute(accounts)
}
