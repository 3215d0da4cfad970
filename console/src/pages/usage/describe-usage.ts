// Texts about used and expected credits.
import { formatNumber } from '../../text/format.ts'
import { formatLongDay } from '../../text/months.ts'
import type { Forecast } from './forecast.ts'

/** Formats a percentage: `41.1 % of the credits`, or `0 %` if none were used. */
export function formatShare(percentage: number): string {
  return `${percentage === 0 ? 0 : percentage.toFixed(1)} % of the credits`
}

/** Describes whether the credits last until the end of the month. */
export function describeForecast(forecast: Forecast | undefined, limit: number): string {
  if (!forecast) return 'known after the first complete day of use'
  const { total, runsOutOn } = forecast
  if (runsOutOn) return `runs out about ${formatLongDay(runsOutOn)}`
  return limit === 0 ? 'no credits' : `${Math.round((total / limit) * 100)} %, enough`
}

/** Describes the pace that the forecast is based on. */
export function describePace(forecast: Forecast | undefined): string {
  return forecast ? `about ${formatNumber(Math.round(forecast.perDay))} credits a day` : 'in this month'
}

/** Explains how the forecast is computed. */
export function explainForecast({ basisDays, perDay }: Forecast): string {
  const basis = basisDays === 1 ? 'yesterday' : `the last ${basisDays} complete days`
  const pace = formatNumber(Math.round(perDay))
  return `The forecast adds ${pace} credits, the daily mean of ${basis}, for each day that is left.`
}
