// A process's connections to PostgreSQL and Redis. Each type of work has its own connection pool, so that none can
// starve another.
import type { Config } from '../config.ts'
import { openPool, type Pool, type PoolLimits } from '../database/postgres.ts'
import { openRedis, type Redis } from '../database/redis.ts'
import { openStatementConnections, type StatementConnections } from '../database/statement-connections.ts'
import type { Log } from '../log.ts'

export interface Connections {
  /** Connection pool for reads of the catalog. It reads from the replica if DATABASE_READ_URL names one. */
  readonly reads: Pool
  /** For /health, /ping and /stats: one connection, so that they never take one from other requests. */
  readonly checks: Pool
  /** For polling the change log, even while `reads` is exhausted. */
  readonly changes: Pool
  /** Connection pool for the source and catalog tables on the primary. */
  readonly writes: Pool
  readonly accounts: Pool
  /** Connections for charges and refunds only: a few, with short timeouts. */
  readonly meter: StatementConnections
  /** Undefined if REDIS_URL is not set. */
  readonly redis: Redis | undefined
  /** Opens connections, so that the first calls do not wait for them. An unreachable database is not an error. */
  warmUp(): Promise<void>
  close(): Promise<void>
}

/** Number of connections for the credit meter: two for concurrent batches of charges and one for a batch of refunds. */
const METER_CONNECTIONS = 3
/** Maximum number of connections per pool that are opened before a node listens: the default pool size. */
const MAX_WARM_CONNECTIONS = 10
/** Longer than other requests wait: a check may wait for the statements of the other checks. */
const CHECKS_ACQUIRE_TIMEOUT_MS = 1000
/**
 * PostgreSQL settings for searches that take a few milliseconds. JIT compilation costs more than it saves. With the
 * default work_mem of 4 MB, the bitmap of a common word becomes lossy and whole pages must be rechecked. The default
 * random_page_cost is meant for spinning disks and makes the planner prefer table scans to index scans. A search uses
 * no parallel workers, because it would take the processor time of several calls.
 */
export const READ_SESSION_SETTINGS = {
  jit: 'off',
  work_mem: '32MB',
  random_page_cost: '1.1',
  max_parallel_workers_per_gather: '0',
}

/** A pool connects on first use, so an unused pool costs nothing. */
export function openConnections({ database, redis, credits }: Config, log: Log): Connections {
  // Only the message of a connection error is logged, because the error object contains the whole client.
  const warn = (pool: string) => (error: Error) =>
    log.warn({ message: error.message, pool }, 'idle database connection lost')
  const open = (name: string, url: string, limits: PoolLimits = database.limits) =>
    openPool(url, name, limits, warn(name))
  const chargeTimeoutMs = credits.chargeDeadlineMs
  const pools = {
    reads: open('reads', database.readUrl, { ...database.limits, settings: READ_SESSION_SETTINGS }),
    checks: open('checks', database.readUrl, getSingleConnectionLimits(database.limits)),
    changes: open('changes', database.readUrl, { ...database.limits, poolSize: 1, statementTimeoutMs: 1000 }),
    writes: open('writes', database.writeUrl),
    accounts: open('accounts', database.accountsUrl),
    meter: openStatementConnections(
      database.accountsUrl,
      'meter',
      {
        connections: METER_CONNECTIONS,
        statementTimeoutMs: chargeTimeoutMs,
        lockTimeoutMs: chargeTimeoutMs,
        acquireTimeoutMs: chargeTimeoutMs,
        readGraceMs: 50,
      },
      warn('meter'),
    ),
  }
  const redisClient = redis.url === null ? undefined : openRedis(redis.url, (err) => log.warn({ err }, 'Redis error'))
  return {
    ...pools,
    redis: redisClient,
    warmUp: async () => {
      const { reads, checks, accounts, meter } = pools
      const opened = [reads, checks, accounts].map((pool) => pool.warmUp(MAX_WARM_CONNECTIONS))
      await Promise.all([...opened, meter.warmUp()]).catch(({ message }: Error) =>
        log.warn({ message }, 'not all database connections could be opened before the start'),
      )
    },
    close: async () => {
      redisClient?.destroy()
      await Promise.all(Object.values(pools).map((pool) => pool.close()))
    },
  }
}

function getSingleConnectionLimits(limits: PoolLimits): PoolLimits {
  return {
    ...limits,
    poolSize: 1,
    acquireTimeoutMs: Math.max(CHECKS_ACQUIRE_TIMEOUT_MS, limits.acquireTimeoutMs),
    settings: READ_SESSION_SETTINGS,
  }
}

/** Limits of the connection that the document thread opens itself, because threads cannot share connections. */
export function getDocumentLimits({ database }: Config): PoolLimits {
  return getSingleConnectionLimits(database.limits)
}

/**
 * Limits of the connection that keeps the columns in memory up to date. It reads rows by the thousand, which takes longer
 * than a call's statement may take on a busy machine.
 */
export function getColumnsLimits({ database }: Config): PoolLimits {
  return { ...getSingleConnectionLimits(database.limits), statementTimeoutMs: COLUMNS_STATEMENT_TIMEOUT_MS }
}

const COLUMNS_STATEMENT_TIMEOUT_MS = 30_000

/** Number of connections for the thread that matches components. It works on several calls in turn. */
const MATCH_CONNECTIONS = 4

export function getMatchLimits({ database }: Config): PoolLimits {
  return { ...getSingleConnectionLimits(database.limits), poolSize: MATCH_CONNECTIONS }
}
