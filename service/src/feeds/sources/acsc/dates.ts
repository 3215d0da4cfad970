// Dates as the ACSC writes them: those of mail in its feeds, days on its pages; in Sydney unless they say where.
import { parseDateTime } from '../../../domain/instant.ts'
import { sydneyToUtc } from '../../../domain/sydney-time.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

// RFC 822 has years of two digits too; nobody can tell their century, so they are refused.
const MAIL_DATE =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?(\d{1,2}) (\w{3}) (\d{4}) (\d{2}:\d{2})(:\d{2})?(?: ([+-]\d{4}|[A-Z]+))?$/
const DAY = /^(\d{1,2}) (\w{3})\w* (\d{4})$/

/** `EST` is not among them: it is New York's as often as Sydney's. */
const ZONES: Readonly<Record<string, string>> = {
  GMT: '+0000',
  UT: '+0000',
  UTC: '+0000',
  Z: '+0000',
  AEST: '+1000',
  AEDT: '+1100',
}

export function parseMailDate(text: string): Date | undefined {
  const [, day, month, year, time, seconds = ':00', zone] = MAIL_DATE.exec(text.trim().replaceAll(/\s+/g, ' ')) ?? []
  const date = isoDay(day, month, year)
  if (date === undefined) return undefined
  if (zone === undefined) return fromSydney(`${date}T${time}${seconds}`)
  const offset = zone.length === 5 && !/[A-Z]/.test(zone) ? zone : ZONES[zone]
  if (offset === undefined) return undefined
  return parseDateTime(`${date}T${time}${seconds}${offset.slice(0, 3)}:${offset.slice(3)}`)
}

/** `09 Feb 2024` or `9 February 2024`: when that day began in Sydney. */
export function parseDay(text: string): Date | undefined {
  const [, day, month, year] = DAY.exec(text) ?? []
  const date = isoDay(day, month, year)
  return date === undefined ? undefined : fromSydney(`${date}T00:00:00`)
}

function isoDay(day: string | undefined, month = '', year = ''): string | undefined {
  const index = MONTHS.indexOf(month)
  if (day === undefined || index < 0) return undefined
  return `${year}-${String(index + 1).padStart(2, '0')}-${day.padStart(2, '0')}`
}

function fromSydney(wallClock: string): Date | undefined {
  const shown = parseDateTime(`${wallClock}Z`)
  return shown && sydneyToUtc(shown)
}
