// Assembles an API node from its configuration. The `serve` command and the tests use the same function.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { chargeBatch, refundBatch } from '../accounts/credits/charge-batch.ts'
import { createMeter } from '../accounts/credits/meter.ts'
import { createRefunds, type Refunds } from '../accounts/credits/refunds.ts'
import { type AccountChangeListener, listenForAccountChanges } from '../accounts/keys/account-changes.ts'
import { issueKey } from '../accounts/keys/api-key.ts'
import { type CallerCache, createCallerCache } from '../accounts/keys/caller-cache.ts'
import { type FoundKey, findCaller } from '../accounts/keys/find-caller.ts'
import { createKeyUse, type KeyUse } from '../accounts/keys/key-use.ts'
import { createOriginLookup } from '../accounts/origins.ts'
import { createSignInStates } from '../accounts/people/identity-status.ts'
import { openFeedStore } from '../accounts/watches/feeds.ts'
import { createInboxWaits, findAwaitedEvents } from '../accounts/watches/inbox-waits.ts'
import { withFallback } from '../api/admission/circuit-breaker.ts'
import { createDatabaseTurns } from '../api/admission/database-turns/turns.ts'
import { limitConcurrency } from '../api/admission/limit-concurrency.ts'
import { createKeyLookupLimits } from '../api/admission/limit-lookups.ts'
import { limitWaits, WAITS } from '../api/admission/limit-waits.ts'
import { localRateWindow, type RateWindow, redisRateWindow } from '../api/admission/rate-window.ts'
import { shareProcessor } from '../api/admission/share-processor.ts'
import { createUnsentBytes } from '../api/admission/unsent-bytes.ts'
import type { ApiContext } from '../api/api-context.ts'
import { watchLoading } from '../api/cve-record/loading.ts'
import { createDocuments } from '../api/documents/documents.ts'
import { createReadRateWatch } from '../api/large-answers/read-rate.ts'
import { createMetrics, type MetricSources, type Metrics } from '../api/metrics.ts'
import { createServer } from '../api/server.ts'
import type { Invitations, ServedEndpoint } from '../api/services.ts'
import { createFeeds } from '../api/watch-feeds/feeds.ts'
import { type Config, ConfigError } from '../config.ts'
import { serveConsole } from '../console/serve.ts'
import { CONSOLE_PATH } from '../console/serve-files.ts'
import { type Cursors, createCursors } from '../contract/cursor.ts'
import type { Loading } from '../contract/response/loading.ts'
import { isServerUnreachable } from '../database/classify-error.ts'
import type { Redis } from '../database/redis.ts'
import { quickstart } from '../documentation/guide/quickstart.ts'
import { serveDocumentation } from '../documentation/serve.ts'
import type { Clock } from '../domain/clock.ts'
import type { Log } from '../log.ts'
import { countDroppedLogLines } from '../log-sink.ts'
import { type ColumnsThread, createColumnsThread } from '../search/facets/thread/client.ts'
import {
  type Connections,
  getColumnsLimits,
  getDocumentLimits,
  getMatchLimits,
  openConnections,
} from './connections.ts'
import { createInvitations, openConsole, openSessionCache } from './console.ts'
import { type EventLoopDelay, measureEventLoopDelay } from './event-loop-delay.ts'
import { type FollowedRecordCache, openRecordCache } from './record-cache.ts'
import { type ChargeDurabilityWatch, watchChargeDurability } from './watch-charge-durability.ts'

export interface ApiNode {
  readonly app: FastifyInstance
  readonly connections: Connections
  readonly metrics: Metrics
  readonly isDraining: boolean
  /** Progress of the first load of the catalog; undefined once it is finished. */
  loading(): Loading | undefined
  /** Reads the columns for facets into memory, which otherwise happens at the first call. */
  readColumns(): void
  /** From then on, every response has `Connection: close`, so that clients connect to another node. */
  startDraining(): void
  /** Sends pending refunds first. Call it after the last response. */
  close(): Promise<void>
}

interface NodeOptions {
  readonly endpoints: readonly ServedEndpoint[]
  readonly clock: Clock
  readonly log: Log
  /** API key that /docs fills in. Only the demo sets it. */
  readonly referenceKey?: string | undefined
  /** Undefined if the console is not built. */
  readonly consoleFolder?: string | undefined
}

const REFUND_TIMEOUT_MS = 5000

