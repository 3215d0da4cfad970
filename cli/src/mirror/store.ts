// The copy in an SQLite file. Every method is one transaction that changes records and position together. The process
// can therefore be killed at any point: the next one continues after the last transaction.
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { ChangedRecords, Snapshot } from 'vis-sdk'
import { UsageError } from '../command.ts'
import { openSqlite } from './folder.ts'

const FILE_NAME = 'catalog.sqlite'

/** Version of the tables below. A file with another version is left untouched. */
const SCHEMA_VERSION = 1

const SCHEMA = `
  create table record (cve_id text primary key, record text not null) strict;

  -- The records of a snapshot that is being loaded. They replace all others when the snapshot is complete.
  create table incoming (cve_id text primary key, record text not null) strict;

  create table state (
    is_only integer primary key default 1 check (is_only = 1),
    -- Position of the change log that the records have; null: a full copy is needed.
    position text,
    -- Position up to which the number of changed CVEs was compared with the count of the service.
    proven text,
    -- Pages that were applied after the proven position.
    unproven_pages integer not null default 0,
    -- Number of the newest EPSS release of which records that did not change have no scores; null: all have the newest.
    epss_release integer,
    -- The snapshot that is being loaded, as JSON, and the number of its loaded parts.
    snapshot text,
    loaded_parts integer not null default 0,
    updated_at text
  ) strict;
  insert into state default values;

  -- CVEs of the changes after the proven position.
  create table unproven (cve_id text primary key) strict;
`

interface MirrorState {
  /** Position in the change log that the records correspond to; undefined if a full copy is needed. */
  readonly position: string | undefined
  readonly proven: string | undefined
  readonly unprovenPages: number
  /** Number of distinct CVEs in the changes after the proven position. */
  readonly unprovenCves: number
  readonly epssRelease: number | undefined
  readonly snapshot: Snapshot | undefined
  readonly loadedParts: number
}

/** A line of a snapshot. */
export interface SnapshotLine {
  readonly cve_id: string
  readonly record: object
}

export interface Store {
  readState(): MirrorState
  countRecords(): number
  /** Starts loading a snapshot, or continues if it is already being loaded. */
  beginSnapshot(snapshot: Snapshot): void
  loadPart(part: number, lines: readonly SnapshotLine[]): void
  /** Replaces all records with those of the loaded snapshot, if it is complete. Returns how many there are. */
  finishSnapshot(): number
  /** Discards the loaded parts of a snapshot. */
  forgetSnapshot(): void
  /** Replaces the records on a page. `isFirst`: this is the first page of a copy that starts without a snapshot. */
  applyPage(page: ChangedRecords, isFirst: boolean): void
  /** Stores that the number of changed CVEs up to the position equals the service's count. */
  markProven(): void
  /** Goes back to the proven position, so that the changes after it are applied again. */
  goBackToProven(): void
  /** Stores that a full copy is needed. The records stay until it is complete. */
  forgetPosition(): void
  close(): void
}

export function openStore(folder: string): Store {
  const db = openSqlite(join(folder, FILE_NAME))
  // A record is about 2.5 kB. With the default page size of 4 KiB, a page would hold only one record and a third of the
  // file would be empty.
  db.exec('pragma page_size = 16384')
  // Readers see the last committed state while this process writes.
  db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 60000')
  const transact = createTransactions(db)
  createTables(db, transact, folder)
  return {
    readState: () => readState(db),
    countRecords: () => count(db, 'record'),
    beginSnapshot: (snapshot) => transact(() => beginSnapshot(db, snapshot)),
    loadPart: (part, lines) => transact(() => loadPart(db, part, lines)),
    finishSnapshot: () => transact(() => finishSnapshot(db)),
    forgetSnapshot: () =>
      transact(() => db.exec('delete from incoming; update state set snapshot = null, loaded_parts = 0')),
    applyPage: (page, isFirst) => transact(() => applyPage(db, page, isFirst)),
    markProven: () => transact(() => setPositions(db, 'proven = position')),
    goBackToProven: () => transact(() => setPositions(db, 'position = proven')),
    forgetPosition: () => transact(() => setPositions(db, 'position = null, proven = null')),
    close: () => db.close(),
  }
}

