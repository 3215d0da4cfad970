// Prometheus metrics of the evaluator of watches. docs/metrics.md explains each metric.
import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client'
import type { EvaluatorMetrics } from '../../notify/evaluator.ts'

const ROUND_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60]

export function createNotifyMetrics(registry: Registry): EvaluatorMetrics {
  const registers = [registry]
  const createGauge = (name: string, help: string) => new Gauge({ name, help, registers })
  const lag = createGauge('vis_watch_lag_changes', 'Changes of the catalog that watches have not been judged against.')
  const lagSeconds = createGauge('vis_watch_lag_seconds', 'Age of the oldest such change; 0 if there is none.')
  const spans = createGauge('vis_watches', 'Watches that are not paused, as this process last read them.')
  const invalid = createGauge('vis_watches_invalid', 'Watches whose search cannot be judged.')
  const events = new Counter({
    name: 'vis_watch_events_total',
    help: 'Events that this process has written, by type: matched, recalculated, gap.',
    labelNames: ['type'] as const,
    registers,
  })
  const rounds = new Histogram({
    name: 'vis_watch_round_seconds',
    help: 'Time of a transaction that judges changes and writes their events.',
    buckets: ROUND_BUCKETS,
    registers,
  })
  const failures = new Counter({
    name: 'vis_watch_failures_total',
    help: 'Rounds that failed and are repeated.',
    registers,
  })
  return {
    showLag: (changes, seconds) => {
      lag.set(changes)
      lagSeconds.set(seconds)
    },
    showSpans: (count, countInvalid) => {
      spans.set(count)
      invalid.set(countInvalid)
    },
    countEvents: (type, count) => events.inc({ type }, count),
    observeRound: (seconds) => rounds.observe(seconds),
    countFailure: () => failures.inc(),
  }
}
