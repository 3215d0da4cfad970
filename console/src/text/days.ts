// Days and differences between days, all in UTC.
import { formatNumber } from './format.ts'

export const DAY_MS = 86_400_000

/** Returns the day in a time or date string, or undefined if there is none. */
export function readDay(text: string | null | undefined): string | undefined {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(text ?? '')?.[0]
  return day !== undefined && !Number.isNaN(Date.parse(day)) ? day : undefined
}

/** Returns the day of a time: `2026-08-22`. */
export function toDay(time: Date): string {
  return time.toISOString().slice(0, 10)
}

interface DueDate {
  readonly isOverdue: boolean
  /** A phrase such as "due in 12 days", "due today" or "3 days overdue". */
  readonly phrase: string
}

/** Describes a due date relative to a day. Returns undefined if the text is not a day. */
export function describeDueDate(dueDate: string, today: string): DueDate | undefined {
  const day = readDay(dueDate)
  if (day === undefined) return undefined
  const days = Math.round((Date.parse(day) - Date.parse(today)) / DAY_MS)
  if (days === 0) return { isOverdue: false, phrase: 'due today' }
  const amount = `${formatNumber(Math.abs(days))} ${Math.abs(days) === 1 ? 'day' : 'days'}`
  return days > 0 ? { isOverdue: false, phrase: `due in ${amount}` } : { isOverdue: true, phrase: `${amount} overdue` }
}