export async function assembleNode(config: Config, options: NodeOptions): Promise<ApiNode> {
  const { endpoints, log, referenceKey, consoleFolder } = options
  const [cursors, connections, metrics] = [openCursors(config), openConnections(config, log), createMetrics()]
  const recordCache = openRecordCache(config, connections, log)
  const keyUse = openKeyUse(connections, log)
  const callers = createCallerCache((digest) => findUsedKey(connections, keyUse, digest), createKeyLookupLimits())
  const sessions = openSessionCache(connections)
  const refunds = openRefunds(config, connections, log)
  const signIn = createSignInStates(connections.accounts.db)
  const console = await openConsole({ config, connections, sessions, signIn, metrics, log, folder: consoleFolder })
  const [status, delay] = [createStatus(), measureEventLoopDelay()]
  const invitations = createInvitations(config, signIn)
  const columns = openColumns(config, log)
  const parts = { config, options, connections, callers, refunds, cursors, recordCache, columns, status, invitations }
  const context: ApiContext = { ...createApiContext(parts), ...createFairness(config, delay, metrics) }
  let isDraining = false
  const app = await createServer({
    endpoints,
    log,
    metrics,
    context,
    trustProxy: config.http.trustProxy,
    startPage: console?.files ? CONSOLE_PATH : quickstart.path,
    servePages: async (app) => {
      await serveDocumentation(app, endpoints, { ...config.http, referenceKey }, context.clock)
      if (console) serveConsole(app, endpoints, context, console)
    },
    isDraining: () => isDraining,
  })
  // Background work is started last, so that nothing keeps running if createServer throws.
  const accountChanges = evictChangedAccounts(config, [callers, sessions], log, status)
  recordCache.follow()
  const durability = watchChargeDurability(connections.accounts.db, config.credits.commit, log)
  keyUse.start()
  metrics.watch(createMetricSources({ connections, recordCache, columns, refunds, durability, status, context }))
  return {
    app,
    connections,
    metrics,
    get isDraining() {
      return isDraining
    },
    loading: context.services.loading,
    readColumns: columns.start,
    startDraining: () => {
      isDraining = true
      recordCache.changes.endWaits()
      context.services.inbox.endWaits()
    },
    close: async () => {
      await app.close()
      delay.stop()
      await context.documents.close()
      await columns.close()
      await sendPendingRefunds(refunds, log)
      const background = [recordCache, keyUse, durability]
      await Promise.all([accountChanges.close(), ...background.map((each) => each.stop())])
      await connections.close()
    },
  }
}

function openColumns(config: Config, log: Log): ColumnsThread {
  return createColumnsThread(
    { databaseUrl: config.database.readUrl, poolLimits: getColumnsLimits(config) },
    {
      onLoaded: (columns) => log.info({ columns }, 'the columns for facets are in memory'),
      onFailure: (reason) =>
        log.warn({ reason }, 'the columns in memory are not up to date: the database counts facets'),
    },
  )
}

function createStatus(): NodeStatus {
  return { isRateLimitFallback: false, isAccountsReachable: true }
}

function openKeyUse({ accounts }: Connections, log: Log): KeyUse {
  return createKeyUse(accounts.db, (err) => log.warn({ err }, 'the last use of keys could not be recorded; retrying'))
}

async function findUsedKey({ accounts }: Connections, keyUse: KeyUse, digest: string): Promise<FoundKey | undefined> {
  const found = await findCaller(accounts.db, digest)
  if (found && !found.refusal) keyUse.note(found.caller.keyId)
  return found
}

/** State that only events reveal, for the metrics. */
interface NodeStatus {
  isRateLimitFallback: boolean
  isAccountsReachable: boolean
}

interface ObservedParts {
  readonly connections: Connections
  readonly recordCache: FollowedRecordCache
  readonly columns: ColumnsThread
  readonly refunds: Refunds
  readonly durability: ChargeDurabilityWatch
  readonly status: NodeStatus
  readonly context: ApiContext
}

function createMetricSources(parts: ObservedParts): MetricSources {
  const { connections, recordCache, columns, refunds, durability, status, context } = parts
  const { reads, checks, accounts, meter } = connections
  return {
    pools: {
      // Calls wait for their account's turn before they request a connection from this pool.
      reads: () => ({ ...reads.counts(), waiting: context.turns.catalog.counts().waiting }),
      checks: () => checks.counts(),
      accounts: () => accounts.counts(),
      meter: () => meter.counts(),
    },
    records: () => recordCache.counts(),
    batches: () => recordCache.countBatches(),
    facets: () => columns.counts(),
    changes: () => recordCache.progress(),
    refundsPending: () => refunds.pending,
    chargeCommit: () => ({ commit: durability.commit, survives: durability.survives() }),
    unsent: () => context.unsent.counts(),
    documents: () => context.documents.counts(),
    slowReadersDisconnected: () => context.readRate.disconnects(),
    isRateLimitFallback: () => status.isRateLimitFallback,
    droppedLogLines: countDroppedLogLines,
  }
}

function openRefunds({ credits: { commit } }: Config, connections: Connections, log: Log): Refunds {
  return createRefunds(
    (calls) => refundBatch(connections.meter.run, calls, commit),
    (err, pending) => log.warn({ err, pending }, 'refunds failed and will be retried'),
  )
}

async function sendPendingRefunds(refunds: Refunds, log: Log): Promise<void> {
  const lost = await refunds.drain(REFUND_TIMEOUT_MS)
  if (lost > 0) log.error({ lost }, 'refunds lost: the database was unreachable until the node stopped')
}

interface ApiDependencies {
  readonly config: Config
  readonly options: NodeOptions
  readonly connections: Connections
  readonly callers: CallerCache
  readonly refunds: Refunds
  readonly cursors: Cursors
  readonly recordCache: FollowedRecordCache
  readonly columns: ColumnsThread
  readonly status: NodeStatus
  readonly invitations: Invitations
}

