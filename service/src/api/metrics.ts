// Prometheus metrics of an API node. docs/metrics.md explains them, and a test compares it with this file. Label values
// come from fixed sets, so callers cannot create new series.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'
import type { BatchCounts } from '../record/cache/batch-cache.ts'
import type { RecordCounts } from '../record/cache/record-cache.ts'
import type { UnsentCounts } from './admission/unsent-bytes.ts'
import type { DocumentCounts } from './documents/documents.ts'

export interface HttpMetrics {
  observe(endpoint: string, status: number, ms: number): void
}

interface SharingMetrics {
  /** A call got its slot to use the database. */
  readonly observeTurn: (kind: string, waitedMs: number) => void
  /** A call was refused while it waited for its slot. */
  readonly countRefusedTurn: (kind: string, reason: string) => void
  /** A call was refused because its account has too many calls in flight. */
  readonly countRefusedCall: (reason: string) => void
  readonly countRefusedKey: (reason: string) => void
}

/** Numbers of counted searches since the process started. */
interface FacetCounters {
  readonly memory: number
  readonly database: number
}

interface PoolCounts {
  readonly total: number
  readonly idle: number
  readonly waiting: number
}

/** Functions that are called whenever Prometheus scrapes the node. */
export interface MetricSources {
  readonly pools: Readonly<Record<string, () => PoolCounts>>
  readonly records: () => RecordCounts
  readonly batches: () => BatchCounts
  readonly facets: () => FacetCounters
  /** The newest position read from the change log, and how long ago it was read. */
  readonly changes: () => { readonly position: number; readonly pollAgeSeconds: number }
  readonly refundsPending: () => number
  /** How charges are committed, and what a confirmed charge survives. */
  readonly chargeCommit: () => { readonly commit: string; readonly survives: string }
  readonly unsent: () => UnsentCounts
  readonly documents: () => DocumentCounts
  /** Connections closed because the client read too slowly, by reason. */
  readonly slowReadersDisconnected: () => Readonly<Record<string, number>>
  /** True while Redis fails and this process counts the rate limit. */
  readonly isRateLimitFallback: () => boolean
  readonly droppedLogLines: () => number
}

interface SignInMetrics {
  readonly countSignIn: (method: string, result: string) => void
}

