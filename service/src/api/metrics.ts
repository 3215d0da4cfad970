// Prometheus metrics. Labels come from fixed sets only, so hostile callers cannot grow them.
import { collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'

export interface HttpMetrics {
  observe(endpoint: string, status: number, ms: number): void
}

export interface Metrics extends HttpMetrics {
  /** `read` is called at each scrape. */
  watchPool(name: string, read: () => { total: number; idle: number; waiting: number }): void
  text(): Promise<string>
  readonly contentType: string
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'vis_http_request_duration_seconds',
    help: 'From the headers of a request to the end of its answer.',
    labelNames: ['endpoint', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const pools = new Map<string, () => { total: number; idle: number; waiting: number }>()
  const connections = new Gauge({
    name: 'vis_database_connections',
    help: 'Connections of each pool, and calls waiting for one.',
    labelNames: ['pool', 'state'] as const,
    registers: [registry],
    collect: () => {
      for (const [pool, read] of pools) {
        for (const [state, count] of Object.entries(read())) connections.set({ pool, state }, count)
      }
    },
  })
  return {
    observe: (endpoint, status, ms) => duration.observe({ endpoint, status: String(status) }, ms / 1000),
    watchPool: (name, read) => void pools.set(name, read),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
