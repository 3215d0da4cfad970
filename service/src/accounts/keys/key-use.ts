// Records on which day each API key was last used, including by calls that cost nothing.
//
// Each node collects the keys that its caller cache looks up (at most one lookup per key every two seconds) and sends
// them once a minute in one statement. The database writes a row at most once per key and day. If a process dies, the
// uses of its last minute are lost; if the database fails, the keys are sent again a minute later. Other nodes record
// their own uses of the same keys.
//
// The ledger cannot replace this record, because it has no rows for free calls. The charge function does not record the
// use, because it must stay fast.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'

const INTERVAL_MS = 60_000

export interface KeyUse {
  note(keyId: string): void
  start(): void
  stop(): Promise<void>
}

export function createKeyUse(
  accounts: Database,
  onError: (error: unknown) => void,
  intervalMs: number = INTERVAL_MS,
): KeyUse {
  const noted = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let sending = Promise.resolve()

  const send = async () => {
    const keys = [...noted]
    if (keys.length === 0) return
    noted.clear()
    try {
      await sql`select accounts.record_key_use(${keys}::bigint[])`.execute(accounts)
    } catch (error) {
      for (const key of keys) noted.add(key)
      onError(error)
    }
  }
  const sendInTurn = () => {
    sending = sending.then(send)
    return sending
  }

  return {
    note: (keyId) => void noted.add(keyId),
    start: () => {
      timer = setInterval(() => void sendInTurn(), intervalMs)
      timer.unref()
    },
    stop: () => {
      clearInterval(timer)
      return sendInTurn()
    },
  }
}