export interface Metrics extends HttpMetrics, SharingMetrics, SignInMetrics {
  text(): Promise<string>
  readonly contentType: string
  watch(node: MetricSources): void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'vis_http_request_duration_seconds',
    help: 'Time from receiving the request headers to the end of the response.',
    labelNames: ['endpoint', 'status'] as const,
    // 0.1 s and 0.3 s are the latency objectives for single CVEs and for lists (docs/metrics.md).
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  return {
    ...createSharingMetrics(registry),
    ...createSignInMetrics(registry),
    observe: (endpoint, status, ms) => duration.observe({ endpoint, status: String(status) }, ms / 1000),
    watch: (node) => {
      watchPools(registry, node)
      watchRecordCache(registry, node)
      watchFacets(registry, node)
      watchBatchCache(registry, node)
      watchAccounting(registry, node)
      watchLog(registry, node)
      watchLargeAnswers(registry, node)
      watchDocuments(registry, node)
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

function createSharingMetrics(registry: Registry): SharingMetrics {
  const waits = new Histogram({
    name: 'vis_database_turn_wait_seconds',
    help: 'Time that a call waited for its turn to use the database, by kind of work.',
    labelNames: ['kind'] as const,
    buckets: [0.001, 0.01, 0.05, 0.25, 1, 5, 10],
    registers: [registry],
  })
  const refusals = new Counter({
    name: 'vis_database_turn_refusals_total',
    help: 'Calls refused while they waited for their turn to use the database: share (the account uses more than its share), busy (no turn became free).',
    labelNames: ['kind', 'reason'] as const,
    registers: [registry],
  })
  const refusedCalls = new Counter({
    name: 'vis_concurrency_refusals_total',
    help: 'Calls refused because of the calls in flight of their account: limit (too many), overload (the event loop is late, and the account has its share of the calls).',
    labelNames: ['reason'] as const,
    registers: [registry],
  })
  const refusedKeys = new Counter({
    name: 'vis_key_refusals_total',
    help: 'Calls refused although their API key is valid: address (the key may not be used from the address of the client), scope (the key does not have the scope).',
    labelNames: ['reason'] as const,
    registers: [registry],
  })
  return {
    countRefusedKey: (reason) => refusedKeys.inc({ reason }),
    countRefusedCall: (reason) => refusedCalls.inc({ reason }),
    observeTurn: (kind, waitedMs) => waits.observe({ kind }, waitedMs / 1000),
    countRefusedTurn: (kind, reason) => refusals.inc({ kind, reason }),
  }
}

function createSignInMetrics(registry: Registry): SignInMetrics {
  const signIns = new Counter({
    name: 'vis_sign_ins_total',
    help: 'Sign-ins to the console by method (api-key, link, oidc) and result: created, or the reason of the refusal.',
    labelNames: ['method', 'result'] as const,
    registers: [registry],
  })
  return {
    countSignIn: (method, result) => signIns.inc({ method, result }),
  }
}

function watchPools(registry: Registry, { pools }: MetricSources): void {
  const connections = new Gauge({
    name: 'vis_database_connections',
    help: 'Database connections by pool and state, and requests waiting for one.',
    labelNames: ['pool', 'state'] as const,
    registers: [registry],
    collect: () => {
      for (const [pool, read] of Object.entries(pools)) {
        for (const [state, count] of Object.entries(read())) connections.set({ pool, state }, count)
      }
    },
  })
}

function watchRecordCache(registry: Registry, { records, changes }: MetricSources): void {
  counter(registry, {
    name: 'vis_record_cache_answers_total',
    help: 'Single-CVE lookups by result: hit (from memory), absent (known not to exist), miss (read from the database).',
    label: 'result',
    read: () => ({ hit: records().hits, absent: records().absent, miss: records().misses }),
  })
  gauge(registry, 'vis_record_cache_records', 'CVE records in the cache.', () => records().kept)
  gauge(
    registry,
    'vis_record_cache_bytes',
    'Upper bound of the memory used by the cached records.',
    () => records().bytes,
  )
  gauge(
    registry,
    'vis_change_log_position',
    'Newest change log position that this node has read from its database.',
    () => changes().position,
  )
  gauge(
    registry,
    'vis_change_log_poll_age_seconds',
    'Seconds since the last successful poll of the change log. Above 2 s the record cache is bypassed.',
    () => changes().pollAgeSeconds,
  )
}

function watchBatchCache(registry: Registry, { batches }: MetricSources): void {
  counter(registry, {
    name: 'vis_batch_cache_answers_total',
    help: 'Batches of CVEs without parameters by result: hit (all records from memory), miss (read from the database).',
    label: 'result',
    read: () => ({ hit: batches().hits, miss: batches().misses }),
  })
  gauge(
    registry,
    'vis_batch_cache_bytes',
    'Upper bound of the memory used by the cached records of batches.',
    () => batches().bytes,
  )
}

function watchFacets(registry: Registry, { facets }: MetricSources): void {
  counter(registry, {
    name: 'vis_facet_answers_total',
    help: 'Searches whose facets were counted: memory (over the columns in memory), database (these were not up to date).',
    label: 'counted_in',
    read: () => ({ ...facets() }),
  })
}

function watchAccounting(
  registry: Registry,
  { refundsPending, chargeCommit, isRateLimitFallback }: MetricSources,
): void {
  const commits = new Gauge({
    name: 'vis_charge_commit_info',
    help: '1 for the setting CHARGE_COMMIT and for what a confirmed charge survives: nothing, crash (of the database server), loss (of the primary), unknown (not read yet).',
    labelNames: ['commit', 'survives'] as const,
    registers: [registry],
    collect: () => {
      commits.reset()
      commits.set(chargeCommit(), 1)
    },
  })
  gauge(registry, 'vis_refunds_pending', 'Credit refunds that the database has not confirmed.', () => refundsPending())
  gauge(
    registry,
    'vis_rate_limit_fallback_active',
    '1 while Redis fails and the free plan rate limit is counted in this process.',
    () => (isRateLimitFallback() ? 1 : 0),
  )
}

function watchLog(registry: Registry, { droppedLogLines }: Pick<MetricSources, 'droppedLogLines'>): void {
  const dropped: Counter = new Counter({
    name: 'vis_log_lines_dropped_total',
    help: 'Log lines that were dropped, because the destination of the log was full or slow.',
    registers: [registry],
    collect: () => {
      dropped.reset()
      dropped.inc(droppedLogLines())
    },
  })
}

function watchLargeAnswers(registry: Registry, { unsent, slowReadersDisconnected }: MetricSources): void {
  gauge(
    registry,
    'vis_unsent_bytes',
    'Bytes of large responses that clients have not read, and bytes reserved for large responses in preparation.',
    () => unsent().bytes,
  )
  gauge(
    registry,
    'vis_unsent_bytes_waiting_calls',
    'Calls that wait until clients have read more of earlier large responses.',
    () => unsent().waiting,
  )
  counter(registry, {
    name: 'vis_unsent_bytes_waits_total',
    help: 'Calls that had to wait for unread bytes, and how many of them were refused: waited, refused.',
    label: 'result',
    read: () => ({ waited: unsent().waited, refused: unsent().refused }),
  })
  counter(registry, {
    name: 'vis_slow_readers_cut_total',
    help: 'Connections closed because the client read its response too slowly: rate (below the minimum rate), deadline (took too long in total).',
    label: 'reason',
    read: slowReadersDisconnected,
  })
}

function watchDocuments(registry: Registry, { documents }: MetricSources): void {
  gauge(registry, 'vis_documents_waiting', 'Documents that wait to be read.', () => documents().waiting)
  gauge(registry, 'vis_documents_bytes', 'Bytes of documents in memory.', () => documents().bytes)
  counter(registry, {
    name: 'vis_documents_total',
    help: 'Documents by result: answered, rejected (400 or 413), failed (500 or 503), refused (503 without being read).',
    label: 'result',
    read: () => documents().results,
  })
  const threads: Counter = new Counter({
    name: 'vis_document_threads_started_total',
    help: 'Threads for documents that were started: the first one, and one after each that ran out of memory or time.',
    registers: [registry],
    collect: () => {
      threads.reset()
      threads.inc(documents().threads)
    },
  })
}

interface ReadCounter {
  readonly name: string
  readonly help: string
  readonly label: string
  /** Counts by label value since the process started. */
  readonly read: () => Readonly<Record<string, number>>
}

function counter(registry: Registry, { name, help, label, read }: ReadCounter): void {
  const made: Counter<string> = new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect: () => {
      made.reset()
      for (const [value, count] of Object.entries(read())) made.inc({ [label]: value }, count)
    },
  })
}

function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  const made: Gauge = new Gauge({ name, help, registers: [registry], collect: () => made.set(read()) })
}
