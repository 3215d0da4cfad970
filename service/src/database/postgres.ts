// Pools of connections to PostgreSQL, and the handle that queries are given.
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { DatabaseError, Pool as PgPool, type PoolClient } from 'pg'

/** SQL is written out with kysely's `sql` tag, which types the rows; so no table is declared here. */
export type Database = Kysely<unknown>

export interface PoolLimits {
  readonly poolSize: number
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
  /** How long a call may wait for a free connection before it is told to come back. */
  readonly acquireTimeoutMs: number
}

export interface Pool {
  readonly db: Database
  /** For metrics. */
  counts(): { total: number; idle: number; waiting: number }
  close(): Promise<void>
}

/** More waiting calls than this are refused at once: a longer queue only turns slowness into timeouts. */
const LONGEST_QUEUE = 100
const IDLE_IN_TRANSACTION_MS = 5000

export function openPool(url: string, name: string, limits: PoolLimits, onIdleError: (error: Error) => void): Pool {
  const pool = new PgPool({
    connectionString: url,
    application_name: `vis-${name}`,
    max: limits.poolSize,
    connectionTimeoutMillis: limits.acquireTimeoutMs,
    statement_timeout: limits.statementTimeoutMs,
    lock_timeout: limits.lockTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    // The server's own timeout speaks first; this one is for a server that has stopped speaking.
    query_timeout: limits.statementTimeoutMs + 500,
    keepAlive: true,
  })
  // Without a listener, an idle connection cut by the server would end the process.
  pool.on('error', onIdleError)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: destroyingBroken(pool) }) })
  return {
    db,
    counts: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => db.destroy(),
  }
}

/** A client whose query timed out is still waiting for the old answer: it must not serve the next caller. */
function destroyingBroken(pool: PgPool): PostgresPool {
  const seen = new WeakMap<PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      if (pool.waitingCount >= LONGEST_QUEUE) throw new PoolQueueFull(LONGEST_QUEUE)
      const client = await pool.connect()
      const guarded = seen.get(client) ?? guard(client)
      seen.set(client, guarded)
      return guarded
    },
  }
}

function guard(client: PoolClient): PostgresPoolClient {
  let isBroken = false
  const query = async (statement: string, values: unknown[]) => {
    try {
      return await client.query(statement, values)
    } catch (error) {
      isBroken ||= !isAnswerOfServer(error)
      throw error
    }
  }
  return Object.create(client, { query: { value: query }, release: { value: () => client.release(isBroken) } })
}

/** Errors with a five-character SQLSTATE came over the wire, so the connection still speaks. */
function isAnswerOfServer(error: unknown): boolean {
  return error instanceof DatabaseError && !error.code?.startsWith('57P')
}

export class PoolQueueFull extends Error {
  constructor(length: number) {
    super(`${length} calls are waiting for a database connection already`)
    this.name = 'PoolQueueFull'
  }
}
