// Assembles an API node from its configuration. The `serve` command and the tests use the same function.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { type AccountChangeListener, listenForAccountChanges } from '../accounts/account-changes.ts'
import { type CallerCache, createCallerCache } from '../accounts/caller-cache.ts'
import { chargeBatch, refundBatch } from '../accounts/charge-batch.ts'
import { findCaller } from '../accounts/find-caller.ts'
import { type LedgerMaintenance, startLedgerMaintenance } from '../accounts/ledger-maintenance.ts'
import { createMeter } from '../accounts/meter.ts'
import { createOriginLookup } from '../accounts/origins.ts'
import { createRefunds, type Refunds } from '../accounts/refunds.ts'
import { withFallback } from '../api/admission/circuit-breaker.ts'
import { limitConcurrency } from '../api/admission/limit-concurrency.ts'
import { localRateWindow, type RateWindow, redisRateWindow } from '../api/admission/rate-window.ts'
import { type Cursors, createCursors } from '../api/cursor.ts'
import type { Records } from '../api/cve-record/cache.ts'
import { createMetrics, type MetricSources, type Metrics } from '../api/metrics.ts'
import type { ApiContext } from '../api/register.ts'
import { createServer } from '../api/server.ts'
import type { ServedEndpoint } from '../api/services.ts'
import { type Config, ConfigError } from '../config.ts'
import type { Redis } from '../database/redis.ts'
import { type Clock, systemClock } from '../domain/clock.ts'
import type { Log } from '../log.ts'
import { type Connections, openConnections } from './connections.ts'
import { type FollowedRecordCache, openRecordCache } from './record-cache.ts'

export interface ApiNode {
  readonly app: FastifyInstance
  readonly connections: Connections
  readonly metrics: Metrics
  readonly isDraining: boolean
  /**
   * Starts draining the API node before it stops: from then on every response has the header `Connection: close`, so
   * that clients connect to another node.
   */
  startDraining(): void
  /** Sends pending refunds, then closes all connections of the node. Call it after the last response. */
  close(): Promise<void>
}

interface NodeOptions {
  readonly endpoints: readonly ServedEndpoint[]
  readonly clock: Clock
  readonly log: Log
}

/** Maximum time that a stopping node takes to send its pending refunds. */
const REFUND_TIMEOUT_MS = 5000

export async function assembleNode(config: Config, { endpoints, clock, log }: NodeOptions): Promise<ApiNode> {
  const cursors = openCursors(config)
  const [connections, metrics] = [openConnections(config, log), createMetrics()]
  const recordCache = openRecordCache(config, connections, log)
  const callers = createCallerCache((digest) => findCaller(connections.accounts.db, digest))
  const refunds = openRefunds(connections, log)
  const { records } = recordCache
  const status: NodeStatus = { isRateLimitFallback: false, ledgerMaintainedAt: new Date(0) }
  const context = createApiContext({ config, connections, callers, refunds, cursors, records, clock, log, status })
  let isDraining = false
  const app = await createServer({
    endpoints,
    log,
    metrics,
    context,
    trustProxy: config.http.trustProxy,
    isDraining: () => isDraining,
  })
  // Background work is started last, so that nothing keeps running if createServer throws.
  const accountChanges = evictChangedAccounts(config, callers, log)
  recordCache.follow()
  const maintenance = maintainLedger(connections, log, status)
  metrics.watch(createMetricSources({ connections, recordCache, refunds, status }))
  return {
    app,
    connections,
    metrics,
    get isDraining() {
      return isDraining
    },
    startDraining: () => {
      isDraining = true
    },
    close: async () => {
      await app.close()
      await sendPendingRefunds(refunds, log)
      await Promise.all([accountChanges.close(), recordCache.stop(), maintenance.stop()])
      await connections.close()
    },
  }
}

/** State of the API node that the metrics show but that can only be learned from events, so it is kept here. */
interface NodeStatus {
  isRateLimitFallback: boolean
  ledgerMaintainedAt: Date
}

interface ObservedParts {
  readonly connections: Connections
  readonly recordCache: FollowedRecordCache
  readonly refunds: Refunds
  readonly status: NodeStatus
}

