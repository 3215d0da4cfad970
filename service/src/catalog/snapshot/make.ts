// Makes a snapshot of the catalog: every record at one position in the change log (ADR 0024).
import { randomBytes } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { API_VERSION } from '../../contract/openapi/api-version.ts'
import type { Database } from '../../database/postgres.ts'
import type { Session } from '../../database/session.ts'
import type { Clock } from '../../domain/clock.ts'
import { formatInstant } from '../../domain/instant.ts'
import { compressLines } from './compress-lines.ts'
import { readLines } from './read-lines.ts'

export interface SnapshotContext {
  readonly session: Session
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Called with the number of records read so far. */
  onRecords?(records: number): void
}

export interface MadeSnapshot {
  readonly id: string
  readonly records: number
  readonly parts: number
  readonly bytes: number
}

const KEPT_SNAPSHOTS = 3
const SNAPSHOT_LOCK = sql`hashtextextended('vis: make a snapshot of the catalog', 0)`

/** Keeps only the newest snapshots. Returns undefined if another process is making one, or if `isDue` returns false. */
export function makeSnapshot(
  context: SnapshotContext,
  isDue: (db: Database) => Promise<boolean> = async () => true,
): Promise<MadeSnapshot | undefined> {
  return withSnapshotLock(context.session, async (db) => {
    if (!(await isDue(db))) return undefined
    // One transaction sees a single state of the catalog, and an incomplete snapshot is never visible.
    const made = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((tx) => writeSnapshot(context, tx))
    await deleteOldSnapshots(db)
    return made
  })
}

/** Does nothing if another connection holds the lock. */
async function withSnapshotLock<T>(session: Session, work: (db: Database) => Promise<T>): Promise<T | undefined> {
  return session.db.connection().execute(async (db) => {
    const { rows } = await sql<{ isFree: boolean }>`select pg_try_advisory_lock(${SNAPSHOT_LOCK}) as "isFree"`.execute(
      db,
    )
    if (!rows[0]?.isFree) return undefined
    try {
      return await work(db)
    } finally {
      // If the connection is lost, PostgreSQL releases the lock itself.
      await sql`select pg_advisory_unlock(${SNAPSHOT_LOCK})`.execute(db).catch(() => {})
    }
  })
}

async function writeSnapshot(context: SnapshotContext, tx: Transaction<unknown>): Promise<MadeSnapshot> {
  const createdAt = context.clock()
  const id = createId(createdAt)
  // For many short statements, JIT compilation takes longer than execution.
  await sql`set local jit = off`.execute(tx)
  await insertSnapshot(tx, id, createdAt)
  let [records, parts, bytes] = [0, 0, 0]
  async function* readTexts(): AsyncGenerator<string> {
    for await (const lines of readLines(tx)) {
      records += lines.records
      context.onRecords?.(records)
      context.signal.throwIfAborted()
      yield lines.text
    }
  }
  for await (const part of compressLines(readTexts())) {
    parts += 1
    bytes += part.bytes.length
    await sql`
      insert into catalog.snapshot_part (snapshot_id, nr, bytes, sha256)
      values (${id}, ${parts}, ${part.bytes}, ${part.sha256})
    `.execute(tx)
  }
  await sql`update catalog.snapshot set records = ${records} where id = ${id}`.execute(tx)
  return { id, records, parts, bytes }
}

/** Returns, for example, 20261117T020000Z-5f0c2d9e. The random part distinguishes snapshots of different databases. */
function createId(createdAt: Date): string {
  return `${formatInstant(createdAt).replaceAll(/[-:]/g, '')}-${randomBytes(4).toString('hex')}`
}

async function insertSnapshot(tx: Transaction<unknown>, id: string, createdAt: Date): Promise<void> {
  await sql`
    insert into catalog.snapshot (id, created_at, seq, tag, records, schema_version)
    select ${id}, ${createdAt}, coalesce(newest.seq, 0), coalesce(newest.tag, 0), 0, ${API_VERSION}
      from (values (true)) as always
           left join (select seq, tag from catalog.change order by seq desc limit 1) as newest on true
  `.execute(tx)
}

async function deleteOldSnapshots(db: Database): Promise<void> {
  await sql`
    delete from catalog.snapshot
     where id not in (select id from catalog.snapshot order by created_at desc, id desc limit ${KEPT_SNAPSHOTS})
  `.execute(db)
}
