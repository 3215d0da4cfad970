// Decides whether to retry a failed call, and after how long.
import type { VisError } from './errors.ts'

/** Longest delay before a retry: the rate window of the free plan. If the service asks for more, the call fails. */
const MAX_DELAY_MS = 60_000
const FIRST_DELAY_MS = 500

interface RetriedCall {
  readonly method: 'GET' | 'POST'
  readonly isChange?: boolean
}

interface FailedAttempt {
  readonly call: RetriedCall
  readonly error: VisError
  /** Number of the attempt, starting at 1. */
  readonly attempt: number
}

/** Returns the delay before the next attempt, or undefined if the call must not be retried. */
export function computeRetryDelayMs({ call, error, attempt }: FailedAttempt): number | undefined {
  if (!isSafeToRetry(call, error)) return undefined
  const delayMs = error.retryAfter === undefined ? computeBackoffMs(attempt) : error.retryAfter * 1000
  return delayMs > MAX_DELAY_MS ? undefined : delayMs
}

function isSafeToRetry({ method, isChange }: RetriedCall, { code, status }: VisError): boolean {
  // A change may have been made even if the response is a 503, and a retry could create a second key.
  if (isChange) return code === 'RATE_LIMIT_EXCEEDED'
  // The first publication of all data takes minutes, which is longer than a call should wait without telling the
  // caller.
  if (code === 'NOT_READY') return false
  // Calls that the service rejected cost nothing, so they are retried. CREDIT_LIMIT_EXCEEDED is not, because new
  // credits arrive only next month.
  const isRejected = code === 'RATE_LIMIT_EXCEEDED' || (status === 503 && code !== 'INVALID_RESPONSE')
  // A call whose response was lost or replaced by a proxy's 503 may have cost credits. In that case only GET calls are
  // retried: POST calls such as a batch are the most expensive ones and would be paid for twice.
  const isLost = code === 'NETWORK_ERROR' || code === 'TIMEOUT' || status === 503
  return isRejected || (isLost && method === 'GET')
}

/** Exponential backoff with jitter, so that callers that failed together do not retry together. */
function computeBackoffMs(attempt: number): number {
  const span = FIRST_DELAY_MS * 2 ** (attempt - 1)
  return span / 2 + (Math.random() * span) / 2
}

/** Waits, and rejects with the signal's reason as soon as the signal is aborted. */
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
