// Converts wall-clock time in Sydney to UTC. Sydney time is ten hours ahead of UTC, and eleven hours ahead in summer.

const WINTER_OFFSET_MS = 10 * 3_600_000
const SUMMER_OFFSET_MS = 11 * 3_600_000

const SYDNEY = new Intl.DateTimeFormat('en-AU', { timeZone: 'Australia/Sydney', timeZoneName: 'longOffset' })

/**
 * `wallClock` shows Sydney time in its UTC fields. Of an hour that occurs twice, the first is meant; a time in a
 * skipped hour is read as one hour later.
 */
export function sydneyToUtc(wallClock: Date): Date {
  const inSummer = wallClock.getTime() - SUMMER_OFFSET_MS
  return new Date(isSummerTime(inSummer) ? inSummer : wallClock.getTime() - WINTER_OFFSET_MS)
}

function isSummerTime(at: number): boolean {
  const zone = SYDNEY.formatToParts(at).find(({ type }) => type === 'timeZoneName')
  return zone?.value === 'GMT+11:00'
}
