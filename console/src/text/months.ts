// Months and their days, all in UTC. A month is a string such as `2026-08`.
import { DAY_MS, toDay } from './days.ts'

const MONTH_NAME = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const DAY_NAME = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const LONG_DAY_NAME = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })

/** Returns the text if it is a month such as `2026-08`. */
export function readMonth(text: unknown): string | undefined {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}$/.test(text)) return undefined
  return Number.isNaN(Date.parse(`${text}-01`)) ? undefined : text
}

/** Returns the month of a day or time: `2026-08`. */
export function toMonth(day: string): string {
  return day.slice(0, 7)
}

/** Returns the month that is this many months later, or earlier if the number is negative. */
export function shiftMonth(month: string, months: number): string {
  const date = new Date(`${month}-01T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + months)
  return toMonth(date.toISOString())
}

/** Returns the day that is this many days later, or earlier if the number is negative. */
export function shiftDay(day: string, days: number): string {
  return toDay(new Date(Date.parse(day) + days * DAY_MS))
}

/** Lists all days from the first to the last, inclusive. */
export function listDays(first: string, last: string): readonly string[] {
  const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1
  return Array.from({ length: Math.max(0, count) }, (_, index) => shiftDay(first, index))
}

export function firstDayOf(month: string): string {
  return `${month}-01`
}

export function lastDayOf(month: string): string {
  return shiftDay(firstDayOf(shiftMonth(month, 1)), -1)
}

/** Formats a month: `August 2026`. */
export function formatMonth(month: string): string {
  return MONTH_NAME.format(new Date(`${month}-01T00:00:00Z`))
}

/** Formats a day without its year: `11 Aug`. */
export function formatShortDay(day: string): string {
  return DAY_NAME.format(new Date(`${day}T00:00:00Z`))
}

/** Formats a day without its year: `11 August`. */
export function formatLongDay(day: string): string {
  return LONG_DAY_NAME.format(new Date(`${day}T00:00:00Z`))
}

const SHORT_MONTH_NAME = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' })

/** Formats a month without its year: `Aug`. */
export function formatShortMonth(month: string): string {
  return SHORT_MONTH_NAME.format(new Date(`${month}-01T00:00:00Z`))
}
