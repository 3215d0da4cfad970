// Days and differences between days, all in UTC.

const DAY_MS = 86_400_000

/** Returns the day of a time or day text, or undefined if the text has none. */
export function readDay(text: string | null | undefined): string | undefined {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(text ?? '')?.[0]
  return day !== undefined && !Number.isNaN(Date.parse(day)) ? day : undefined
}

export interface DueDate {
  readonly isOverdue: boolean
  /** Phrase such as "12 days left", "due today" or "3 days overdue". */
  readonly phrase: string
}

/** Returns undefined if the text is not a day. */
export function describeDueDate(dueDate: string, now: Date): DueDate | undefined {
  const day = readDay(dueDate)
  if (day === undefined) return undefined
  const today = Date.parse(now.toISOString().slice(0, 10))
  const days = Math.round((Date.parse(day) - today) / DAY_MS)
  if (days === 0) return { isOverdue: false, phrase: 'due today' }
  const amount = `${Math.abs(days).toLocaleString('en')} ${Math.abs(days) === 1 ? 'day' : 'days'}`
  return days > 0 ? { isOverdue: false, phrase: `${amount} left` } : { isOverdue: true, phrase: `${amount} overdue` }
}
