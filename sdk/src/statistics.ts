// The calls that count CVEs.
import { fetchData } from './endpoints.ts'
import type { components } from './generated/openapi.ts'
import type { CallOptions } from './options.ts'
import type { QueryParameters } from './records.ts'
import type { Send } from './request.ts'

type Schemas = components['schemas']

/** Number of records in the service and time of the last update. */
export type Stats = Schemas['Stats']['stats']

/** A metric over time, as {@link Client.statsSeries} returns it. */
export type StatsSeries = Schemas['StatsSeries']

/** Name of a metric, such as `'kev_added'`. */
export type Metric = StatsSeries['metric']

/** The names with the most events, as {@link Client.statsTop} returns them. */
export type StatsTop = Schemas['StatsTop']

/** Kind of names that {@link Client.statsTop} counts. */
export type TopKind = StatsTop['of']

/** Window, buckets and values of a series, with the names and meaning of `GET /api/v1/stats/series`. */
export type StatsSeriesFilters = Omit<QueryParameters<'getStatsSeries'>, 'metric'>

/** Window and number of names, with the names and meaning of `GET /api/v1/stats/top`. */
export type StatsTopFilters = Omit<QueryParameters<'getStatsTop'>, 'of' | 'metric'>

/** Methods of {@link Client} for counts of CVEs. */
export interface StatisticsCalls {
  /**
   * Returns how many CVEs, KEV entries, EPSS scores and notices there are, and the last update. Costs `PRICES.getStats`
   * credits.
   */
  stats(options?: CallOptions): Promise<Stats>

  /**
   * Counts a metric for each day, week or month. A count is null if the service does not know every event of the bucket:
   * see `complete_since`. Costs `PRICES.getStatsSeries` credits.
   *
   * ```ts
   * const { buckets } = await client.statsSeries('kev_added', { bucket: 'month', by: 'catalog' })
   * for (const { from, count } of buckets) console.log(from, count ?? 'not known')
   * ```
   */
  statsSeries(metric: Metric, filters?: StatsSeriesFilters & CallOptions): Promise<StatsSeries>

  /**
   * Counts a metric by vendor, product or weakness within a window, by default the last 90 days. Costs
   * `PRICES.getStatsTop` credits.
   *
   * ```ts
   * const { names } = await client.statsTop('vendor', 'published', { from: '2026-08-01' })
   * for (const { value, count } of names) console.log(value, count)
   * ```
   */
  statsTop(kind: TopKind, metric: StatsTop['metric'], filters?: StatsTopFilters & CallOptions): Promise<StatsTop>
}

export function createStatisticsCalls(send: Send): StatisticsCalls {
  const read = async <T>(path: string, { signal, ...query }: CallOptions & Readonly<Record<string, unknown>>) =>
    (await send<T>({ method: 'GET', path: `api/v1/stats/${path}`, query, signal })).data
  return {
    stats: async ({ signal } = {}) => (await fetchData<{ stats: Stats }>(send, 'api/v1/stats', signal)).stats,
    statsSeries: (metric, filters = {}) => read('series', { metric, ...filters }),
    statsTop: (kind, metric, filters = {}) => read('top', { of: kind, metric, ...filters }),
  }
}
