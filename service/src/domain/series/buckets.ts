// The buckets of a series: days, ISO weeks or months in UTC, each as its first and last day.
import { addDays, type DayRange, toMonth } from '../epss-series/days.ts'

export const BUCKETS = ['day', 'week', 'month'] as const

export type Bucket = (typeof BUCKETS)[number]

/** Returns the first day of the bucket that contains the day. */
function findStart(bucket: Bucket, day: string): string {
  if (bucket === 'day') return day
  if (bucket === 'month') return toMonth(day)
  // getUTCDay counts from Sunday, an ISO week from Monday.
  return addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7))
}

/** Returns the first day of the bucket after the one that starts on this day. */
function findNextStart(bucket: Bucket, start: string): string {
  if (bucket === 'day') return addDays(start, 1)
  return bucket === 'week' ? addDays(start, 7) : toMonth(addDays(start, 31))
}

export const MAX_BUCKETS = 400

/**
 * Divides a window into buckets. The first and the last one are shorter if the window begins or ends within them.
 * Returns undefined if there are more than MAX_BUCKETS.
 */
export function listBuckets(bucket: Bucket, { from, to }: DayRange): readonly DayRange[] | undefined {
  const buckets: DayRange[] = []
  for (let start = from; start <= to; ) {
    if (buckets.length === MAX_BUCKETS) return undefined
    const next = findNextStart(bucket, findStart(bucket, start))
    buckets.push({ from: start, to: next > to ? to : addDays(next, -1) })
    start = next
  }
  return buckets
}

const DEFAULT_DAYS = 90
const DEFAULT_MONTHS = 13

/** The default window of a series that ends on this day: 90 days, or 13 months that begin with a whole bucket. */
export function findDefaultStart(bucket: Bucket, to: string): string {
  if (bucket === 'day') return addDays(to, 1 - DEFAULT_DAYS)
  let month = toMonth(to)
  for (let passed = 1; passed < DEFAULT_MONTHS; passed++) month = toMonth(addDays(month, -1))
  return findStart(bucket, month)
}
