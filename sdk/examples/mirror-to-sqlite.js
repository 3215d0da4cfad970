// @ts-check
// Keeps a copy of the whole catalog in a SQLite database: loads the newest snapshot once, then applies every change.
//
//   VIS_URL=http://127.0.0.1:3000 VIS_API_KEY=vis_live_… node mirror-to-sqlite.js cves.db [--once]
//
// The position of the change log is stored in the transaction of the records that it belongs to. So the copy is exact
// after a crash at any time: the program continues where it was. With --once it ends when it has all changes.
import { DatabaseSync } from 'node:sqlite'
import { createClient, isVisError } from 'vis-sdk'

const client = createClient({
  url: process.env['VIS_URL'] ?? 'http://127.0.0.1:3000',
  apiKey: process.env['VIS_API_KEY'] ?? '',
})
const [file = 'cves.db', option] = process.argv.slice(2)
const database = new DatabaseSync(file)
database.exec(`
  create table if not exists record (cve_id text primary key, record text not null) without rowid;
  create table if not exists position (is_only integer primary key check (is_only = 1), since text not null);
`)
const putRecord = database.prepare('insert or replace into record (cve_id, record) values (?, ?)')
const deleteRecord = database.prepare('delete from record where cve_id = ?')
const putPosition = database.prepare('insert or replace into position (is_only, since) values (1, ?)')

for (;;) {
  try {
    await catchUp()
    if (option === '--once') break
    await waitForChange()
  } catch (error) {
    // The change log no longer has the position, or the snapshot was deleted while it was read.
    if (!isVisError(error, 'GONE') || !error.details.snapshot) throw error
    console.log('the position is no longer kept: loading a new snapshot')
    database.exec('delete from position')
  }
}

async function catchUp() {
  let since = readPosition() ?? (await loadSnapshot())
  for (;;) {
    const { records, next_since, has_more } = await client.changedRecords(since)
    if (next_since !== since) {
      database.exec('begin')
      for (const item of records) storeItem(item)
      putPosition.run(next_since)
      database.exec('commit')
      console.log(`${records.length} CVEs changed; position ${next_since}`)
    }
    since = next_since
    if (!has_more) return
  }
}

async function loadSnapshot() {
  const [snapshot] = await client.snapshots()
  if (!snapshot) return 'start'
  database.exec('begin; delete from record')
  try {
    for await (const item of client.readSnapshot(snapshot)) storeItem(item)
    putPosition.run(snapshot.next_since)
    database.exec('commit')
  } catch (error) {
    database.exec('rollback')
    throw error
  }
  console.log(`${snapshot.records_total} CVEs of ${snapshot.created_at} loaded; position ${snapshot.next_since}`)
  return snapshot.next_since
}

/** Waits until the change log has a row after the position. Waits without a change are free, except the first. */
async function waitForChange() {
  for await (const _ of client.followChanges(readPosition() ?? 'start', { cause: 'all' })) return
}

/** @param {import('vis-sdk').ChangedRecord} item */
function storeItem({ cve_id, gone, record }) {
  if (gone) deleteRecord.run(cve_id)
  else putRecord.run(cve_id, JSON.stringify(record))
}

function readPosition() {
  const since = database.prepare('select since from position').get()?.['since']
  return typeof since === 'string' ? since : undefined
}