type Fairness = Pick<
  ApiContext,
  'turns' | 'concurrency' | 'waits' | 'processor' | 'unsent' | 'readRate' | 'countRefusedKey'
>

function createApiContext(dependencies: ApiDependencies): Omit<ApiContext, keyof Fairness> {
  const { config, options, connections, callers, refunds, cursors, recordCache, columns, status, invitations } =
    dependencies
  const { endpoints, clock, log } = options
  const documents = createDocuments({
    documents: { databaseUrl: config.database.readUrl, poolLimits: getDocumentLimits(config) },
    matches: { databaseUrl: config.database.readUrl, poolLimits: getMatchLimits(config) },
  })
  return {
    accounts: connections.accounts.db,
    callers,
    clock,
    origins: { publicUrl: config.http.publicUrl, isConfigured: createOriginLookup(connections.accounts.db) },
    rate: { limit: config.rateLimit, window: chooseRateWindow(config, connections.redis, log, status) },
    documents,
    credits: {
      refunds,
      meter: createMeter((charges) => chargeBatch(connections.meter.run, charges, config.credits.commit), refunds),
    },
    bind: { catalog: connections.reads.bind, accounts: connections.accounts.bind },
    services: {
      db: connections.reads.db,
      checks: connections.checks.db,
      accounts: connections.accounts.db,
      isAccountsReachable: () => status.isAccountsReachable,
      issueKey: () => issueKey(config.environment === 'production' ? 'live' : 'test'),
      invitations,
      cursors,
      endpoints,
      records: recordCache.records,
      batchRecords: recordCache.batchRecords,
      scanDocument: documents.scan,
      readDocument: documents.read,
      estimateMatch: documents.estimate,
      matchComponents: documents.match,
      findCves: documents.findCves,
      changes: recordCache.changes,
      inbox: createInboxWaits(
        (waits) => findAwaitedEvents(connections.accounts.db, waits),
        (err) => log.warn({ err }, 'waiting calls cannot be told of events; retrying'),
      ),
      feeds: createFeeds(openFeedStore(connections.accounts.db), config.http.publicUrl),
      publicUrl: config.http.publicUrl,
      countInMemory: columns.count,
      loading: watchLoading(connections.checks.db),
    },
  }
}

const MAX_TURN_WAIT_MS = 10_000

/**
 * Creates what divides the node fairly among accounts: turns for using the databases, and limits on calls in flight.
 */
function createFairness(config: Config, delay: EventLoopDelay, metrics: Metrics): Fairness {
  const { database, fairness, credits, largeAnswers } = config
  const { poolSize, acquireTimeoutMs } = database.limits
  const createTurns = (turns: number) =>
    createDatabaseTurns(
      {
        turns,
        turnsPerAccount: { search: fairness.searchesPerAccount, batch: fairness.batchesPerAccount },
        budgetMsPerMinute: fairness.databaseMsPerMinute,
        longCallMs: fairness.longCallMs,
        refuseAfterMs: acquireTimeoutMs,
        maxWaitMs: MAX_TURN_WAIT_MS,
      },
      { onTurn: metrics.observeTurn, onRefusal: metrics.countRefusedTurn },
    )
  const isOverloaded = () => delay.meanMs > fairness.maxEventLoopDelayMs
  return {
    countRefusedKey: metrics.countRefusedKey,
    turns: {
      catalog: createTurns(poolSize),
      // Usage calls leave most connections of the pool to the lookups of API keys.
      accounts: createTurns(Math.max(1, Math.floor(poolSize / 3))),
    },
    concurrency: limitConcurrency(credits.concurrentCalls, isOverloaded, metrics.countRefusedCall),
    processor: shareProcessor(isOverloaded, metrics.countRefusedCall),
    waits: limitWaits(WAITS, metrics.countRefusedCall),
    unsent: createUnsentBytes({
      accountBytes: largeAnswers.unsentMegabytesPerAccount * 1_000_000,
      nodeBytes: largeAnswers.unsentMegabytesPerNode * 1_000_000,
    }),
    readRate: createReadRateWatch({
      minBytesPerSecond: largeAnswers.minReadKilobytesPerSecond * 1000,
      windowMs: largeAnswers.readWindowSeconds * 1000,
    }),
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

function evictChangedAccounts(
  { database }: Config,
  caches: readonly Pick<CallerCache, 'evict' | 'evictAll'>[],
  log: Log,
  status: NodeStatus,
): AccountChangeListener {
  return listenForAccountChanges(database.accountsUrl, {
    onChange: (accountId) => {
      for (const cache of caches) cache.evict(accountId)
    },
    onGap: () => {
      status.isAccountsReachable = true
      for (const cache of caches) cache.evictAll()
    },
    onError: (err) => {
      if (isServerUnreachable(err)) status.isAccountsReachable = false
      log.warn({ err }, 'listening for account changes failed: notifications of revoked keys are not received')
    },
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
