// Converts wall-clock time in Sydney to UTC. Sydney is ten hours ahead of UTC, eleven in summer.

const WINTER_OFFSET_MS = 10 * 3_600_000
const SUMMER_OFFSET_MS = 11 * 3_600_000

const SYDNEY = new Intl.DateTimeFormat('en-AU', { timeZone: 'Australia/Sydney', timeZoneName: 'longOffset' })

/**
 * Takes the wall-clock time in a Date as if it were UTC. For the hour that occurs twice in autumn it returns the first
 * occurrence; a time in the hour that is skipped in spring is read as one hour later.
 */
export function sydneyToUtc(wallClock: Date): Date {
  const inSummer = wallClock.getTime() - SUMMER_OFFSET_MS
  return new Date(isSummerTime(inSummer) ? inSummer : wallClock.getTime() - WINTER_OFFSET_MS)
}

function isSummerTime(at: number): boolean {
  const zone = SYDNEY.formatToParts(at).find(({ type }) => type === 'timeZoneName')
  return zone?.value === 'GMT+11:00'
}
