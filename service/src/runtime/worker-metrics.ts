// What a worker tells Prometheus; docs/metrics.md explains each of them. How feeds and publication are doing is read from
// the database every few seconds, not when Prometheus asks: while the database is away, the last that was known is shown,
// and since when. Every worker shows the same, whoever of them ran the feed.
import { Counter, collectDefaultMetrics, Gauge, Registry } from '@prometheus-io/client'
import type { Publication } from '../catalog/publish/publish.ts'
import type { PublicationState } from '../catalog/reports/publication-status.ts'
import type { FeedState } from '../feeds/engine/feed-status.ts'
import type { RunReport } from '../feeds/engine/run.ts'
import type { Feed } from '../feeds/feed.ts'
import type { Exposition } from './ops-server.ts'

export interface WorkerMetrics extends Exposition {
  showFeeds(states: readonly FeedState[]): void
  showPublication(state: PublicationState): void
  /** What is shown was read at this time. */
  showReadAt(now: Date): void
  countRun(report: Pick<RunReport, 'feed' | 'outcome'>): void
  countPublication(publication: Publication): void
  countFailedPublication(): void
}

export function createWorkerMetrics(feeds: readonly Feed[]): WorkerMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const readAt = gauge(registry, 'vis_worker_state_timestamp_seconds', 'When the database last told how all is doing.')
  return {
    ...feedMetrics(registry, feeds),
    ...publicationMetrics(registry),
    showReadAt: (now) => readAt.set(seconds(now)),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

function feedMetrics(registry: Registry, feeds: readonly Feed[]) {
  const ofFeed = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['feed'] as const, registers: [registry] })
  const interval = ofFeed('vis_feed_interval_seconds', 'How often the feed is run.')
  for (const { name, everySeconds } of feeds) interval.set({ feed: name }, everySeconds)
  const success = ofFeed('vis_feed_last_success_timestamp_seconds', 'When a run last went well as a whole; 0: never.')
  const upstream = ofFeed('vis_feed_upstream_timestamp_seconds', 'What upstream says of its own age; 0: nothing.')
  const failures = ofFeed('vis_feed_failures', 'Failed runs in a row, since the last that went well.')
  const records = ofFeed('vis_feed_records', 'Rows of the data set.')
  const rejected = ofFeed('vis_feed_rejected_records', 'Records that the last run could not use.')
  const running = ofFeed('vis_feed_running', '1 while somebody runs it.')
  const runs = new Counter({
    name: 'vis_feed_runs_total',
    help: 'Runs that this worker has ended.',
    labelNames: ['feed', 'outcome'] as const,
    registers: [registry],
  })
  return {
    showFeeds: (states: readonly FeedState[]) => {
      for (const { name: feed, lastRun, ...state } of states) {
        success.set({ feed }, seconds(state.lastSuccessAt))
        upstream.set({ feed }, seconds(state.upstreamAt))
        failures.set({ feed }, state.failures)
        records.set({ feed }, state.records)
        rejected.set({ feed }, lastRun?.rejected ?? 0)
        running.set({ feed }, state.isRunning ? 1 : 0)
      }
    },
    countRun: ({ feed, outcome }: Pick<RunReport, 'feed' | 'outcome'>) => runs.inc({ feed, outcome }),
  }
}

function publicationMetrics(registry: Registry) {
  const waiting = gauge(registry, 'vis_publication_queue_length', 'Rows that wait for publication.')
  const waitingFor = gauge(registry, 'vis_publication_waiting_seconds', 'How long the first of them has been waiting.')
  const published = gauge(registry, 'vis_publication_timestamp_seconds', 'When something was last published; 0: never.')
  const newest = gauge(registry, 'vis_change_log_newest', 'The newest change, on the primary.')
  const faults = gauge(registry, 'vis_publication_faults', 'CVEs that could not be concluded.')
  const cves = new Counter({
    name: 'vis_published_cves_total',
    help: 'CVEs that this worker has published, by what became of them.',
    labelNames: ['change'] as const,
    registers: [registry],
  })
  const failed = new Counter({
    name: 'vis_publication_failures_total',
    help: 'Attempts of this worker to publish that failed as a whole.',
    registers: [registry],
  })
  return {
    showPublication: (state: PublicationState) => {
      waiting.set(state.waiting)
      waitingFor.set(state.waitingSeconds)
      published.set(seconds(state.publishedAt))
      newest.set(state.position)
      faults.set(state.faults)
    },
    countPublication: ({ added, changed, removed, setAside }: Publication) => {
      for (const [change, count] of Object.entries({ added, changed, removed, set_aside: setAside }))
        cves.inc({ change }, count)
    },
    countFailedPublication: () => failed.inc(),
  }
}

function gauge(registry: Registry, name: string, help: string): Gauge {
  return new Gauge({ name, help, registers: [registry] })
}

function seconds(at: Date | null): number {
  return at === null ? 0 : at.getTime() / 1000
}
