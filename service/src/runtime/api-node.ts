// One API node, assembled from a configuration: the same for `serve` and for tests.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { type Listening, listenForChanges } from '../accounts/account-changes.ts'
import { type Callers, createCallerCache } from '../accounts/caller-cache.ts'
import { chargeBatch, refundBatch } from '../accounts/charge-batch.ts'
import { findCaller } from '../accounts/find-caller.ts'
import { type Housekeeping, keepHouse } from '../accounts/ledger-maintenance.ts'
import { createMeter } from '../accounts/meter.ts'
import { configuredOrigins } from '../accounts/origins.ts'
import { createRefunds, type Refunds } from '../accounts/refunds.ts'
import { withFallback } from '../api/admission/circuit-breaker.ts'
import { limitConcurrency } from '../api/admission/limit-concurrency.ts'
import { localRateWindow, type RateWindow, redisRateWindow } from '../api/admission/rate-window.ts'
import { type Cursors, createCursors } from '../api/cursor.ts'
import type { Records } from '../api/cve-record/cache.ts'
import { createMetrics, type Metrics, type Watched } from '../api/metrics.ts'
import type { ApiContext } from '../api/register.ts'
import { createServer } from '../api/server.ts'
import type { ServedEndpoint } from '../api/services.ts'
import { type Config, ConfigError } from '../config.ts'
import type { Redis } from '../database/redis.ts'
import { type Clock, systemClock } from '../domain/clock.ts'
import type { Log } from '../log.ts'
import { type Connections, openConnections } from './connections.ts'
import { openRecords, type RememberedRecords } from './record-cache.ts'

export interface ApiNode {
  readonly app: FastifyInstance
  readonly links: Connections
  readonly metrics: Metrics
  readonly isDraining: boolean
  /** From now on every answer asks its client to leave. */
  startDraining(): void
  /** After the last answer: gives back what is owed, then lets go of everything. */
  close(): Promise<void>
}

interface Parts {
  readonly endpoints: readonly ServedEndpoint[]
  readonly clock: Clock
  readonly log: Log
}

/** How long a stopping node goes on trying to give credits back. */
const REFUND_PATIENCE_MS = 5000

export async function assembleNode(config: Config, { endpoints, clock, log }: Parts): Promise<ApiNode> {
  const cursors = openCursors(config)
  const [links, metrics] = [openConnections(config, log), createMetrics()]
  const remembered = openRecords(config, links, log)
  const callers = createCallerCache((digest) => findCaller(links.accounts.db, digest))
  const refunds = openRefunds(links, log)
  const { records } = remembered
  const noticed: Noticed = { isRateLimitFallback: false, ledgerTidiedAt: new Date(0) }
  const house = createApiContext({ config, links, callers, refunds, cursors, records, clock, log, noticed })
  let isDraining = false
  const app = await createServer({
    endpoints,
    log,
    metrics,
    house,
    trustProxy: config.http.trustProxy,
    isDraining: () => isDraining,
  })
  // Last, so that a server that cannot be made leaves nothing running.
  const listening = hearChanges(config, callers, log)
  remembered.follow()
  const housekeeping = tidyLedger(links, log, noticed)
  metrics.watch(watchedParts({ links, remembered, refunds, noticed }))
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
    close: async () => {
      await app.close()
      await giveBack(refunds, log)
      await Promise.all([listening.close(), remembered.stop(), housekeeping.stop()])
      await links.close()
    },
  }
}

/** What only events tell, kept for whoever looks at the metrics. */
interface Noticed {
  isRateLimitFallback: boolean
  ledgerTidiedAt: Date
}

interface Observed {
  readonly links: Connections
  readonly remembered: RememberedRecords
  readonly refunds: Refunds
  readonly noticed: Noticed
}

