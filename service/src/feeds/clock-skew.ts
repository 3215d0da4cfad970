// Handles upstream times and days that lie in the future. Upstream's clock and ours may differ a little.

/** Tolerated difference: a time at most one hour ahead of our clock does not count as a future time. */
const MAX_CLOCK_SKEW_MS = 60 * 60_000

export function isFutureTime(time: Date, now: Date): boolean {
  return time.getTime() - now.getTime() > MAX_CLOCK_SKEW_MS
}

/** Returns `now` for every later time, even one that is ahead only because of clock skew (decision C22). */
export function clampToNow(time: Date, now: Date): Date {
  return time > now ? now : time
}

/** Returns `today` for every later day (decision C22). Days have the form `YYYY-MM-DD`. */
export function clampToToday(day: string, today: string): string {
  return day > today ? today : day
}
