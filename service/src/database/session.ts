// A single database connection for bulk work with long statements, temporary tables and COPY, separate from the request
// pools.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { Client, Pool as PgPool, type PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Database } from './postgres.ts'

export interface Session {
  readonly db: Database
  /** `lines` are in COPY's text format; `target` is a table with columns, such as `staged (a, b)`. */
  copyInto(tx: Transaction<unknown>, target: string, lines: AsyncIterable<string> | Iterable<string>): Promise<void>
  abandon(): void
  close(): Promise<void>
}

/** Merging a whole catalog takes seconds, so a statement that takes longer than this is stuck. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000
/** Extra time after the server's statement timeout; a query that has not been answered by then is abandoned. */
const READ_GRACE_MS = 30_000
const KEEP_ALIVE_DELAY_MS = 30_000
/** Maximum wait for a lock: longer than the 60 s after which PostgreSQL releases the locks of a dead process. */
const LOCK_TIMEOUT_MS = 90_000
/** Idle time after which PostgreSQL ends a transaction, so that a suspended process does not keep its locks. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000
const CONNECT_TIMEOUT_MS = 10_000

export function openSession(url: string, name: string): Session {
  const pool = new PgPool({
    connectionString: url,
    application_name: `vis-${name}`,
    max: 1,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS + READ_GRACE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
  })
  // A connection that is closed while idle is replaced by the next query. If a connection is closed during a query,
  // that query fails.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  let inUse: PoolClient | undefined
  pool.on('acquire', (client) => {
    inUse = client
  })
  return {
    db: new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }),
    copyInto: async (_tx, target, lines) => {
      if (!inUse) throw new Error('copyInto needs an open transaction of this session')
      await pipeline(Readable.from(lines), inUse.query(copyFrom(`copy ${target} from stdin`)))
    },
    abandon: () => {
      // If a query is running, the client's `end` closes the socket at once instead of waiting for the query.
      if (inUse instanceof Client) void inUse.end()
    },
    close: () => pool.end(),
  }
}
