// What is to be given back: kept until the database has acknowledged it, and drained before the process ends.
//
// State: this queue, in memory. A process that is killed loses it, and its callers have paid for an answer they did not
// get; each such call is one of those in flight at that moment. Idempotent by request id, so sending twice is harmless.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from './charge-batch.ts'

const MAX_BATCH_SIZE = 256
const MAX_PAUSE_MS = 2000

export interface Refunds {
  /** Resolves when the database has acknowledged it, however long that takes. */
  add(call: Call): Promise<void>
  /** How many the database has not acknowledged yet. */
  readonly pending: number
  /** Waits until nothing is pending, at most so long; tells how many were lost. */
  drain(patienceMs: number): Promise<number>
}

interface Owed {
  readonly call: Call
  settle(): void
}

function settleAll(acknowledged: readonly Owed[]): void {
  for (const each of acknowledged) each.settle()
}

export function createRefunds(
  send: (calls: readonly Call[]) => Promise<void>,
  onError: (error: unknown, pending: number) => void,
): Refunds {
  const queue: Owed[] = []
  let worker: Promise<void> | undefined

  const work = async () => {
    for (let attempt = 0; queue.length > 0; ) {
      const batch = queue.slice(0, MAX_BATCH_SIZE)
      try {
        await send(batch.map(({ call }) => call))
        settleAll(queue.splice(0, batch.length))
        attempt = 0
      } catch (error) {
        onError(error, queue.length)
        attempt += 1
        await sleep(Math.min(50 * 2 ** attempt, MAX_PAUSE_MS), undefined, { ref: false })
      }
    }
    worker = undefined
  }

  return {
    get pending() {
      return queue.length
    },
    add: ({ requestId, accountId, keyId, endpoint }) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      queue.push({ call: { requestId, accountId, keyId, endpoint }, settle: resolve })
      worker ??= work()
      return promise
    },
    drain: async (patienceMs) => {
      const late = new AbortController()
      await Promise.race([worker, sleep(patienceMs, undefined, { signal: late.signal }).catch(() => {})])
      late.abort()
      return queue.length
    },
  }
}
