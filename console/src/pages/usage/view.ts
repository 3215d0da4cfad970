// What the usage page shows for a month, computed from the service's rows.
import type { Usage, UsageBreakdown } from 'vis-sdk'
import { firstDayOf, lastDayOf, listDays } from '../../text/months.ts'
import { type Forecast, forecastCredits } from './forecast.ts'
import type { Grouping } from './grouping.ts'
import {
  type Amount,
  type Chart,
  type GetGroup,
  type GroupAmount,
  sumByDay,
  sumByGroup,
  toChart,
  type UsageRow,
} from './series.ts'

interface ViewInput {
  /** Rows of the month and of the days before it. */
  readonly breakdown: UsageBreakdown
  readonly month: string
  readonly current: string
  readonly grouping: Grouping
  readonly usage: Usage
}

export interface UsageView {
  readonly month: string
  readonly isCurrent: boolean
  /** Last day with values: today, or the last day of a past month. */
  readonly today: string
  readonly rows: readonly UsageRow[]
  readonly chart: Chart
  readonly groups: readonly GroupAmount[]
  readonly totals: Amount
  readonly forecast: Forecast | undefined
}

export function toView({ breakdown, month, current, grouping, usage }: ViewInput): UsageView {
  const [first, last] = [firstDayOf(month), lastDayOf(month)]
  const isCurrent = month === current
  const rows = breakdown.rows.filter(({ day = '' }) => day >= first && day <= last)
  const getGroup: GetGroup = grouping === 'endpoint' ? ({ endpoint = '' }) => endpoint : ({ key_id }) => key_id ?? ''
  const today = breakdown.to < last ? breakdown.to : last
  const forecast = forecastCredits({
    creditsByDay: sumByDay(breakdown.rows),
    today,
    lastDay: last,
    used: usage.credits_used,
    limit: usage.credits_limit,
  })
  return {
    month,
    isCurrent,
    today,
    rows,
    chart: toChart(rows, listDays(first, last), getGroup),
    groups: sumByGroup(rows, getGroup),
    totals: sumByGroup(rows, () => 'all')[0] ?? { calls: 0, credits: 0 },
    forecast: isCurrent ? forecast : undefined,
  }
}
