// Connection pools for PostgreSQL, with time limits and a bounded queue.
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { type ClientConfig, DatabaseError, Pool as PgPool, type PoolClient } from 'pg'
import { cancelStatement, isCancelled } from './cancel-statement.ts'
import { createStatementSender, type SendStatement } from './prepare.ts'

/** Database connection. Queries use kysely's `sql` tag with typed rows, so no tables are declared. */
export type Database = Kysely<unknown>

export interface ConnectionLimits {
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
  readonly acquireTimeoutMs: number
  /**
   * Maximum time that a request waits while a connection is being opened, if longer than acquireTimeoutMs; default 1 s.
   */
  readonly openTimeoutMs?: number
  /** Extra time after the server's statement timeout; a query that has not been answered by then is abandoned. */
  readonly readGraceMs?: number
  readonly settings?: Readonly<Record<string, string>>
}

export interface PoolLimits extends ConnectionLimits {
  readonly poolSize: number
}

export interface ConnectionCounts {
  readonly total: number
  readonly idle: number
  readonly waiting: number
}

export interface Pool {
  readonly db: Database
  /** When the signal aborts, the running statement is cancelled and no further one begins. */
  readonly bind: (signal: AbortSignal) => Database
  /** Opens connections ahead of the first requests, at most as many as the pool may have. Throws the first error. */
  warmUp(connections: number): Promise<void>
  counts(): ConnectionCounts
  close(): Promise<void>
}

/** Further requests are rejected at once: a longer queue would only cause timeouts. */
const MAX_QUEUE_LENGTH = 100
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5000
/** Connecting takes several round trips (TCP, TLS, password) and may take longer than a request may wait. */
const CONNECT_TIMEOUT_MS = 5000
/**
 * Maximum time that a request waits for a connection that is being opened. A pool has no open connections after the
 * start, after five idle minutes and after a restart of the database, and then opens many at once: requests that gave
 * up after acquireTimeoutMs would be refused although the database works. If the server does not answer at all, a
 * request waits this long in vain.
 */
const OPEN_TIMEOUT_MS = 1000
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
  const acquirer = createBoundedAcquire(pool, limits)
  const send = createStatementSender()
  const db = toDatabase(withBrokenClientsDestroyed(pool, acquirer, (client) => guardClient(client, send)))
  return {
    db,
    bind: (signal) =>
      toDatabase(withBrokenClientsDestroyed(pool, acquirer, (client) => guardClient(client, send, signal))),
    warmUp: (connections) => openAhead(pool, Math.min(connections, limits.poolSize)),
    counts: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: acquirer.waiting() }),
    close: async () => {
      await db.destroy()
      // Kysely closes the pool only if it has sent a statement. A pool that was only warmed up is still open.
      if (!pool.ending) await pool.end()
    },
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

/** The settings contain no characters that need escaping. */
export function formatSessionOptions(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

interface BoundedAcquire {
  acquire(): Promise<PoolClient>
  waiting(): number
}

/** On timeout the caller is rejected; a connection that arrives later goes back to the pool. */
function createBoundedAcquire(pool: PgPool, limits: ConnectionLimits): BoundedAcquire {
  const { acquireTimeoutMs } = limits
  const openTimeoutMs = getOpenTimeoutMs(limits)
  const openings = watchOpenings(pool)
  let abandoned = 0
  const acquire = () =>
    new Promise<PoolClient>((resolve, reject) => {
      const startedMs = performance.now()
      let isLate = false
      const onTimeout = () => {
        const nowMs = performance.now()
        const untilMs = Math.min(startedMs + openTimeoutMs, openings.lastMs(nowMs) + acquireTimeoutMs)
        if (untilMs > nowMs) {
          timer = setTimeout(onTimeout, untilMs - nowMs)
          return
        }
        isLate = true
        abandoned += 1
        reject(createConnectTimeoutError())
      }
      let timer = setTimeout(onTimeout, acquireTimeoutMs)
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

export function getOpenTimeoutMs({ acquireTimeoutMs, openTimeoutMs = OPEN_TIMEOUT_MS }: ConnectionLimits): number {
  return Math.max(acquireTimeoutMs, openTimeoutMs)
}

/** Tracks when the pool last opened a connection. While it is opening one, this is the current time. */
function watchOpenings(pool: PgPool): { readonly lastMs: (nowMs: number) => number } {
  let [inUse, openedMs] = [0, 0]
  pool.on('connect', () => {
    openedMs = performance.now()
  })
  pool.on('acquire', () => {
    inUse += 1
  })
  pool.on('release', () => {
    inUse -= 1
  })
  // Connections that are neither idle nor in use are being opened.
  return { lastMs: (nowMs) => (pool.totalCount > pool.idleCount + inUse ? nowMs : openedMs) }
}

async function openAhead(pool: PgPool, connections: number): Promise<void> {
  const opened = await Promise.allSettled(Array.from({ length: connections }, () => pool.connect()))
  for (const each of opened) if (each.status === 'fulfilled') each.value.release()
  for (const each of opened) if (each.status === 'rejected') throw each.reason
}

/** The credit meter (meter.ts) treats "trying to connect" in the message as proof that no charge was sent. */
export function createConnectTimeoutError(): Error {
  return new Error('timeout exceeded when trying to connect')
}

/** Destroys clients whose query timed out, because they are still waiting for the old response. */
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

/**
 * Statements that end a transaction. They are sent even after an abort, so that the connection does not stay in its
 * transaction.
 */
const ENDS_TRANSACTION = /^(commit|rollback)$/

/** Calls `onStray` if the cancel request came too late and may still end a later statement on the connection. */
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

/** An error with an SQLSTATE was sent by the server, so the connection still works. */
export function isConnectionUsable(error: unknown): boolean {
  return error instanceof DatabaseError && !REPLACING_STATES.test(error.code ?? '')
}

export class PoolQueueFullError extends Error {
  constructor(length: number) {
    super(`${length} requests are already waiting for a database connection`)
    this.name = 'PoolQueueFullError'
  }
}
