// Queue of refunds: each refund stays in the queue until the database has confirmed it. A stopping process drains the
// queue.
//
// The queue is in memory. A killed process loses the queue, so callers whose requests were in flight may have paid for
// a response that they did not get. Refunds are idempotent by request id, so sending a refund twice is harmless.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from './charge-batch.ts'

const MAX_BATCH_SIZE = 256
const MAX_RETRY_DELAY_MS = 2000

export interface Refunds {
  /** Resolves when the database has confirmed the refund. Failed attempts are retried without a limit. */
  add(call: Call): Promise<void>
  readonly pending: number
  /** Waits at most `timeoutMs`. Returns how many refunds are still pending. */
  drain(timeoutMs: number): Promise<number>
}

interface PendingRefund {
  readonly call: Call
  resolve(): void
}

export function createRefunds(
  send: (calls: readonly Call[]) => Promise<void>,
  onError: (error: unknown, pending: number) => void,
  pause: (ms: number) => Promise<unknown> = (ms) => sleep(ms, undefined, { ref: false }),
): Refunds {
  const queue: PendingRefund[] = []
  let worker: Promise<void> | undefined

  const work = async () => {
    let batchSize = MAX_BATCH_SIZE
    for (let attempt = 0; queue.length > 0; ) {
      const batch = queue.slice(0, batchSize)
      try {
        await send(batch.map(({ call }) => call))
        for (const confirmed of queue.splice(0, batch.length)) confirmed.resolve()
        attempt = 0
        batchSize = Math.min(batchSize * 2, MAX_BATCH_SIZE)
      } catch (error) {
        onError(error, queue.length)
        attempt += 1
        // A slow database may never finish a full batch within the statement timeout, but it finishes a smaller one.
        batchSize = Math.max(1, Math.floor(batch.length / 2))
        await pause(Math.min(50 * 2 ** attempt, MAX_RETRY_DELAY_MS))
      }
    }
    worker = undefined
  }

  return {
    get pending() {
      return queue.length
    },
    add: ({ requestId, accountId, keyId, endpoint, admission }) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      queue.push({ call: { requestId, accountId, keyId, endpoint, admission }, resolve })
      worker ??= work()
      return promise
    },
    drain: async (timeoutMs) => {
      const timeout = new AbortController()
      await Promise.race([worker, sleep(timeoutMs, undefined, { signal: timeout.signal }).catch(() => {})])
      timeout.abort()
      return queue.length
    },
  }
}
