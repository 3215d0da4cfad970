// Wall-clock time in Sydney: ten hours ahead of UTC, eleven in summer.

const WINTER_OFFSET_MS = 10 * 3_600_000
const SUMMER_OFFSET_MS = 11 * 3_600_000

const SYDNEY = new Intl.DateTimeFormat('en-AU', { timeZone: 'Australia/Sydney', timeZoneName: 'longOffset' })

/**
 * What a clock on the wall in Sydney shows, given as if it were UTC, to the instant it means. Of the hour that
 * happens twice in autumn, the first is meant; a time in the hour that spring leaves out is read an hour later.
 */
export function sydneyToUtc(wallClock: Date): Date {
  const inSummer = wallClock.getTime() - SUMMER_OFFSET_MS
  return new Date(isSummerTime(inSummer) ? inSummer : wallClock.getTime() - WINTER_OFFSET_MS)
}

function isSummerTime(at: number): boolean {
  const zone = SYDNEY.formatToParts(at).find(({ type }) => type === 'timeZoneName')
  return zone?.value === 'GMT+11:00'
}
