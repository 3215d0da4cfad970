// What may be tried again, and when.
import type { VisError } from './errors.ts'

/** The free plan's window is a minute: whoever is told to wait longer is not kept waiting, but told. */
const MAX_WAIT_MS = 60_000
const FIRST_WAIT_MS = 500

interface Failure {
  readonly method: 'GET' | 'POST'
  readonly error: VisError
  /** 1 for the first. */
  readonly attempt: number
}

/** How long to wait before the next attempt, or nothing if there should be none. */
export function waitBeforeRetryMs({ method, error, attempt }: Failure): number | undefined {
  if (!isSafe(method, error)) return undefined
  const waitMs = error.retryAfter === undefined ? backoffMs(attempt) : error.retryAfter * 1000
  return waitMs > MAX_WAIT_MS ? undefined : waitMs
}

function isSafe(method: 'GET' | 'POST', { code, status }: VisError): boolean {
  // What the service itself refuses costs nothing. More credits come with the next month, not with the next attempt.
  const isRefused = code === 'RATE_LIMIT_EXCEEDED' || (status === 503 && code !== 'INVALID_RESPONSE')
  // An answer that was lost, also behind a proxy's own 503, may have been paid for: a batch is too dear to buy twice.
  const isLost = code === 'NETWORK_ERROR' || code === 'TIMEOUT' || status === 503
  return isRefused || (isLost && method === 'GET')
}

/** At random within a span that doubles, lest all callers that failed together come back together. */
function backoffMs(attempt: number): number {
  const span = FIRST_WAIT_MS * 2 ** (attempt - 1)
  return span / 2 + (Math.random() * span) / 2
}

/** Rejects with the signal's reason as soon as it is aborted. */
export function sleep(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, durationMs)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
