// The EPSS scores of a CVE in the last weeks, for a small chart in a list.
import { decodeValues, fromUnits } from './codec.ts'
import { addDays, countDays, type DayRange } from './days.ts'

export const TREND_WEEKS = 13
const DAYS_PER_WEEK = 7
const TREND_DAYS = TREND_WEEKS * DAYS_PER_WEEK

/** The months that the database must read begin this many days before the newest release. */
export const DAYS_BEFORE_NEWEST = TREND_DAYS - 1

/** The encoded scores of a month (codec.ts). */
export interface ScoredMonth {
  /** First day of the month. */
  readonly month: string
  /** In hexadecimal. */
  readonly scores: string
}

export interface ModelChange {
  readonly date: string
  readonly model: string | null
  readonly previous: string | null
}

export interface EpssTrend extends DayRange {
  /** Of all days, not only of those in `scores`. Null, like `highest`, if no score is known. */
  readonly lowest: number | null
  readonly highest: number | null
  /** The last score that is known in each week, oldest first. */
  readonly scores: readonly (number | null)[]
}

/**
 * The last week ends with `to`, the day of the newest release. `newest` is the CVE's score in that release: the history
 * may get it a little later.
 */
export function computeTrend(to: string, newest: number | null, months: readonly ScoredMonth[]): EpssTrend {
  const from = addDays(to, -DAYS_BEFORE_NEWEST)
  const days = Array.from<number | null>({ length: TREND_DAYS }).fill(null)
  for (const { month, scores } of months) {
    const offset = countDays(from, month)
    for (const [index, units] of decodeValues(Buffer.from(scores, 'hex')).entries()) {
      const day = offset + index
      if (units !== null && day >= 0 && day < TREND_DAYS) days[day] = fromUnits(units)
    }
  }
  if (newest !== null) days[DAYS_BEFORE_NEWEST] = newest
  const known = days.filter((score) => score !== null)
  const weeks = Array.from({ length: TREND_WEEKS }, (_, week) =>
    days.slice(week * DAYS_PER_WEEK, (week + 1) * DAYS_PER_WEEK),
  )
  return {
    from,
    to,
    lowest: known.length === 0 ? null : Math.min(...known),
    highest: known.length === 0 ? null : Math.max(...known),
    scores: weeks.map((week) => week.findLast((score) => score !== null) ?? null),
  }
}
