// Selects the events of a metric within a window of days.
import { type RawBuilder, sql } from 'kysely'
import { addDays, type DayRange } from '../../domain/epss-series/days.ts'
import type { SplitName } from '../../domain/series/metrics.ts'
import { buildFilters } from '../filters/build-filters.ts'
import { joinConditions } from '../keyset-page.ts'
import type { EventMetric } from './metrics.ts'

export interface EventQuery {
  readonly metric: EventMetric
  /** Buckets in order, without gaps: the window is all of them. */
  readonly buckets: readonly DayRange[]
  readonly productVendor: readonly string[] | undefined
}

/** The first moment of the day in UTC. */
const toMoment = (day: string) => `${day}T00:00:00Z`

/** Selects `bucket` (1 for the first), `cve_key` and `value` of each event. */
export function selectEvents({ metric, buckets, productVendor }: EventQuery, by?: SplitName): RawBuilder<unknown> {
  const { from, key, at, atType, condition } = metric
  const split = by && metric.by[by]
  const starts = buckets.map((bucket) => toMoment(bucket.from))
  const end = toMoment(addDays(buckets.at(-1)?.to ?? '', 1))
  const type = sql.raw(atType)
  const conditions = [
    sql`${at} >= ${starts[0]}::${type}`,
    sql`${at} < ${end}::${type}`,
    ...(split?.beside ? [] : [condition]),
    ...buildFilters({ product_vendor: productVendor }).conditions,
  ]
  return sql`
    select width_bucket(${at}, ${starts}::${type}[]) as bucket, ${key} as cve_key,
           ${split ? split.value : sql`null::text`} as value
      from ${from}
     where ${joinConditions(conditions)}`
}
