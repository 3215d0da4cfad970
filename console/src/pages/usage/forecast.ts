// The credits that the account will have used at the end of the month, if it goes on as in the last week.
import { listDays, shiftDay } from '../../text/months.ts'

/** A whole week, so that quiet weekends weigh as much as they do in a month. */
export const FORECAST_DAYS = 7

interface ForecastInput {
  /** Credits by day. It must contain the last 7 days before today, as far as they have any. */
  readonly creditsByDay: ReadonlyMap<string, number>
  readonly today: string
  readonly lastDay: string
  /** Credits used in this month until now. */
  readonly used: number
  readonly limit: number
}

export interface Forecast {
  /** Credits used at the end of the month. */
  readonly total: number
  /** Mean credits of a day in the last complete days. */
  readonly perDay: number
  /** Number of complete days behind the mean, 1 to 7. */
  readonly basisDays: number
  /** Credits that are still expected today. */
  readonly restOfToday: number
  /** Day on which the credits run out, if they do in this month. */
  readonly runsOutOn: string | undefined
}

/**
 * Adds to the credits used so far the mean of the last complete days for each day that is left, and for today what is
 * missing to that mean. Days before the first use do not count. Returns undefined without a complete day.
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
