// When a number that the service records has its first value: a chart needs one whole day, a tile a whole week.
import type { StatsSeries } from 'vis-sdk'
import { shiftDay } from '../../../text/months.ts'
import { listWeeks } from './weeks.ts'

/** Weeks in the chart of the days. */
export const CHART_WEEKS = 4
const WEEK_DAYS = 7

/** Returns the first day that was recorded from its beginning. */
export function findFirstDay(since: string): string {
  const day = since.slice(0, 10)
  return /T00:00:00(?:\.0+)?Z$/.test(since) ? day : shiftDay(day, 1)
}

/** Returns the day on which the first whole week ends. */
export function findFirstWeekEnd(since: string): string {
  return shiftDay(findFirstDay(since), WEEK_DAYS - 1)
}

/** Returns whether the chart of the days would be empty, because none of its days is known. */
export function isChartEmpty({ to, buckets }: Pick<StatsSeries, 'to' | 'buckets'>): boolean {
  const from = listWeeks(to, CHART_WEEKS)[0]?.from ?? to
  return buckets.every((bucket) => bucket.from < from || bucket.count === null)
}
