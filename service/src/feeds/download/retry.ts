// How long to wait before asking again.

/** Thrice doubled, it outlasts the half minute for which NVD closes its door on whoever asked too often. */
const FIRST_PAUSE_MS = 5_000
const MAX_PAUSE_MS = 120_000

/** As asked for, but never shorter than our own manners demand and never longer than a run can bear. */
export function pauseMs(attemptsMade: number, askedMs: number, random: number): number {
  const ownMs = FIRST_PAUSE_MS * 2 ** (attemptsMade - 1) * (1 + random / 2)
  return Math.min(Math.max(ownMs, askedMs), MAX_PAUSE_MS)
}

/** The header holds seconds or a date. What cannot be read is as good as absent. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1000
  const until = Date.parse(header)
  return Number.isNaN(until) ? undefined : Math.max(0, until - now.getTime())
}
