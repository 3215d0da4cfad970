// Reads a number at the end of each bucket.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { DayRange } from '../../domain/epss-series/days.ts'
import type { LevelMetricName } from '../../domain/series/metrics.ts'
import type { BucketCount, Series } from './count-series.ts'
import { selectCompleteSince } from './metrics.ts'

/** The tables with the number at the end of each day on which it can have changed. */
const TABLES = { unrated: sql.table('catalog.unrated_day') } as const satisfies Record<LevelMetricName, unknown>

/** A bucket before the first day in the table has no count. */
export async function readLevels(db: Database, metric: LevelMetricName, buckets: readonly DayRange[]): Promise<Series> {
  const { rows } = await sql<{ completeSince: string | null; buckets: readonly BucketCount[] }>`
    select ${selectCompleteSince(sql`(select min(day)::timestamp from ${TABLES[metric]})`)} as "completeSince",
           json_agg(
             json_build_object('from', bucket.first, 'to', bucket.last, 'count', (
               select cves from ${TABLES[metric]} where day <= bucket.last order by day desc limit 1
             )) order by bucket.first
           ) as buckets
      from unnest(${buckets.map(({ from }) => from)}::date[], ${buckets.map(({ to }) => to)}::date[])
           as bucket (first, last)
  `.execute(db)
  const [row] = rows
  if (!row) throw new Error('the query of a level returned no row')
  return row
}
