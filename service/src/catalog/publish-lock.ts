// A PostgreSQL advisory lock that lets only one writer change the catalog at a time. PostgreSQL releases it after the
// commit is visible to others, so the next holder sees all changes and knows that every reader can see them.
import { sql, type Transaction } from 'kysely'
import { DatabaseError } from 'pg'
import type { Session } from '../database/session.ts'
import type { Clock } from '../domain/clock.ts'

export interface PublishContext {
  readonly session: Session
  readonly clock: Clock
  readonly signal: AbortSignal
  onProgress?(progress: PublishProgress): void
}

interface PublishProgress {
  /** `names`: all product names are being learnt. By default, CVEs are being published. */
  readonly phase?: 'names'
  readonly done: number
  /** Number of CVEs queued at the start, or `done` if more were published. */
  readonly total: number
}

const PUBLISHERS_LOCK = sql`hashtextextended('vis: publish the catalog', 0)`
const LOCK_TIMEOUT = '2s'
/** SQLSTATE of a lock timeout. */
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Waits until the lock is free or the signal aborts, up to 2 s per attempt in PostgreSQL's lock queue.
 * pg_try_advisory_lock does not queue: polling could always come too late while another publisher keeps taking the lock
 * again.
 */
export async function withPublishLock<T>(
  { session, signal }: PublishContext,
  work: (tx: Transaction<unknown>) => Promise<T>,
): Promise<T> {
  for (;;) {
    const completed = await session.db
      .transaction()
      .execute(async (tx) => ((await acquireLock(tx)) ? { result: await work(tx) } : undefined))
    if (completed) return completed.result
    signal.throwIfAborted()
  }
}

/** Returns false if the lock was not free within LOCK_TIMEOUT. */
async function acquireLock(tx: Transaction<unknown>): Promise<boolean> {
  await sql`savepoint lock_attempt`.execute(tx)
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx)
  try {
    await sql`select pg_advisory_xact_lock(${PUBLISHERS_LOCK})`.execute(tx)
  } catch (error) {
    await sql`rollback to savepoint lock_attempt`.execute(tx)
    if (error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE) return false
    throw error
  }
  await sql`set local lock_timeout to default`.execute(tx)
  await recordChangeTime(tx)
  // For the many short statements of a publication, JIT compilation takes longer than execution.
  await sql`set local jit = off`.execute(tx)
  return true
}

/**
 * Writes by which time the existing changes were visible to every reader (catalog.change_time). A publisher that is
 * killed after its commit leaves this to the next one: a later time only makes a reader see changes again that were
 * committed before the time it asks for.
 */
async function recordChangeTime(tx: Transaction<unknown>): Promise<void> {
  await sql`
    insert into catalog.change_time (seq, at)
    select newest.seq, greatest(clock_timestamp(), known.at)
      from (select seq from catalog.change order by seq desc limit 1) newest
      left join (select seq, at from catalog.change_time order by seq desc limit 1) known on true
     where newest.seq > coalesce(known.seq, 0)
  `.execute(tx)
}
