// Prometheus metrics of a worker. docs/metrics.md explains each metric. Every worker exposes the same state of feeds
// and publication. The state is read from the database every few seconds instead of at each scrape: while the database
// is unreachable, the last known values stay visible and vis_worker_state_timestamp_seconds shows their age.
import { Counter, collectDefaultMetrics, Gauge, Registry } from '@prometheus-io/client'
import type { Publication } from '../catalog/publish/publish.ts'
import type { PublicationStatus } from '../catalog/reports/publication-status.ts'
import type { SnapshotStatus } from '../catalog/snapshot/status.ts'
import type { Clock } from '../domain/clock.ts'
import { ageInSeconds, maxDataAgeSeconds } from '../domain/source/data-age.ts'
import type { FeedState } from '../feeds/engine/feed-status.ts'
import type { RunReport } from '../feeds/engine/run.ts'
import type { Feed } from '../feeds/feed.ts'
import { countDroppedLogLines } from '../log-sink.ts'
import type { EvaluatorMetrics } from '../notify/evaluator.ts'
import { createIdentityMetrics, type IdentityMetrics } from './identity/metrics.ts'
import { createJobMetrics, type JobMetrics } from './jobs/metrics.ts'
import { createNotifyMetrics } from './notify/metrics.ts'
import type { MetricsPage } from './ops-server.ts'

export interface WorkerMetrics extends MetricsPage {
  showFeeds(states: readonly FeedState[]): void
  showPublication(state: PublicationStatus): void
  /** When the worker last read the state of feeds and publication from the database. */
  showReadAt(now: Date): void
  countRun(report: Pick<RunReport, 'feed' | 'outcome'>): void
  countPublication(publication: Publication): void
  countFailedPublication(): void
  showSnapshot(newest: SnapshotStatus | undefined): void
  readonly identity: IdentityMetrics
  readonly jobs: JobMetrics
  readonly notify: EvaluatorMetrics
}

export function createWorkerMetrics(feeds: readonly Feed[], clock: Clock): WorkerMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const readAt = createGauge(
    registry,
    'vis_worker_state_timestamp_seconds',
    'Time when the worker last read the state of feeds and publication from the database.',
  )
  const droppedLogLines: Counter = new Counter({
    name: 'vis_log_lines_dropped_total',
    help: 'Log lines that were dropped, because the destination of the log was full or slow.',
    registers: [registry],
    collect: () => {
      droppedLogLines.reset()
      droppedLogLines.inc(countDroppedLogLines())
    },
  })
  return {
    ...createFeedMetrics(registry, feeds, clock),
    ...createPublicationMetrics(registry),
    ...createSnapshotMetrics(registry),
    identity: createIdentityMetrics(registry),
    jobs: createJobMetrics(registry),
    notify: createNotifyMetrics(registry),
    showReadAt: (now) => readAt.set(toUnixSeconds(now)),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

function createFeedMetrics(registry: Registry, feeds: readonly Feed[], clock: Clock) {
  const createFeedGauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['feed'] as const, registers: [registry] })
  const interval = createFeedGauge('vis_feed_interval_seconds', 'Planned time between two runs of the feed.')
  for (const { name, intervalSeconds } of feeds) interval.set({ feed: name }, intervalSeconds)
  const success = createFeedGauge(
    'vis_feed_last_success_timestamp_seconds',
    'Time of the last successful run of the feed; 0 if there was none.',
  )
  const upstream = createFeedGauge(
    'vis_feed_upstream_timestamp_seconds',
    'Time of the data as stated by upstream; 0 if upstream states none.',
  )
  const dataAge = createDataAgeGauge(registry, feeds, clock)
  const failures = createFeedGauge('vis_feed_failures', 'Failed runs in a row since the last successful run.')
  const records = createFeedGauge('vis_feed_records', 'Stored records of the feed.')
  const rejected = createFeedGauge('vis_feed_rejected_records', 'Records that the last run rejected.')
  const running = createFeedGauge('vis_feed_running', '1 while any worker runs the feed.')
  const runs = new Counter({
    name: 'vis_feed_runs_total',
    help: 'Feed runs that this worker has finished, by outcome.',
    labelNames: ['feed', 'outcome'] as const,
    registers: [registry],
  })
  return {
    showFeeds: (states: readonly FeedState[]) => {
      for (const { name: feed, lastRun, ...state } of states) {
        success.set({ feed }, toUnixSeconds(state.lastSuccessAt))
        upstream.set({ feed }, toUnixSeconds(state.upstreamAt))
        dataAge.set(feed, state.upstreamAt)
        failures.set({ feed }, state.failures)
        records.set({ feed }, state.records)
        rejected.set({ feed }, lastRun?.rejected ?? 0)
        running.set({ feed }, state.isRunning ? 1 : 0)
      }
    },
    countRun: ({ feed, outcome }: Pick<RunReport, 'feed' | 'outcome'>) => runs.inc({ feed, outcome }),
  }
}

