// The window of days that a call requests.

import { createIssue } from '../../../contract/request/validation-issue.ts'
import { invalidParameters } from '../../../contract/response/errors.ts'
import { addDays, countDays, type DayRange, MAX_WINDOW_DAYS } from '../../../domain/epss-series/days.ts'
import { formatDay } from '../../../domain/instant.ts'

const DEFAULT_DAYS = 90
interface Asked {
  readonly from: Date | undefined
  readonly to: Date | undefined
}

/** Completes the requested window. Throws 400 if it ends before it begins or is longer than five years. */
export function findWindow(asked: Asked, now: Date): DayRange {
  const to = formatDay(asked.to ?? now)
  const from = asked.from ? formatDay(asked.from) : addDays(to, 1 - DEFAULT_DAYS)
  if (from > to) throw invalidFrom(from, `a day that is not later than to, which is ${to}`)
  if (countDays(from, to) >= MAX_WINDOW_DAYS)
    throw invalidFrom(
      from,
      `a day from ${addDays(to, 1 - MAX_WINDOW_DAYS)}: a window has at most five years, and to is ${to}`,
    )
  return { from, to }
}

const invalidFrom = (from: string, expects: string) => invalidParameters([createIssue('from', from, expects)])
