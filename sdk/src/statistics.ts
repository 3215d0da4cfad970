// The calls that count CVEs.
import { fetchData } from './endpoints.ts'
import type { CallOptions } from './options.ts'
import type { Metric, Stats, StatsSeries, StatsSeriesFilters, StatsTop, StatsTopFilters, TopKind } from './records.ts'
import type { Send } from './request.ts'

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
