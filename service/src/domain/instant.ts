// Times in requests and responses: UTC, whole seconds (decisions C1, C9).

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:Z|([+-])(\d{2}):(\d{2}))?$/

/** Stands for the date of a record that has none; earlier than every real date. */
export const UNDATED = new Date(0)

/** Cached, because a record and all answers within a second show the same times again and again. */
const knownTexts = new Map<number, string>()
const MAX_TEXTS = 1000

/** Formats as `2026-08-22T09:30:00Z`. */
export function formatInstant(instant: Date): string {
  const second = Math.floor(instant.getTime() / 1000)
  const known = knownTexts.get(second)
  if (known !== undefined) return known
  const text = `${instant.toISOString().slice(0, 19)}Z`
  if (knownTexts.size >= MAX_TEXTS) knownTexts.clear()
  knownTexts.set(second, text)
  return text
}

/** Formats as `2026-08-22`, in UTC. */
export function formatDay(time: Date): string {
  return formatInstant(time).slice(0, 'YYYY-MM-DD'.length)
}

/** Returns the first instant of the day in UTC, or undefined for a day that does not exist. */
export function parseDate(text: string): Date | undefined {
  const [, year, month, day] = DATE.exec(text) ?? []
  if (year === undefined || month === undefined || day === undefined) return undefined
  // The calendar has no year 0, and PostgreSQL rejects it.
  if (year === '0000') return undefined
  const date = new Date(0)
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  // setUTCFullYear moves a day that does not exist into the next month. An import of all feeds parses about a million
  // dates, so this check must be fast.
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) ? date : undefined
}

/** Reads a time without an offset as UTC and drops fractions of a second. */
export function parseDateTime(text: string): Date | undefined {
  const [, day, hour, minute, second, sign, offsetHour = '0', offsetMinute = '0'] = DATE_TIME.exec(text) ?? []
  const midnight = day === undefined ? undefined : parseDate(day)
  if (midnight === undefined) return undefined
  const parts = [hour, minute, second, offsetHour, offsetMinute].map(Number)
  const [hours = 24, minutes = 60, seconds = 60, offsetHours = 24, offsetMinutes = 60] = parts
  if (hours > 23 || minutes > 59 || seconds > 59 || offsetHours > 23 || offsetMinutes > 59) return undefined
  const offset = (offsetHours * 60 + offsetMinutes) * (sign === '-' ? -1 : 1)
  return new Date(midnight.getTime() + ((hours * 60 + minutes - offset) * 60 + seconds) * 1000)
}
