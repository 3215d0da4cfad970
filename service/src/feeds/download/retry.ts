/**
 * The delay doubles with each attempt. Three delays add up to 35 s, longer than the 30 s for which NVD blocks a client
 * after too many requests.
 */
const FIRST_DELAY_MS = 5_000
const MAX_DELAY_MS = 120_000

/** Returns the retry delay that the upstream requested, but at least our own backoff delay and at most MAX_DELAY_MS. */
export function computeRetryDelayMs(attemptsMade: number, requestedMs: number, random: number): number {
  const backoffMs = FIRST_DELAY_MS * 2 ** (attemptsMade - 1) * (1 + random / 2)
  return Math.min(Math.max(backoffMs, requestedMs), MAX_DELAY_MS)
}

/** The header contains a number of seconds or a date. Returns undefined for an invalid value. */
export function parseRetryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1000
  const until = Date.parse(header)
  return Number.isNaN(until) ? undefined : Math.max(0, until - now.getTime())
}
