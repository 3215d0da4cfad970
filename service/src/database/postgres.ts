// Connection pools for PostgreSQL.
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { type ClientConfig, DatabaseError, Pool as PgPool, type PoolClient } from 'pg'
import { cancelStatement, isCancelled } from './cancel-statement.ts'
import { createStatementSender, type SendStatement } from './prepare.ts'

/** Database connection. Queries use kysely's `sql` tag with typed rows, so no tables are declared. */
export type Database = Kysely<unknown>

export interface ConnectionLimits {
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
  /** Maximum time that a request waits for a free or new connection. */
  readonly acquireTimeoutMs: number
  /**
   * Extra time after the server's own statement timeout. If the server has not answered by then, the query is
   * abandoned.
   */
  readonly readGraceMs?: number
  /** PostgreSQL settings of each session, in addition to the timeouts. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface PoolLimits extends ConnectionLimits {
  readonly poolSize: number
}

/** Numbers of connections for metrics. `waiting` counts the requests that wait for a connection. */
export interface ConnectionCounts {
  readonly total: number
  readonly idle: number
  readonly waiting: number
}

export interface Pool {
  readonly db: Database
  /**
   * Returns the same database for the work of one call. When the signal aborts, the running statement is cancelled and no
   * further one begins; the promise of the statement settles when the server has ended it.
   */
  bind(signal: AbortSignal): Database
  counts(): ConnectionCounts
  close(): Promise<void>
}

/**
 * Maximum number of requests that wait for a connection. Further requests are rejected at once: a longer queue would
 * only cause timeouts.
 */
const MAX_QUEUE_LENGTH = 100
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5000
/**
 * Maximum time to open a connection. Connecting takes several round trips (TCP, TLS, password) and may take longer than
 * a request may wait.
 */
const CONNECT_TIMEOUT_MS = 5000
const IDLE_TIMEOUT_MS = 5 * 60_000

export function openPool(url: string, name: string, limits: PoolLimits, onIdleError: (error: Error) => void): Pool {
  const pool = new PgPool({
    ...buildClientConfig(url, name, limits),
    max: limits.poolSize,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
  })
  // Without an error listener, a connection that the server closes would crash the process. The pool does not listen to
  // clients in use; their next query fails and reports the closed connection.
  pool.on('error', onIdleError)
  pool.on('connect', (client) => client.on('error', () => {}))
  const acquirer = createBoundedAcquire(pool, limits.acquireTimeoutMs)
  const send = createStatementSender()
  const db = toDatabase(withBrokenClientsDestroyed(pool, acquirer, (client) => guardClient(client, send)))
  return {
    db,
    bind: (signal) =>
      toDatabase(withBrokenClientsDestroyed(pool, acquirer, (client) => guardClient(client, send, signal))),
    counts: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: acquirer.waiting() }),
    close: () => db.destroy(),
  }
}

const toDatabase = (pool: PostgresPool) => new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })

export function buildClientConfig(url: string, name: string, limits: ConnectionLimits): ClientConfig {
  return {
    connectionString: url,
    application_name: `vis-${name}`,
    // The library pg also applies this limit to waiting for a free client of a pool, so the limit must not be below
    // acquireTimeoutMs.
    connectionTimeoutMillis: Math.max(CONNECT_TIMEOUT_MS, limits.acquireTimeoutMs),
    statement_timeout: limits.statementTimeoutMs,
    lock_timeout: limits.lockTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    query_timeout: limits.statementTimeoutMs + (limits.readGraceMs ?? 500),
    keepAlive: true,
    options: formatSessionOptions(limits.settings ?? {}),
  }
}

/** Formats settings for PostgreSQL's startup option `-c`. The settings contain no characters that need escaping. */
export function formatSessionOptions(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

interface BoundedAcquire {
  acquire(): Promise<PoolClient>
  waiting(): number
}

/**
 * Acquires a connection within a time limit. On timeout the caller is rejected; the connection that arrives later goes
 * back to the pool.
 */
function createBoundedAcquire(pool: PgPool, acquireTimeoutMs: number): BoundedAcquire {
  let abandoned = 0
  const acquire = () =>
    new Promise<PoolClient>((resolve, reject) => {
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        abandoned += 1
        reject(createConnectTimeoutError())
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

/**
 * The credit meter (meter.ts) looks for "trying to connect" in the message of this error, which tells it that no charge
 * was sent.
 */
export function createConnectTimeoutError(): Error {
  return new Error('timeout exceeded when trying to connect')
}

/**
 * Destroys clients whose query timed out: such a client still waits for the old response and must not serve the next
 * caller.
 */
function withBrokenClientsDestroyed(
  pool: PgPool,
  acquirer: BoundedAcquire,
  guard: (client: PoolClient) => PostgresPoolClient,
): PostgresPool {
  const guardedClients = new WeakMap<PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      if (acquirer.waiting() >= MAX_QUEUE_LENGTH) throw new PoolQueueFullError(MAX_QUEUE_LENGTH)
      const client = await acquirer.acquire()
      const guarded = guardedClients.get(client) ?? guard(client)
      guardedClients.set(client, guarded)
      return guarded
    },
  }
}

function guardClient(client: PoolClient, send: SendStatement, signal?: AbortSignal): PostgresPoolClient {
  let isBroken = false
  const markBroken = () => {
    isBroken = true
  }
  const sendBound = signal ? withSignal(send, signal, markBroken) : send
  const query = async (statement: string, values: unknown[]) => {
    try {
      return await sendBound(client, statement, values)
    } catch (error) {
      const isAbort = signal?.aborted === true && error === signal.reason
      isBroken ||= !isAbort && !isConnectionUsable(error)
      throw error
    }
  }
  return Object.create(client, { query: { value: query }, release: { value: () => client.release(isBroken) } })
}

/** Statements that end a transaction. They are sent after an abort too: a connection must not keep its transaction. */
const ENDS_TRANSACTION = /^(commit|rollback)$/

/**
 * Returns a function that sends statements and cancels the running one when the signal aborts. Calls `onStray` if the
 * cancel request came too late for the statement and may still end a later statement of the connection.
 */
function withSignal(send: SendStatement, signal: AbortSignal, onStray: () => void): SendStatement {
  return async (client, statement, values) => {
    if (ENDS_TRANSACTION.test(statement)) return send(client, statement, values)
    signal.throwIfAborted()
    let cancelling: Promise<void> | undefined
    const cancel = () => {
      cancelling = cancelStatement(client)
    }
    signal.addEventListener('abort', cancel, { once: true })
    let isOver = false
    try {
      return await send(client, statement, values)
    } catch (error) {
      isOver = isCancelled(error)
      throw isOver && signal.aborted ? signal.reason : error
    } finally {
      signal.removeEventListener('abort', cancel)
      if (cancelling) await cancelling
      if (cancelling && !isOver) onStray()
    }
  }
}

// SQLSTATEs after which a connection must be replaced: after 57P the server closes the connection, and after 25006
// (read-only transaction) a new connection leads to the new primary.
const REPLACING_STATES = /^(57P|25006)/

/**
 * Returns whether a connection can be used after an error. Errors with an SQLSTATE were sent by the server, so the
 * connection still works.
 */
export function isConnectionUsable(error: unknown): boolean {
  return error instanceof DatabaseError && !REPLACING_STATES.test(error.code ?? '')
}

export class PoolQueueFullError extends Error {
  constructor(length: number) {
    super(`${length} requests are already waiting for a database connection`)
    this.name = 'PoolQueueFullError'
  }
}