type Transact = <Result>(work: () => Result) => Result

function createTransactions(db: DatabaseSync): Transact {
  return (work) => {
    db.exec('begin immediate')
    try {
      const result = work()
      db.exec('commit')
      return result
    } catch (error) {
      db.exec('rollback')
      throw error
    }
  }
}

function createTables(db: DatabaseSync, transact: Transact, folder: string): void {
  const version = Number(db.prepare('pragma user_version').get()?.['user_version'])
  if (version === SCHEMA_VERSION) return
  if (version !== 0) {
    throw new UsageError(
      `${join(folder, FILE_NAME)} was written by another version of visctl.`,
      'Use that version, or another folder.',
    )
  }
  transact(() => db.exec(`${SCHEMA}; pragma user_version = ${SCHEMA_VERSION}`))
}

const count = (db: DatabaseSync, table: 'record' | 'incoming' | 'unproven') =>
  Number(db.prepare(`select count(*) as number from ${table}`).get()?.['number'])

function readState(db: DatabaseSync): MirrorState {
  const row = db.prepare('select * from state').get() ?? {}
  const text = (name: string) => (typeof row[name] === 'string' ? row[name] : undefined)
  const snapshot = text('snapshot')
  return {
    position: text('position'),
    proven: text('proven'),
    unprovenPages: Number(row['unproven_pages']),
    unprovenCves: count(db, 'unproven'),
    epssRelease: row['epss_release'] === null ? undefined : Number(row['epss_release']),
    // The cast is safe: beginSnapshot has stored a snapshot.
    snapshot: snapshot === undefined ? undefined : (JSON.parse(snapshot) as Snapshot),
    loadedParts: Number(row['loaded_parts']),
  }
}

function beginSnapshot(db: DatabaseSync, snapshot: Snapshot): void {
  if (readState(db).snapshot?.id === snapshot.id) return
  db.exec('delete from incoming')
  db.prepare('update state set snapshot = ?, loaded_parts = 0').run(JSON.stringify(snapshot))
}

function loadPart(db: DatabaseSync, part: number, lines: readonly SnapshotLine[]): void {
  const insert = db.prepare('insert into incoming (cve_id, record) values (?, ?)')
  for (const { cve_id, record } of lines) insert.run(cve_id, JSON.stringify(record))
  db.prepare('update state set loaded_parts = ?').run(part)
}

function finishSnapshot(db: DatabaseSync): number {
  const { snapshot } = readState(db)
  const loaded = count(db, 'incoming')
  if (!snapshot || loaded !== snapshot.records_total) return loaded
  db.exec('drop table record; alter table incoming rename to record')
  db.exec('create table incoming (cve_id text primary key, record text not null) strict')
  db.prepare('update state set position = ?').run(snapshot.next_since)
  db.exec('update state set snapshot = null, loaded_parts = 0, epss_release = null')
  setPositions(db, 'proven = position')
  return loaded
}

function applyPage(db: DatabaseSync, { records, dataset_changes, next_since }: ChangedRecords, isFirst: boolean): void {
  if (isFirst) db.exec('delete from record; delete from unproven; update state set epss_release = null')
  const replace = db.prepare('insert or replace into record (cve_id, record) values (?, ?)')
  const remove = db.prepare('delete from record where cve_id = ?')
  const note = db.prepare('insert or ignore into unproven (cve_id) values (?)')
  for (const { cve_id, record } of records) {
    if (record) replace.run(cve_id, JSON.stringify(record))
    else remove.run(cve_id)
    note.run(cve_id)
  }
  const release = dataset_changes.findLast(({ types }) => types.includes('epss_released'))
  if (release) db.prepare('update state set epss_release = ?').run(release.seq)
  db.prepare("update state set position = ?, unproven_pages = unproven_pages + 1, updated_at = strftime('%FT%TZ')").run(
    next_since,
  )
}

/** Sets the positions; after that, no change is unproven. */
function setPositions(db: DatabaseSync, assignments: string): void {
  db.exec(`update state set ${assignments}, unproven_pages = 0, updated_at = strftime('%FT%TZ'); delete from unproven`)
}
