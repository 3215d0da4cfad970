// Plain SQL files, applied in order, once each, one at a time across all nodes, and never edited afterwards.
import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client, DatabaseError, escapeIdentifier } from 'pg'

export const MIGRATION_SETS = ['catalog', 'accounts'] as const
/** Beside src in a checkout and beside dist in an installed package. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url))

export type MigrationSet = (typeof MIGRATION_SETS)[number]

export interface Migration {
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

export interface MigrationState {
  readonly applied: readonly string[]
  readonly pending: readonly Migration[]
  /** Applied by a newer version: fine for a node that serves, since migrations only ever add first. */
  readonly fromTheFuture: readonly string[]
}

export class MigrationError extends Error {
  override name = 'MigrationError'
}

export interface Patience {
  /** Called once, when another migration has to be waited for. */
  onWait?(): void
  readonly giveUpAfterMs?: number
}

const LOCK_POLL_MS = 500
const LOCK_PATIENCE_MS = 60_000

/** A migration that waits longer than this for a lock gives up, so that it never queues live traffic behind it. */
const LOCK_TIMEOUT = '2s'

export async function readMigrations(folder: string, set: MigrationSet): Promise<Migration[]> {
  const files = (await readdir(join(folder, set))).filter((file) => file.endsWith('.sql')).sort()
  const migrations = await Promise.all(
    files.map(async (file) => {
      const sql = await readFile(join(folder, set, file), 'utf8')
      return { name: file.replace(/\.sql$/, ''), sql, checksum: hash('sha256', sql) }
    }),
  )
  refuseGaps(set, migrations)
  return migrations
}

/** What is applied and what is not; never changes anything. */
export async function migrationState(
  url: string,
  set: MigrationSet,
  migrations: readonly Migration[],
): Promise<MigrationState> {
  return withClient(url, (client) => compare(client, set, migrations))
}

export async function migrate(
  url: string,
  set: MigrationSet,
  folder: string,
  patience: Patience = {},
): Promise<readonly string[]> {
  const migrations = await readMigrations(folder, set)
  const roles = await readFile(join(folder, 'roles.sql'), 'utf8')
  return withClient(url, async (client) => {
    await takeLock(client, set, patience)
    await prepareRoles(client, roles)
    const { pending, fromTheFuture } = await compare(client, set, migrations)
    const [newer] = fromTheFuture
    if (newer)
      throw new MigrationError(
        `${set}/${newer} is applied, but this version has no such file: the database is newer than the program.`,
      )
    for (const migration of pending) await apply(client, set, migration)
    return pending.map(({ name }) => name)
  })
}

/** Databases are made from the maintenance database that every PostgreSQL has. */
export async function createMissingDatabase(url: string): Promise<void> {
  const name = new Client({ connectionString: url }).database ?? ''
  await withClient(besideIt(url, 'postgres'), async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${escapeIdentifier(name)}`).catch(unlessMadeByAnother)
  })
}

/** With everything in it, whoever is connected. */
export async function dropDatabase(url: string): Promise<void> {
  const name = new Client({ connectionString: url }).database ?? ''
  await withClient(besideIt(url, 'postgres'), (client) =>
    client.query(`drop database if exists ${escapeIdentifier(name)} with (force)`),
  )
}

/** The address of another database on the same server. */
export function besideIt(url: string, name: string): string {
  // Not by the class URL, which refuses the empty host that stands for a unix socket.
  return url.replace(/^(\w+:\/\/[^/?#]*)(\/[^?#]*)?/, `$1/${name}`)
}

/** Of several who make it at once, one succeeds; the others fail on its name or on the index of names. */
function unlessMadeByAnother(error: unknown): void {
  if (!(error instanceof DatabaseError && (error.code === '42P04' || error.code === '23505'))) throw error
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    application_name: 'vis-migrate',
    connectionTimeoutMillis: 5000,
  })
  // Without a listener, a connection cut by the server would end the process; the query in flight tells why.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Held until the connection ends, so a killed migration frees it too. */
async function takeLock(client: Client, set: MigrationSet, patience: Patience): Promise<void> {
  const patienceMs = patience.giveUpAfterMs ?? LOCK_PATIENCE_MS
  const started = performance.now()
  for (let attempts = 0; !(await tryLock(client, set)); attempts += 1) {
    if (attempts === 0) patience.onWait?.()
    if (performance.now() - started >= patienceMs)
      throw new MigrationError(
        `Another migration of ${set} has been running for ${patienceMs / 1000} s. Wait for it and run this again; if it hangs, find it with "select pid, client_addr, state, query from pg_stat_activity where application_name = 'vis-migrate'" and end it with "select pg_terminate_backend(pid)".`,
      )
    await sleep(LOCK_POLL_MS)
  }
}

async function tryLock(client: Client, set: MigrationSet): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken',
    [`vis migrate ${set}`],
  )
  return rows[0]?.taken === true
}

async function prepareRoles(client: Client, sql: string): Promise<void> {
  try {
    await client.query(sql)
    await client.query('set role vis_migrate')
    await client.query('reset role')
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code === '42501')) throw error
    throw new MigrationError(
      `This user may not do it (${error.message}). Let a superuser run migrations/roles.sql in this database once and "grant vis_migrate to" this user, then try again.`,
    )
  }
}

async function compare(client: Client, set: MigrationSet, migrations: readonly Migration[]): Promise<MigrationState> {
  const recorded = await readRecord(client, set)
  const files = new Map(migrations.map((migration) => [migration.name, migration.checksum]))
  for (const { name, checksum } of recorded) {
    if (files.has(name) && files.get(name) !== checksum)
      throw new MigrationError(
        `${set}/${name}.sql was edited after it was applied. Restore it and put the change into a new file.`,
      )
  }
  const applied = recorded.map(({ name }) => name)
  const pending = migrations.filter(({ name }) => !applied.includes(name))
  const last = applied.at(-1)
  const early = pending.find(({ name }) => last !== undefined && name < last)
  if (early)
    throw new MigrationError(
      `${set}/${early.name} sorts before ${last}, which is applied already. Give it the next free number.`,
    )
  return { applied, pending, fromTheFuture: applied.filter((name) => !files.has(name)) }
}

async function readRecord(client: Client, set: MigrationSet): Promise<{ name: string; checksum: string }[]> {
  const table = `${set}.migration`
  const { rows } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [table])
  if (!rows[0]?.exists) return []
  return (await client.query<{ name: string; checksum: string }>(`select name, checksum from ${table} order by name`))
    .rows
}

async function apply(client: Client, set: MigrationSet, migration: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
    // Everything belongs to vis_migrate, whoever runs the command.
    await client.query('set local role vis_migrate')
    await client.query(migration.sql)
    await client.query(`insert into ${set}.migration (name, checksum) values ($1, $2)`, [
      migration.name,
      migration.checksum,
    ])
    await client.query('commit')
  } catch (error) {
    // Fails when the connection is what broke; then the server has undone it, and the cause is what counts.
    await client.query('rollback').catch(() => {})
    throw new MigrationError(
      `${set}/${migration.name} failed and was undone: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    )
  }
}

function refuseGaps(set: MigrationSet, migrations: readonly Migration[]): void {
  migrations.forEach(({ name }, index) => {
    const number = String(index + 1).padStart(4, '0')
    if (!name.startsWith(`${number}_`))
      throw new MigrationError(`${set}/${name}.sql should start with ${number}_: numbers run from 0001 without gaps.`)
  })
}
