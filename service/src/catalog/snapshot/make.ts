// Makes a snapshot of the catalog: every record at one position in the change log (ADR 0024).
import { randomBytes } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { DatabaseError } from 'pg'
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

/** Makes a snapshot now, and keeps only the newest ones. */
export function makeSnapshot(context: SnapshotContext): Promise<MadeSnapshot> {
  return make(context, null)
}

/** Makes the snapshot for a scheduled time. Returns undefined if another process has made it meanwhile. */
export async function makeScheduledSnapshot(
  context: SnapshotContext,
  scheduledFor: Date,
): Promise<MadeSnapshot | undefined> {
  try {
    return await make(context, scheduledFor)
  } catch (error) {
    if (error instanceof DatabaseError && error.constraint === 'snapshot_scheduled_for_key') return undefined
    throw error
  }
}

async function make(context: SnapshotContext, scheduledFor: Date | null): Promise<MadeSnapshot> {
  const { db } = context.session
  // One transaction sees a single state of the catalog, and an incomplete snapshot is never visible.
  const made = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((tx) => writeSnapshot(context, tx, scheduledFor))
  await deleteOldSnapshots(db)
  return made
}

async function writeSnapshot(
  context: SnapshotContext,
  tx: Transaction<unknown>,
  scheduledFor: Date | null,
): Promise<MadeSnapshot> {
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
  // The scheduled time is written last: a process that was suspended before would make the others wait for this row.
  await sql`
    update catalog.snapshot set records = ${records}, scheduled_for = ${scheduledFor} where id = ${id}
  `.execute(tx)
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
