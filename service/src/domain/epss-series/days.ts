// Days as text (YYYY-MM-DD), which sorts chronologically.
import { formatDay } from '../instant.ts'

/** FIRST published no EPSS files before this day. */
export const FIRST_EPSS_DAY = '2021-04-14'

/** Five years with two leap days. */
export const MAX_WINDOW_DAYS = 1827

const MS_PER_DAY = 86_400_000

export function addDays(day: string, count: number): string {
  return formatDay(new Date(toTime(day) + count * MS_PER_DAY))
}

/** Counts from one day to another: 1 if `to` is the day after `from`. */
export function countDays(from: string, to: string): number {
  return (toTime(to) - toTime(from)) / MS_PER_DAY
}

/** Lists the days from `first` to `last`, both included. */
export function listDays(first: string, last: string): readonly string[] {
  const start = toTime(first)
  const length = Math.max(0, countDays(first, last) + 1)
  return Array.from({ length }, (_, index) => formatDay(new Date(start + index * MS_PER_DAY)))
}

/** Days that follow each other without a gap, both ends included. */
export interface DayRange {
  readonly from: string
  readonly to: string
}

/** `days` is sorted. */
export function joinDays(days: readonly string[]): readonly DayRange[] {
  const ranges: { from: string; to: string }[] = []
  for (const day of days) {
    const last = ranges.at(-1)
    if (last && addDays(last.to, 1) === day) last.to = day
    else ranges.push({ from: day, to: day })
  }
  return ranges
}

/** Returns the first day of the month. */
export function toMonth(day: string): string {
  return `${day.slice(0, 'YYYY-MM'.length)}-01`
}

export function toDayOfMonth(day: string): number {
  return Number(day.slice('YYYY-MM-'.length))
}

const toTime = (day: string) => Date.parse(`${day}T00:00:00Z`)
