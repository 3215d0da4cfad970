// What an API node tells Prometheus; docs/metrics.md explains each of them, and a test holds the two together. Labels
// come from fixed sets only, so hostile callers cannot grow them. What a node counts anyway is read when it is asked for:
// a request pays for one observation and no more.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'
import type { RecordCounts } from './cve-record/cache.ts'

export interface HttpMetrics {
  observe(endpoint: string, status: number, ms: number): void
}

interface PoolCounts {
  readonly total: number
  readonly idle: number
  readonly waiting: number
}

/** Asked at each scrape. */
export interface Watched {
  readonly pools: Readonly<Record<string, () => PoolCounts>>
  readonly records: () => RecordCounts
  /** Of the log of changes: the newest that was heard of, and how long ago we last listened. */
  readonly changes: () => { readonly position: number; readonly silentSeconds: number }
  readonly refundsPending: () => number
  /** Whether the local window stands in for a Redis that fails. */
  readonly isRateLimitFallback: () => boolean
  readonly ledgerTidiedAt: () => Date
}

export interface Metrics extends HttpMetrics {
  text(): Promise<string>
  readonly contentType: string
  watch(node: Watched): void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'vis_http_request_duration_seconds',
    help: 'From the headers of a request to the end of its answer.',
    labelNames: ['endpoint', 'status'] as const,
    // 0.1 and 0.3 are what docs/metrics.md promises of single CVEs and of searches.
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  return {
    observe: (endpoint, status, ms) => duration.observe({ endpoint, status: String(status) }, ms / 1000),
    watch: (node) => {
      watchPools(registry, node)
      watchMemory(registry, node)
      watchDebts(registry, node)
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

function watchPools(registry: Registry, { pools }: Watched): void {
  const connections = new Gauge({
    name: 'vis_database_connections',
    help: 'Connections of each pool, and calls waiting for one.',
    labelNames: ['pool', 'state'] as const,
    registers: [registry],
    collect: () => {
      for (const [pool, read] of Object.entries(pools)) {
        for (const [state, count] of Object.entries(read())) connections.set({ pool, state }, count)
      }
    },
  })
}

function watchMemory(registry: Registry, { records, changes }: Watched): void {
  const answers = new Counter({
    name: 'vis_record_cache_answers_total',
    help: 'Single CVEs by where they came from: hit from memory, absent from memory, miss from the database.',
    labelNames: ['result'] as const,
    registers: [registry],
    collect: () => {
      answers.reset()
      const { hits, absent, misses } = records()
      for (const [result, count] of Object.entries({ hit: hits, absent, miss: misses })) answers.inc({ result }, count)
    },
  })
  gauge(registry, 'vis_record_cache_records', 'Single CVEs in memory.', () => records().kept)
  gauge(registry, 'vis_record_cache_bytes', 'What they take, by an upper bound.', () => records().bytes)
  gauge(
    registry,
    'vis_change_log_position',
    'The newest change that this node knows of, where it reads.',
    () => changes().position,
  )
  gauge(
    registry,
    'vis_change_log_silence_seconds',
    'Since the log of changes was last read; beyond 2 s nothing in memory is believed.',
    () => changes().silentSeconds,
  )
}

function watchDebts(registry: Registry, { refundsPending, isRateLimitFallback, ledgerTidiedAt }: Watched): void {
  gauge(registry, 'vis_refunds_pending', 'Credits to be given back that the database has not acknowledged.', () =>
    refundsPending(),
  )
  gauge(registry, 'vis_rate_limit_stand_in', '1 while Redis fails and the free plan is counted locally.', () =>
    isRateLimitFallback() ? 1 : 0,
  )
  gauge(
    registry,
    'vis_ledger_tidied_timestamp_seconds',
    'When this node last made partitions and daily sums; 0: not since it started.',
    () => ledgerTidiedAt().getTime() / 1000,
  )
}

function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  const made: Gauge = new Gauge({ name, help, registers: [registry], collect: () => made.set(read()) })
}