/** Computed at each scrape, so that it also grows while the database is unreachable. */
function createDataAgeGauge(registry: Registry, feeds: readonly Feed[], clock: Clock) {
  const upstreamAt = new Map<string, Date | null>()
  const age: Gauge<'feed'> = new Gauge({
    name: 'vis_feed_data_age_seconds',
    help: 'Age of the newest upstream release or record that is stored.',
    labelNames: ['feed'] as const,
    registers: [registry],
    collect: () => {
      for (const [feed, time] of upstreamAt) {
        const seconds = ageInSeconds(time, clock())
        if (seconds !== null) age.set({ feed }, seconds)
      }
    },
  })
  const maxAge = new Gauge({
    name: 'vis_feed_data_max_age_seconds',
    help: 'Age of the newest upstream release or record above which the data set is stale.',
    labelNames: ['feed'] as const,
    registers: [registry],
  })
  for (const { name: feed } of feeds) {
    const seconds = maxDataAgeSeconds(feed)
    if (seconds !== null) maxAge.set({ feed }, seconds)
  }
  return { set: (feed: string, time: Date | null) => void upstreamAt.set(feed, time) }
}

function createPublicationMetrics(registry: Registry) {
  const queued = createGauge(registry, 'vis_publication_queue_length', 'Rows that wait for publication.')
  const waitingFor = createGauge(
    registry,
    'vis_publication_waiting_seconds',
    'Time that the oldest row in the publication queue has been waiting.',
  )
  const published = createGauge(
    registry,
    'vis_publication_timestamp_seconds',
    'Time of the last publication; 0 if there was none.',
  )
  const newest = createGauge(registry, 'vis_change_log_newest', 'Newest change log position on the primary.')
  const failedCves = createGauge(registry, 'vis_publication_failed_cves', 'CVEs that could not be resolved.')
  const catalogCves = createGauge(registry, 'vis_catalog_cves', 'CVEs in the catalog.')
  const urgentCves = createGauge(registry, 'vis_catalog_urgent_cves', 'CVEs with the priority P0 or P1.')
  const cves = new Counter({
    name: 'vis_published_cves_total',
    help: 'CVEs that this worker has published, by kind of change.',
    labelNames: ['change'] as const,
    registers: [registry],
  })
  const failures = new Counter({
    name: 'vis_publication_failures_total',
    help: 'Publication attempts of this worker that failed as a whole.',
    registers: [registry],
  })
  return {
    showPublication: (state: PublicationStatus) => {
      queued.set(state.waiting)
      waitingFor.set(state.waitingSeconds)
      published.set(toUnixSeconds(state.publishedAt))
      newest.set(state.position)
      failedCves.set(state.failedCves)
      catalogCves.set(state.urgentShare.cves)
      urgentCves.set(state.urgentShare.urgent)
    },
    countPublication: ({ added, changed, removed, setAside }: Publication) => {
      for (const [change, count] of Object.entries({ added, changed, removed, set_aside: setAside }))
        cves.inc({ change }, count)
    },
    countFailedPublication: () => failures.inc(),
  }
}

function createSnapshotMetrics(registry: Registry) {
  const createdAt = createGauge(
    registry,
    'vis_snapshot_timestamp_seconds',
    'Time of the newest snapshot of the catalog; 0 if there is none.',
  )
  const bytes = createGauge(registry, 'vis_snapshot_bytes', 'Size of the newest snapshot of the catalog.')
  const records = createGauge(registry, 'vis_snapshot_records', 'Records of the newest snapshot of the catalog.')
  return {
    showSnapshot: (newest: SnapshotStatus | undefined) => {
      createdAt.set(toUnixSeconds(newest?.createdAt ?? null))
      bytes.set(newest?.bytes ?? 0)
      records.set(newest?.records ?? 0)
    },
  }
}

function createGauge(registry: Registry, name: string, help: string): Gauge {
  return new Gauge({ name, help, registers: [registry] })
}

function toUnixSeconds(time: Date | null): number {
  return time === null ? 0 : time.getTime() / 1000
}
