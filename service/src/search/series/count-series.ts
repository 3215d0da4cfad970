// Counts the events of a metric in each bucket, in one statement, so that all counts belong to the same data.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { SplitName } from '../../domain/series/metrics.ts'
import { type EventQuery, selectEvents } from './events.ts'
import { selectCompleteSince } from './metrics.ts'

interface ValueCount {
  readonly value: string | null
  /** Null if the bucket begins before the data is complete. */
  readonly count: number | null
}

export interface BucketCount {
  readonly from: string
  readonly to: string
  readonly count: number | null
  readonly values?: readonly ValueCount[]
}

export interface Series {
  readonly completeSince: string | null
  readonly buckets: readonly BucketCount[]
}

interface Row {
  readonly completeSince: string | null
  /** Since when each value beside the count is complete. */
  readonly besideSince: Readonly<Record<string, string | null>>
  readonly counts: readonly { readonly bucket: number; readonly value: string | null; readonly count: number }[]
}

export async function countSeries(db: Database, query: EventQuery, by?: SplitName): Promise<Series> {
  const { metric, buckets } = query
  const split = by && metric.by[by]
  const beside = Object.entries(split?.beside ?? {})
  const { rows } = await sql<Row>`
    select ${selectCompleteSince(metric.completeSince)} as "completeSince",
           json_build_object(${sql.join(beside.flatMap(([value, start]) => [sql.lit(value), selectCompleteSince(start)]))}) as "besideSince",
           coalesce(json_agg(json_build_object('bucket', bucket, 'value', value, 'count', count)), '[]') as counts
      from (
             select bucket, value, count(*) as count
               from (${selectEvents(query, by)}) as event
              group by bucket, value
           ) as counted
  `.execute(db)
  const [row] = rows
  if (!row) throw new Error('the count of a series returned no row')
  const { completeSince, besideSince } = row
  const counts = new Map(row.counts.map(({ bucket, value, count }) => [`${bucket} ${value}`, count]))
  const isBeside = (value: string | null) => value !== null && value in besideSince
  return {
    completeSince,
    buckets: buckets.map(({ from, to }, index) => {
      const values = (split?.values ?? [null]).map((value) => {
        const since = value !== null && isBeside(value) ? (besideSince[value] ?? null) : completeSince
        return { value, count: isKnown(from, since) ? (counts.get(`${index + 1} ${value}`) ?? 0) : null }
      })
      const counted = values.filter(({ value }) => !isBeside(value))
      return { from, to, count: addCounts(counted), ...(split && { values }) }
    }),
  }
}

/** A bucket that begins before the data is complete can be too low, so it has no count. */
const isKnown = (day: string, since: string | null) => since !== null && `${day}T00:00:00Z` >= since

/** Returns null if a count is not known. */
export function addCounts(counts: readonly { readonly count: number | null }[]): number | null {
  return counts.reduce<number | null>((sum, { count }) => (sum === null || count === null ? null : sum + count), 0)
}
