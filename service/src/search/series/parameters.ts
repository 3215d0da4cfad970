// The parameters that /stats/series and /stats/top share, and the window of days that they request.
import { optional } from '../../contract/request/parameters.ts'
import { createIssue } from '../../contract/request/validation-issue.ts'
import { date, withExample } from '../../contract/request/value-types.ts'
import { invalidParameters } from '../../contract/response/errors.ts'
import { addDays, type DayRange } from '../../domain/epss-series/days.ts'
import { formatDay } from '../../domain/instant.ts'
import { type Bucket, findDefaultStart, listBuckets, MAX_BUCKETS } from '../../domain/series/buckets.ts'
import { productVendor } from '../filters/names.ts'

const describeWindow = (defaultLength: string) => ({
  from: optional(
    withExample(date(), '2026-08-01'),
    `First day of the window, in UTC. Default: so that the window has ${defaultLength}.`,
  ),
  to: optional(
    withExample(date(), '2026-08-22'),
    'Last day of the window, in UTC. Default: today, as far as it has passed.',
  ),
  product_vendor: productVendor.parameter,
})

export const WINDOW_PARAMETERS = describeWindow('90 days')
export const SERIES_PARAMETERS = describeWindow('90 days, or 13 months with bucket=week and bucket=month')

interface Asked {
  readonly from: Date | undefined
  readonly to: Date | undefined
}

/** Completes the requested window. Throws 400 for a window that cannot be answered. */
export function readWindow(asked: Asked, now: Date): DayRange {
  return findEnds(divideWindow('day', asked, now, ''))
}

/** Completes the requested window and divides it. Throws 400 for a window that cannot be answered. */
export function readBuckets(bucket: Bucket, asked: Asked, now: Date): readonly DayRange[] {
  return divideWindow(bucket, asked, now, bucket === 'month' ? '' : ', or send bucket=month')
}

/** `advice` ends the message about a window that is too long. */
function divideWindow(bucket: Bucket, asked: Asked, now: Date, advice: string): readonly DayRange[] {
  const today = formatDay(now)
  const to = asked.to ? formatDay(asked.to) : today
  if (to > today) throw reject('to', to, `a day that is not later than today, which is ${today} in UTC`)
  const from = asked.from ? formatDay(asked.from) : findDefaultStart(bucket, to)
  if (from > to) throw reject('from', from, `a day that is not later than to, which is ${to}`)
  const buckets = listBuckets(bucket, { from, to })
  if (buckets) return buckets
  throw reject('from', from, `a later day: a window has at most ${MAX_BUCKETS} ${bucket}s, and to is ${to}${advice}`)
}

/** Returns the first and the last day of all buckets. */
export function findEnds(buckets: readonly DayRange[]): DayRange {
  const [first, last] = [buckets[0], buckets.at(-1)]
  if (!first || !last) throw new Error('a window has at least one bucket')
  return { from: first.from, to: last.to }
}

/** Returns the first day of the window of which every event is known. */
export function findCountedFrom({ from, to }: DayRange, completeSince: string | null): string | null {
  if (completeSince === null) return null
  const day = completeSince.slice(0, 'YYYY-MM-DD'.length)
  const firstWhole = completeSince > `${day}T00:00:00Z` ? addDays(day, 1) : day
  const first = from > firstWhole ? from : firstWhole
  return first > to ? null : first
}

const reject = (name: string, value: string, expects: string) => invalidParameters([createIssue(name, value, expects)])
