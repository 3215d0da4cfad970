// Counts the free reads of the web console. The database counts for all nodes, in one row per account, so a restart
// loses no counts and the nodes together never exceed the limits.
//
// Reads of an account that arrive while a statement for this account is in flight are counted by the next statement, so
// that a page that sends many requests at once causes few statements. Once the limit is reached, the node caches the
// refusal until the limit is reset, for at most a minute, and does not query the database. The queue and the cache are
// in memory: if the process dies, waiting reads are not answered and the next process queries the database again.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'

export interface ReadLimits {
  readonly perMinute: number
  readonly perDay: number
}

interface ReadResult {
  readonly isAllowed: boolean
  /** The limit that has been reached, or otherwise the one that is closer to being reached. */
  readonly window: 'minute' | 'day'
  readonly remaining: number
  readonly waitSeconds: number
}

export interface ConsoleReads {
  readonly limits: ReadLimits
  /** Counts all `reads`, or none if the window has fewer left. They appear under `keyId` in the account's usage. */
  count(accountId: string, keyId: string, reads?: number): Promise<ReadResult>
}

interface Row {
  readonly granted: number
  readonly minute_left: number
  readonly day_left: number
  readonly minute_seconds: number
  readonly day_seconds: number
}

/** Counts up to `asked` reads in the database, as many multiples of `portion` as the limits allow. */
export type CountReads = (accountId: string, keyId: string, asked: number, portion: number) => Promise<Row>

/** Maximum time for which a refusal is cached, so that a changed limit or count takes effect. */
const MAX_REFUSED_MS = 60_000
const MAX_REFUSED = 10_000

export function createConsoleReads(
  count: CountReads,
  limits: ReadLimits,
  nowMs: () => number = () => performance.now(),
): ConsoleReads {
  const queues = new Map<string, PromiseWithResolvers<ReadResult>[]>()
  const refused = new Map<string, { readonly result: ReadResult; readonly cachedAtMs: number }>()

  const countWaiting = async (name: string, accountId: string, keyId: string, reads: number) => {
    for (let waiting = queues.get(name) ?? []; waiting.length > 0; waiting = queues.get(name) ?? []) {
      queues.set(name, [])
      try {
        const row = await count(accountId, keyId, waiting.length * reads, reads)
        const results = toResults(row, waiting.length, reads)
        const last = results.at(-1)
        // A window with too few reads left for this call may still have enough for a smaller one.
        if (last && !last.isAllowed && last.remaining === 0) cacheRefusal(accountId, last)
        for (const [index, { resolve }] of waiting.entries()) resolve(results[index] as ReadResult)
      } catch (error) {
        for (const { reject } of waiting) reject(error)
      }
    }
    queues.delete(name)
  }
  const cacheRefusal = (accountId: string, result: ReadResult) => {
    if (refused.size >= MAX_REFUSED) refused.clear()
    refused.set(accountId, { result, cachedAtMs: nowMs() })
  }
  const getCachedRefusal = (accountId: string): ReadResult | undefined => {
    const known = refused.get(accountId)
    if (!known) return undefined
    const ageMs = nowMs() - known.cachedAtMs
    const leftMs = known.result.waitSeconds * 1000 - ageMs
    if (leftMs > 0 && ageMs < MAX_REFUSED_MS) return { ...known.result, waitSeconds: Math.ceil(leftMs / 1000) }
    refused.delete(accountId)
    return undefined
  }
  return {
    limits,
    count: async (accountId, keyId, reads = 1) => {
      const known = getCachedRefusal(accountId)
      if (known) return known
      const name = `${accountId} ${keyId} ${reads}`
      const waiting = Promise.withResolvers<ReadResult>()
      const queue = queues.get(name)
      if (queue) queue.push(waiting)
      else {
        queues.set(name, [waiting])
        void countWaiting(name, accountId, keyId, reads)
      }
      return waiting.promise
    },
  }
}

/** Returns the results of the calls in the order of their arrival: the first ones are allowed. */
function toResults(row: Row, calls: number, reads: number): ReadResult[] {
  const isDayNearer = row.day_left < row.minute_left || row.day_left === 0
  const [window, left, waitSeconds] = isDayNearer
    ? (['day', row.day_left, row.day_seconds] as const)
    : (['minute', row.minute_left, row.minute_seconds] as const)
  return Array.from({ length: calls }, (_, index) => ({
    isAllowed: (index + 1) * reads <= row.granted,
    window,
    remaining: left + Math.max(0, row.granted - (index + 1) * reads),
    waitSeconds: Math.max(1, waitSeconds),
  }))
}

export function countReadsIn(accounts: Database, { perMinute, perDay }: ReadLimits): CountReads {
  return async (accountId, keyId, asked, portion) => {
    const { rows } = await sql<Row>`
      select granted, minute_left, day_left, minute_seconds, day_seconds
        from accounts.count_console_reads(${accountId}, ${keyId}, ${asked}, ${portion}, ${perMinute}, ${perDay})
    `.execute(accounts)
    const [row] = rows
    if (!row) throw new Error('accounts.count_console_reads returned no row')
    return row
  }
}
