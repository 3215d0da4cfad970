// One connection for bulk work: long statements, temporary tables and COPY, which a pool of short calls must not see.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { Client, Pool as PgPool, type PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Database } from './postgres.ts'

export interface Session {
  readonly db: Database
  /** Streams lines of COPY's text format into `target`, such as `staged (a, b)`; inside the given transaction. */
  copyInto(tx: Transaction<unknown>, target: string, lines: AsyncIterable<string> | Iterable<string>): Promise<void>
  /** Gives the connection up, whatever it is waiting for; the query in flight fails. */
  abandon(): void
  close(): Promise<void>
}

/** A merge of a whole catalogue takes seconds; whatever takes this long is stuck. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000
/** Beyond the server's own timeout we do not wait for a server that has stopped speaking. */
const READ_GRACE_MS = 30_000
/** After this much silence the kernel begins to ask whether the other end is still there. */
const KEEP_ALIVE_AFTER_MS = 30_000
/** Rows that a dead process has locked are free when its transaction is ended, see below. */
const LOCK_TIMEOUT_MS = 90_000
/** A process that was stopped between two statements must not keep its locks for ever. */
const IDLE_IN_TRANSACTION_MS = 60_000
const CONNECT_TIMEOUT_MS = 10_000

export function openSession(url: string, name: string): Session {
  const pool = new PgPool({
    connectionString: url,
    application_name: `vis-${name}`,
    max: 1,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    query_timeout: STATEMENT_TIMEOUT_MS + READ_GRACE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  })
  // A connection cut while idle is replaced by the next query; one cut in use fails that query.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  let inUse: PoolClient | undefined
  pool.on('acquire', (client) => {
    inUse = client
  })
  return {
    db: new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }),
    copyInto: async (_tx, target, lines) => {
      if (!inUse) throw new Error('COPY needs a transaction of this session')
      await pipeline(Readable.from(lines), inUse.query(copyFrom(`copy ${target} from stdin`)))
    },
    abandon: () => {
      // With a query in flight, this cuts the connection.
      if (inUse instanceof Client) void inUse.end()
    },
    close: () => pool.end(),
  }
}