function createMetricSources({ connections, recordCache, refunds, status }: ObservedParts): MetricSources {
  const { reads, accounts, meter } = connections
  return {
    pools: { reads: () => reads.counts(), accounts: () => accounts.counts(), meter: () => meter.counts() },
    records: () => recordCache.counts(),
    changes: () => recordCache.progress(),
    refundsPending: () => refunds.pending,
    isRateLimitFallback: () => status.isRateLimitFallback,
    ledgerMaintainedAt: () => status.ledgerMaintainedAt,
  }
}

function openRefunds(connections: Connections, log: Log): Refunds {
  return createRefunds(
    (calls) => refundBatch(connections.meter.db, calls),
    (err, pending) => log.warn({ err, pending }, 'refunds failed and will be retried'),
  )
}

async function sendPendingRefunds(refunds: Refunds, log: Log): Promise<void> {
  const lost = await refunds.drain(REFUND_TIMEOUT_MS)
  if (lost > 0) log.error({ lost }, 'refunds lost: the database was unreachable until the node stopped')
}

function maintainLedger({ maintenance }: Connections, log: Log, status: NodeStatus): LedgerMaintenance {
  return startLedgerMaintenance(maintenance.db, {
    onDone: () => {
      // The system clock is used even with --now, because Prometheus compares this time with its own clock.
      status.ledgerMaintainedAt = systemClock()
    },
    onError: (err) => log.warn({ err }, 'ledger maintenance failed and will be retried'),
  })
}

interface ApiDependencies {
  readonly config: Config
  readonly connections: Connections
  readonly callers: CallerCache
  readonly refunds: Refunds
  readonly cursors: Cursors
  readonly records: Records
  readonly clock: Clock
  readonly log: Log
  readonly status: NodeStatus
}

function createApiContext(dependencies: ApiDependencies): ApiContext {
  const { config, connections, callers, refunds, cursors, records, clock, log, status } = dependencies
  return {
    catalog: connections.reads.db,
    accounts: connections.accounts.db,
    callers,
    clock,
    origins: { publicUrl: config.http.publicUrl, isConfigured: createOriginLookup(connections.accounts.db) },
    rate: { limit: config.rateLimit, window: chooseRateWindow(config, connections.redis, log, status) },
    cursors,
    records,
    concurrency: limitConcurrency(config.credits.concurrentCalls),
    credits: { refunds, meter: createMeter((charges) => chargeBatch(connections.meter.db, charges), refunds) },
  }
}

function openCursors({ environment, cursors: { secret, previousSecret } }: Config): Cursors {
  if (secret === null && environment === 'production') {
    throw new ConfigError([
      'CURSOR_SECRET is missing: set it to text of at least 32 characters, the same on all nodes.',
    ])
  }
  // Without CURSOR_SECRET, pagination cursors are valid only until this process ends.
  return createCursors([
    secret ?? randomBytes(32).toString('hex'),
    ...(previousSecret === null ? [] : [previousSecret]),
  ])
}

function evictChangedAccounts({ database }: Config, callers: CallerCache, log: Log): AccountChangeListener {
  return listenForAccountChanges(database.accountsUrl, {
    onChange: (accountId) => callers.evict(accountId),
    onGap: () => callers.evictAll(),
    onError: (err) =>
      log.warn({ err }, 'listening for account changes failed: a revoked key may work for up to 4 s longer'),
  })
}

function chooseRateWindow(
  { rateLimit, redis }: Config,
  redisClient: Redis | undefined,
  log: Log,
  status: NodeStatus,
): RateWindow {
  const local = localRateWindow(rateLimit, () => Date.now())
  if (!redisClient) {
    log.warn('REDIS_URL is not set: the rate limit is counted in this process only, which suits a single node')
    return local.window
  }
  return withFallback(redisRateWindow(redisClient, redis.prefix, rateLimit, local), local.window, {
    onFailure: (err) => log.debug({ err }, 'Redis failed: this request was counted locally'),
    onOpen: () => {
      status.isRateLimitFallback = true
      log.warn('Redis keeps failing: the rate limit is counted locally')
    },
    onClose: () => {
      status.isRateLimitFallback = false
      log.info('Redis works again: the rate limit is shared between nodes')
    },
  })
}
