// Decides which failed reads are retried and when.
import { isVisError } from 'vis-sdk'

const MAX_RETRIES = 2
/** Longest wait without a message. If Retry-After is longer, the page shows the error immediately. */
const MAX_SILENT_WAIT_SECONDS = 10
const FIRST_DELAY_MS = 500

/**
 * Returns whether to retry a failed read. A 429 is not retried here: the page shows a countdown and then reads again.
 */
export function shouldRetry(failureCount: number, error: unknown): boolean {
  if (!isVisError(error) || failureCount >= MAX_RETRIES) return false
  const isTransient = error.status === 503 || error.code === 'NETWORK_ERROR' || error.code === 'TIMEOUT'
  return isTransient && (error.retryAfter ?? 0) <= MAX_SILENT_WAIT_SECONDS
}

/** Returns the delay before the next attempt: the service's Retry-After, or else an exponential backoff. */
export function computeRetryDelayMs(failureCount: number, error: unknown): number {
  const retryAfter = isVisError(error) ? error.retryAfter : undefined
  return retryAfter === undefined ? FIRST_DELAY_MS * 2 ** failureCount : retryAfter * 1000
}
