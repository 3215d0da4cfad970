// Pools of connections to PostgreSQL, and the handle that queries are given.
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { DatabaseError, Pool as PgPool, type PoolClient } from 'pg'
import { preparing, type Send } from './prepare.ts'

/** SQL is written out with kysely's `sql` tag, which types the rows; so no table is declared here. */
export type Database = Kysely<unknown>

export interface PoolLimits {
  readonly poolSize: number
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
  /** How long a call may wait for a connection, free or new, before it is told to come back. */
  readonly acquireTimeoutMs: number
  /** How much longer than the server's own timeout we wait for a server that has stopped speaking. */
  readonly readGraceMs?: number
  /** What PostgreSQL is told of each session, beside its timeouts. */
  readonly settings?: Readonly<Record<string, string>>
  /** For few statements that are always the same and often sent: the server plans each once per connection. */
  readonly preparesStatements?: boolean
}

export interface Pool {
  readonly db: Database
  /** For metrics. */
  counts(): { total: number; idle: number; waiting: number }
  close(): Promise<void>
}

/** More waiting calls than this are refused at once: a longer queue only turns slowness into timeouts. */
const MAX_QUEUE_LENGTH = 100
const IDLE_IN_TRANSACTION_MS = 5000
/** TCP, TLS and the password take several round trips: a far database needs longer than a call should wait. */
const CONNECT_TIMEOUT_MS = 5000
const IDLE_TIMEOUT_MS = 5 * 60_000

export function openPool(url: string, name: string, limits: PoolLimits, onIdleError: (error: Error) => void): Pool {
  const pool = new PgPool({
    connectionString: url,
    application_name: `vis-${name}`,
    max: limits.poolSize,
    // In this pool it also bounds the wait for a free client, which must not end before the wait that is allowed.
    connectionTimeoutMillis: Math.max(CONNECT_TIMEOUT_MS, limits.acquireTimeoutMs),
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    statement_timeout: limits.statementTimeoutMs,
    lock_timeout: limits.lockTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    query_timeout: limits.statementTimeoutMs + (limits.readGraceMs ?? 500),
    keepAlive: true,
    options: startOptions(limits.settings ?? {}),
  })
  // Without a listener, a connection cut by the server would end the process. While a client is in use, the pool does
  // not listen to it; whoever uses it learns of the cut from the query in flight, or from the next one.
  pool.on('error', onIdleError)
  pool.on('connect', (client) => client.on('error', () => {}))
  const door = boundedAcquire(pool, limits.acquireTimeoutMs)
  const send = preparing(limits.preparesStatements ? 'all' : 'marked')
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: destroyingBroken(pool, door, send) }) })
  return {
    db,
    counts: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: door.waiting() }),
    close: () => db.destroy(),
  }
}

/** As PostgreSQL reads them at the start of a session; nothing of ours needs to be escaped there. */
export function startOptions(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

interface Door {
  acquire(): Promise<PoolClient>
  waiting(): number
}

/** Whoever has waited too long leaves, but the pool goes on for him: what comes then is for the next. */
function boundedAcquire(pool: PgPool, acquireTimeoutMs: number): Door {
  let abandoned = 0
  const acquire = () =>
    new Promise<PoolClient>((resolve, reject) => {
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        abandoned += 1
        // The meter knows by "trying to connect" that nothing was sent.
        reject(new Error('timeout exceeded when trying to connect'))
      }, acquireTimeoutMs)
      const settle = () => {
        clearTimeout(timer)
        if (isLate) abandoned -= 1
      }
      pool
        .connect()
        .finally(settle)
        .then((client) => (isLate ? client.release() : resolve(client)), reject)
    })
  return { acquire, waiting: () => Math.max(0, pool.waitingCount - abandoned) }
}

/** A client whose query timed out is still waiting for the old answer: it must not serve the next caller. */
function destroyingBroken(pool: PgPool, door: Door, send: Send): PostgresPool {
  const seen = new WeakMap<PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      if (door.waiting() >= MAX_QUEUE_LENGTH) throw new PoolQueueFull(MAX_QUEUE_LENGTH)
      const client = await door.acquire()
      const guarded = seen.get(client) ?? guard(client, send)
      seen.set(client, guarded)
      return guarded
    },
  }
}

function guard(client: PoolClient, send: Send): PostgresPoolClient {
  let isBroken = false
  const query = async (statement: string, values: unknown[]) => {
    try {
      return await send(client, statement, values)
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
