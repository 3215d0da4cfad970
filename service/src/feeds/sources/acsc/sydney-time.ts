// Converts wall-clock time in Sydney to UTC. Sydney time is ten hours ahead of UTC, and eleven hours ahead in summer.

const WINTER_OFFSET_MS = 10 * 3_600_000
const SUMMER_OFFSET_MS = 11 * 3_600_000

const SYDNEY = new Intl.DateTimeFormat('en-AU', { timeZone: 'Australia/Sydney', timeZoneName: 'longOffset' })

/**
 * Converts a wall-clock time in Sydney, given as a Date whose UTC fields show that time, to UTC. Of the hour that
 * occurs twice in autumn, the first occurrence is meant. A time in the hour that is skipped in spring is read as one
 * hour later.
 */
export function sydneyToUtc(wallClock: Date): Date {
  const inSummer = wallClock.getTime() - SUMMER_OFFSET_MS
  return new Date(isSummerTime(inSummer) ? inSummer : wallClock.getTime() - WINTER_OFFSET_MS)
}

function isSummerTime(at: number): boolean {
  const zone = SYDNEY.formatToParts(at).find(({ type }) => type === 'timeZoneName')
  return zone?.value === 'GMT+11:00'
}
