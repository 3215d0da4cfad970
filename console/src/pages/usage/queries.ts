// Reads for the usage page: one per month and grouping.
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../data/client.ts'
import { firstDayOf, lastDayOf, shiftDay } from '../../text/months.ts'
import { FORECAST_DAYS } from './forecast.ts'
import type { Grouping } from './grouping.ts'

interface BreakdownSpec {
  readonly month: string
  readonly isCurrent: boolean
  readonly grouping: Grouping
}

/** Returns the query for a month. For the current month, it includes the earlier days that the forecast may need. */
export function breakdownQuery({ month, isCurrent, grouping }: BreakdownSpec) {
  const first = firstDayOf(month)
  const range = isCurrent ? { from: shiftDay(first, -FORECAST_DAYS) } : { from: first, to: lastDayOf(month) }
  return queryOptions({
    queryKey: ['usage-breakdown', month, grouping],
    queryFn: ({ signal }) => client.usageBreakdown({ by: ['day', grouping], ...range, signal }),
  })
}
