// One API node, assembled from a configuration: the same for `serve` and for tests.
import type { FastifyInstance } from 'fastify'
import { localRateWindow, type RateWindow, redisRateWindow, withStandIn } from '../api/admission/rate-window.ts'
import type { ServedEndpoint } from '../api/call.ts'
import { createMetrics, type Metrics } from '../api/metrics.ts'
import { createServer } from '../api/server.ts'
import type { Config } from '../config.ts'
import type { Redis } from '../database/redis.ts'
import type { Clock } from '../domain/clock.ts'
import type { Log } from '../log.ts'
import { type Links, openLinks } from './links.ts'

export interface ApiNode {
  readonly app: FastifyInstance
  readonly links: Links
  readonly metrics: Metrics
  readonly isDraining: boolean
  /** From now on every answer asks its client to leave. */
  startDraining(): void
}

interface Parts {
  readonly endpoints: readonly ServedEndpoint[]
  readonly clock: Clock
  readonly log: Log
}

export async function assembleNode(config: Config, { endpoints, clock, log }: Parts): Promise<ApiNode> {
  const [links, metrics] = [openLinks(config, log), createMetrics()]
  for (const name of ['reads', 'accounts'] as const) metrics.watchPool(name, () => links[name].counts())
  let isDraining = false
  const app = await createServer({
    endpoints,
    log,
    metrics,
    trustProxy: config.http.trustProxy,
    isDraining: () => isDraining,
    house: {
      catalog: links.reads.db,
      accounts: links.accounts.db,
      clock,
      publicUrl: config.http.publicUrl,
      rate: { limit: config.rateLimit, window: chooseRateWindow(config, links.redis, log) },
    },
  })
  return {
    app,
    links,
    metrics,
    get isDraining() {
      return isDraining
    },
    startDraining: () => {
      isDraining = true
    },
  }
}

function chooseRateWindow({ rateLimit, redis }: Config, link: Redis | undefined, log: Log): RateWindow {
  const local = localRateWindow(rateLimit, () => Date.now())
  if (!link) {
    log.warn('REDIS_URL is not set: running as a single node, with the rate limit counted in this process')
    return local
  }
  const shared = redisRateWindow(link, redis.prefix, rateLimit)
  return withStandIn(shared, local, (err) => log.warn({ err }, 'Redis failed: this call was counted locally'))
}
