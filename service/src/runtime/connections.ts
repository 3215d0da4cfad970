// The links of a process to what lies outside: pools, so that no kind of work can starve another, and Redis.
import type { Config } from '../config.ts'
import { openPool, type Pool, type PoolLimits } from '../database/postgres.ts'
import { openRedis, type Redis } from '../database/redis.ts'
import type { Log } from '../log.ts'

export interface Connections {
  /** The catalog, from the nearest replica. */
  readonly reads: Pool
  /** The log of changes where `reads` reads: a connection of its own, or a crowd would make the node deaf. */
  readonly changes: Pool
  /** Source and catalog tables, on the primary. */
  readonly writes: Pool
  /** Keys, origins, usage. */
  readonly accounts: Pool
  /** Charges and refunds alone: few connections, and little patience. */
  readonly meter: Pool
  /** Housekeeping in the accounts' database: one connection, and all the patience that sums over months need. */
  readonly upkeep: Pool
  /** Absent when no REDIS_URL is set. */
  readonly redis: Redis | undefined
  close(): Promise<void>
}

/** Two batches in flight, one of refunds. */
const METER_CONNECTIONS = 3
const UPKEEP_TIMEOUT_MS = 120_000
/**
 * For searches of a few milliseconds: no plan is worth compiling, and with the usual 4 MB of memory the list of texts
 * that have a common word forgets which they were, and reads whole pages of others to find out again. The catalog is in
 * memory or on flash: with the cost that discs with arms had, the planner reads a table rather than an index of it.
 */
export const READING = { jit: 'off', work_mem: '32MB', random_page_cost: '1.1' }

/** Nothing connects before it is used, so a command pays only for the links that it needs. */
export function openConnections({ database, redis, credits }: Config, log: Log): Connections {
  const open = (name: string, url: string, limits: PoolLimits = database.limits) =>
    // The message alone: the error carries the whole client.
    openPool(url, name, limits, ({ message }) =>
      log.warn({ message, pool: name }, 'an idle database connection was lost'),
    )
  const deadline = credits.chargeDeadlineMs
  const pools = {
    reads: open('reads', database.readUrl, { ...database.limits, settings: READING }),
    changes: open('changes', database.readUrl, { ...database.limits, poolSize: 1, statementTimeoutMs: 1000 }),
    writes: open('writes', database.writeUrl),
    accounts: open('accounts', database.accountsUrl),
    meter: open('meter', database.accountsUrl, {
      poolSize: METER_CONNECTIONS,
      statementTimeoutMs: deadline,
      lockTimeoutMs: deadline,
      acquireTimeoutMs: deadline,
      readGraceMs: 50,
      preparesStatements: true,
    }),
    upkeep: open('upkeep', database.accountsUrl, {
      ...database.limits,
      poolSize: 1,
      statementTimeoutMs: UPKEEP_TIMEOUT_MS,
    }),
  }
  const link =
    redis.url === null ? undefined : openRedis(redis.url, (err) => log.warn({ err }, 'Redis does not answer'))
  return {
    ...pools,
    redis: link,
    close: async () => {
      link?.destroy()
      await Promise.all(Object.values(pools).map((pool) => pool.close()))
    },
  }
}
