// Runs several read statements that see the same state of the database.
import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import { isServerUnreachable } from './classify-error.ts'
import type { Database } from './postgres.ts'

/** All statements of `work` see the database as it was at the first statement. */
export async function readSnapshot<T>(db: Database, work: (snapshot: Database) => Promise<T>): Promise<T> {
  try {
    return await runTransaction(db, work)
  } catch (error) {
    // A prepared statement was missing because a connection pooler switched the session (prepare.ts). Statements are no
    // longer prepared from now on, but the transaction of the first attempt has failed.
    if (!isTransactionAborted(error)) throw error
    return runTransaction(db, work)
  }
}

/** Returns the result of `work` without waiting for the end of the transaction, which has nothing to write. */
function runTransaction<T>(db: Database, work: (snapshot: Database) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // An error in the commit comes after the result. The pool closes a connection that does not answer.
    holdTransaction(db, async (connection) => resolve(await work(connection))).catch(reject)
  })
}

function holdTransaction(db: Database, work: (snapshot: Database) => Promise<void>): Promise<void> {
  return db.connection().execute(async (connection) => {
    await BEGIN.execute(connection)
    try {
      await work(connection)
      await COMMIT.execute(connection)
    } catch (error) {
      // A server that does not answer would not answer the rollback either; the pool then closes the connection.
      const isAnswering = error instanceof DatabaseError || !isServerUnreachable(error)
      if (isAnswering) await ROLLBACK.execute(connection).catch(() => {})
      throw error
    }
  })
}

/**
 * Shortens the statement timeout by the time since the first statement, so that a call with several steps has a single
 * time limit. The setting vis.call_timeout holds that limit.
 */
export async function leaveRemainingTime(snapshot: Database): Promise<void> {
  await sql`
    select set_config('vis.call_timeout', call_timeout, true),
           set_config('statement_timeout', greatest(1, ceil(extract(epoch from remaining) * 1000))::int::text, true)
      from (select call_timeout, call_timeout::interval - (clock_timestamp() - now()) as remaining
              from (select coalesce(nullif(current_setting('vis.call_timeout', true), ''),
                                    current_setting('statement_timeout')) as call_timeout) as setting) as time
     where call_timeout <> '0'
  `.execute(snapshot)
}

const BEGIN = sql`begin isolation level repeatable read, read only`
const COMMIT = sql`commit`
const ROLLBACK = sql`rollback`

/** SQLSTATE in_failed_sql_transaction: an earlier statement of the same transaction failed. */
const isTransactionAborted = (error: unknown) => error instanceof DatabaseError && error.code === '25P02'
