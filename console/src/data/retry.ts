// Decides which failed reads are repeated and when.
import { isVisError } from 'vis-sdk'

const MAX_RETRIES = 2
/** Longest wait without a message. After a longer Retry-After the page shows the error at once. */
const MAX_SILENT_WAIT_SECONDS = 10
const FIRST_DELAY_MS = 500

/** Returns whether a failed read is repeated. A 429 is not: the page shows a countdown and reads again after it. */
export function shouldRetry(failureCount: number, error: unknown): boolean {
  if (!isVisError(error) || failureCount >= MAX_RETRIES) return false
  const isTransient = error.status === 503 || error.code === 'NETWORK_ERROR' || error.code === 'TIMEOUT'
  return isTransient && (error.retryAfter ?? 0) <= MAX_SILENT_WAIT_SECONDS
}

/** Returns the delay before the next attempt: the Retry-After of the service, else an exponential backoff. */
export function computeRetryDelayMs(failureCount: number, error: unknown): number {
  const retryAfter = isVisError(error) ? error.retryAfter : undefined
  return retryAfter === undefined ? FIRST_DELAY_MS * 2 ** failureCount : retryAfter * 1000
}
