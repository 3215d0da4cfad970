// Forecasts the credits used by the end of the month, at the pace of the last week.
import { listDays, shiftDay } from '../../text/months.ts'

/** A whole week, so that quiet weekends have the same weight as in a month. */
export const FORECAST_DAYS = 7

interface ForecastInput {
  /** Credits by day. It must include the last 7 days before today, if they have any. */
  readonly creditsByDay: ReadonlyMap<string, number>
  readonly today: string
  readonly lastDay: string
  /** Credits used so far this month. */
  readonly used: number
  readonly limit: number
}

export interface Forecast {
  /** Credits used by the end of the month. */
  readonly total: number
  /** Mean credits per day over the last complete days. */
  readonly perDay: number
  /** Number of complete days that the mean is based on, 1 to 7. */
  readonly basisDays: number
  /** Credits that are still expected today. */
  readonly restOfToday: number
  /** Day on which the credits run out, if that is this month. */
  readonly runsOutOn: string | undefined
}

/**
 * Adds to the credits used so far the mean of the last complete days for each remaining day, and for today the
 * difference up to that mean. Days before the first use do not count. Returns undefined if there is no complete day.
 */
export function forecastCredits({ creditsByDay, today, lastDay, used, limit }: ForecastInput): Forecast | undefined {
  const window = listDays(shiftDay(today, -FORECAST_DAYS), shiftDay(today, -1))
  const first = window.findIndex((day) => (creditsByDay.get(day) ?? 0) > 0)
  if (first === -1) return undefined
  const basis = window.slice(first)
  const perDay = basis.reduce((sum, day) => sum + (creditsByDay.get(day) ?? 0), 0) / basis.length
  const restOfToday = Math.max(0, perDay - (creditsByDay.get(today) ?? 0))
  const daysLeft = listDays(shiftDay(today, 1), lastDay)
  const total = used + restOfToday + perDay * daysLeft.length
  const afterToday = used + restOfToday
  const daysUntilEmpty = Math.ceil((limit - afterToday) / perDay)
  const runsOutOn = total <= limit ? undefined : shiftDay(today, Math.max(0, daysUntilEmpty))
  return { total: Math.round(total), perDay, basisDays: basis.length, restOfToday, runsOutOn }
}
