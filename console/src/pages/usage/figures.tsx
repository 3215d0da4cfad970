// The figures above the chart: credits left, used and expected, and calls.
import type { Usage } from 'vis-sdk'
import { Stat } from '../../kit/stat.tsx'
import { formatNumber } from '../../text/format.ts'
import { formatLongDay, formatShortDay } from '../../text/months.ts'
import { describeForecast, describePace, formatShare } from './describe-usage.ts'
import type { Forecast } from './forecast.ts'
import type { Amount, DayBar } from './series.ts'

const ROW = 'grid grid-cols-2 gap-3 lg:grid-cols-4'

interface CurrentFiguresProps {
  readonly usage: Usage
  readonly totals: Amount
  readonly forecast: Forecast | undefined
  readonly lastDay: string
}

export function CurrentFigures({ usage, totals, forecast, lastDay }: CurrentFiguresProps) {
  const { credits_limit: limit, credits_used: used, credits_remaining: left } = usage
  return (
    <dl className={ROW}>
      <Stat
        label="Credits left"
        value={formatNumber(left)}
        note={`of ${formatNumber(limit)} until ${formatShortDay(lastDay)}`}
      />
      <Stat label="Used" value={formatNumber(used)} note={formatShare(usage.percentage_used)} />
      <Stat
        label={`At this pace by ${formatShortDay(lastDay)}`}
        value={forecast ? formatNumber(forecast.total) : '–'}
        note={
          <span className={forecast?.runsOutOn ? 'font-medium text-critical' : ''}>
            {describeForecast(forecast, limit)}
          </span>
        }
      />
      <Stat label="Calls" value={formatNumber(totals.calls)} note={describePace(forecast)} />
    </dl>
  )
}

interface PastFiguresProps {
  readonly totals: Amount
  readonly bars: readonly DayBar[]
}

export function PastFigures({ totals, bars }: PastFiguresProps) {
  const busiest = bars.reduce<DayBar | undefined>(
    (top, bar) => (bar.credits > (top?.credits ?? 0) ? bar : top),
    undefined,
  )
  return (
    <dl className={ROW}>
      <Stat label="Used" value={formatNumber(totals.credits)} note="credits" />
      <Stat label="Calls" value={formatNumber(totals.calls)} />
      <Stat label="Mean of a day" value={formatNumber(Math.round(totals.credits / bars.length))} note="credits" />
      <Stat
        label="Busiest day"
        value={busiest ? formatLongDay(busiest.day) : '–'}
        note={busiest ? `${formatNumber(busiest.credits)} credits` : 'No credits were used.'}
      />
    </dl>
  )
}