function watchedParts({ links: { reads, accounts, meter }, remembered, refunds, noticed }: Observed): Watched {
  return {
    pools: { reads: () => reads.counts(), accounts: () => accounts.counts(), meter: () => meter.counts() },
    records: () => remembered.counts(),
    changes: () => remembered.progress(),
    refundsPending: () => refunds.pending,
    isRateLimitFallback: () => noticed.isRateLimitFallback,
    ledgerTidiedAt: () => noticed.ledgerTidiedAt,
  }
}

function openRefunds(links: Connections, log: Log): Refunds {
  return createRefunds(
    (calls) => refundBatch(links.meter.db, calls),
    (err, pending) => log.warn({ err, pending }, 'refunds wait for the database'),
  )
}

async function giveBack(refunds: Refunds, log: Log): Promise<void> {
  const lost = await refunds.drain(REFUND_PATIENCE_MS)
  if (lost > 0) log.error({ lost }, 'the database was out of reach to the end: these refunds are lost')
}

function tidyLedger({ upkeep }: Connections, log: Log, noticed: Noticed): Housekeeping {
  return keepHouse(upkeep.db, {
    onDone: () => {
      // By the real clock, whatever callers are shown: Prometheus compares it with its own.
      noticed.ledgerTidiedAt = systemClock()
    },
    onError: (err) => log.warn({ err }, 'the ledger could not be tidied; it will be tried again'),
  })
}

interface ApiDependencies {
  readonly config: Config
  readonly links: Connections
  readonly callers: Callers
  readonly refunds: Refunds
  readonly cursors: Cursors
  readonly records: Records
  readonly clock: Clock
  readonly log: Log
  readonly noticed: Noticed
}

function createApiContext({ config, links, callers, refunds, cursors, records, clock, log, noticed }: ApiDependencies): ApiContext {
  return {
    catalog: links.reads.db,
    accounts: links.accounts.db,
    callers,
    clock,
    origins: { publicUrl: config.http.publicUrl, isConfigured: configuredOrigins(links.accounts.db) },
    rate: { limit: config.rateLimit, window: chooseRateWindow(config, links.redis, log, noticed) },
    cursors,
    records,
    concurrency: limitConcurrency(config.credits.concurrentCalls),
    credits: { refunds, meter: createMeter((charges) => chargeBatch(links.meter.db, charges), refunds) },
  }
}

function openCursors({ environment, cursors: { secret, previousSecret } }: Config): Cursors {
  if (secret === null && environment === 'production') {
    throw new ConfigError([
      'CURSOR_SECRET is missing: set it to text of at least 32 characters, the same on all nodes.',
    ])
  }
  // Cursors of a node that made up its own end with it.
  return createCursors([
    secret ?? randomBytes(32).toString('hex'),
    ...(previousSecret === null ? [] : [previousSecret]),
  ])
}

function hearChanges({ database }: Config, callers: Callers, log: Log): Listening {
  return listenForChanges(database.accountsUrl, {
    onChange: (accountId) => callers.forget(accountId),
    onGap: () => callers.forgetAll(),
    onError: (err) =>
      log.warn({ err }, 'changes of accounts are not heard: a revoked key may live some seconds longer'),
  })
}

function chooseRateWindow(
  { rateLimit, redis }: Config,
  link: Redis | undefined,
  log: Log,
  noticed: Noticed,
): RateWindow {
  const local = localRateWindow(rateLimit, () => Date.now())
  if (!link) {
    log.warn('REDIS_URL is not set: running as a single node, with the rate limit counted in this process')
    return local.window
  }
  return withFallback(redisRateWindow(link, redis.prefix, rateLimit, local), local.window, {
    onFailure: (err) => log.debug({ err }, 'Redis failed: this call was counted locally'),
    onOpen: () => {
      noticed.isRateLimitFallback = true
      log.warn('Redis keeps failing: the rate limit is counted locally for now')
    },
    onClose: () => {
      noticed.isRateLimitFallback = false
      log.info('Redis is back: the rate limit is shared again')
    },
  })
}
