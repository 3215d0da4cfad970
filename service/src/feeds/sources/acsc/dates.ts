// Parses ACSC dates: RFC 822 dates in the RSS feeds, days on notice pages, and ISO 8601 dates in operators' files. Times
// without a time zone are Sydney time.
import { parseDate, parseDateTime } from '../../../domain/instant.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

// RFC 822 also allows two-digit years, which are rejected because their century is ambiguous.
const RFC822_DATE =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?(\d{1,2}) (\w{3}) (\d{4}) (\d{2}:\d{2})(:\d{2})?(?: ([+-]\d{4}|[A-Z]+))?$/
const DAY = /^(\d{1,2}) (\w{3})\w* (\d{4})$/

/** Accepted time zone names. `EST` is missing because it can mean New York or Sydney time. */
const ZONES: Readonly<Record<string, string>> = {
  GMT: '+0000',
  UT: '+0000',
  UTC: '+0000',
  Z: '+0000',
  AEST: '+1000',
  AEDT: '+1100',
}

export function parseRfc822Date(text: string): Date | undefined {
  const [, day, month, year, time, seconds = ':00', zone] = RFC822_DATE.exec(text.trim().replaceAll(/\s+/g, ' ')) ?? []
  const date = toIsoDate(day, month, year)
  if (date === undefined) return undefined
  if (zone === undefined) return parseSydneyTime(`${date}T${time}${seconds}`)
  const offset = zone.length === 5 && !/[A-Z]/.test(zone) ? zone : ZONES[zone]
  if (offset === undefined) return undefined
  return parseDateTime(`${date}T${time}${seconds}${offset.slice(0, 3)}:${offset.slice(3)}`)
}

/** Converts a day such as `09 Feb 2024` or `9 February 2024` to the instant at which that day began in Sydney. */
export function parseDay(text: string): Date | undefined {
  const [, day, month, year] = DAY.exec(text) ?? []
  const date = toIsoDate(day, month, year)
  return date === undefined ? undefined : parseSydneyTime(`${date}T00:00:00`)
}

const ZONE = /(?:Z|[+-]\d{2}:\d{2})$/

/** Converts a day such as `2026-09-28`, which begins in Sydney, or a time with its zone. */
export function parseWrittenDate(text: string): Date | undefined {
  const day = parseDate(text)
  if (day !== undefined) return sydneyToUtc(day)
  return ZONE.test(text) ? parseDateTime(text) : undefined
}

function toIsoDate(day: string | undefined, month = '', year = ''): string | undefined {
  const index = MONTHS.indexOf(month)
  if (day === undefined || index < 0) return undefined
  return `${year}-${String(index + 1).padStart(2, '0')}-${day.padStart(2, '0')}`
}

function parseSydneyTime(wallClock: string): Date | undefined {
  const localTime = parseDateTime(`${wallClock}Z`)
  return localTime && sydneyToUtc(localTime)
}

const WINTER_OFFSET_MS = 10 * 3_600_000
const SUMMER_OFFSET_MS = 11 * 3_600_000

const SYDNEY = new Intl.DateTimeFormat('en-AU', { timeZone: 'Australia/Sydney', timeZoneName: 'longOffset' })

/**
 * `wallClock` holds Sydney time in its UTC fields. If a time occurs twice when clocks go back, the first one is used; a
 * time that is skipped when clocks go forward is read as one hour later.
 */
export function sydneyToUtc(wallClock: Date): Date {
  const inSummer = wallClock.getTime() - SUMMER_OFFSET_MS
  return new Date(isSummerTime(inSummer) ? inSummer : wallClock.getTime() - WINTER_OFFSET_MS)
}

function isSummerTime(at: number): boolean {
  const zone = SYDNEY.formatToParts(at).find(({ type }) => type === 'timeZoneName')
  return zone?.value === 'GMT+11:00'
}
