// Database migrations: plain SQL files that are applied in order, each exactly once. A lock ensures that only one node
// migrates at a time. An applied file must not be edited.
import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client, DatabaseError, escapeIdentifier } from 'pg'

export const MIGRATION_SETS = ['catalog', 'accounts'] as const
/** Folder of the migrations' SQL files: next to src in a checkout and next to dist in an installed package. */
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
  /**
   * Applied migrations that are not in this release of the service, because a newer release applied them. If this
   * release directly precedes that one, it can still serve requests: a migration removes nothing that the previous
   * release uses.
   */
  readonly unknown: readonly string[]
}

export class MigrationError extends Error {
  override name = 'MigrationError'
}

export interface WaitOptions {
  onWait?(): void
  readonly timeoutMs?: number
}

const LOCK_POLL_MS = 500
const LOCK_WAIT_TIMEOUT_MS = 60_000

/** While a migration waits for a table lock, all later queries on that table wait behind it. */
const TABLE_LOCK_TIMEOUT = '2s'

export async function readMigrations(folder: string, set: MigrationSet): Promise<Migration[]> {
  const files = (await readdir(join(folder, set))).filter((file) => file.endsWith('.sql')).sort()
  const migrations = await Promise.all(
    files.map(async (file) => {
      const sql = await readFile(join(folder, set, file), 'utf8')
      return { name: file.replace(/\.sql$/, ''), sql, checksum: hash('sha256', sql) }
    }),
  )
  assertNoGaps(set, migrations)
  return migrations
}

export async function readMigrationState(
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
  options: WaitOptions = {},
): Promise<readonly string[]> {
  const migrations = await readMigrations(folder, set)
  const roles = await readFile(join(folder, 'roles.sql'), 'utf8')
  return withClient(url, async (client) => {
    await acquireLock(client, set, options)
    await prepareRoles(client, roles)
    const { pending, unknown } = await compare(client, set, migrations)
    const [newer] = unknown
    if (newer)
      throw new MigrationError(
        `${set}/${newer} is applied, but this version has no such file: the database is newer than this program.`,
      )
    for (const migration of pending) await apply(client, set, migration)
    return pending.map(({ name }) => name)
  })
}

/** Creates the database if it is missing, through a connection to the database `postgres`, which every server has. */
export async function createDatabaseIfMissing(url: string): Promise<void> {
  const name = new Client({ connectionString: url }).database ?? ''
  await withClient(withDatabaseName(url, 'postgres'), async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${escapeIdentifier(name)}`).catch(ignoreExisting)
  })
}

export async function dropDatabase(url: string): Promise<void> {
  const name = new Client({ connectionString: url }).database ?? ''
  await withClient(withDatabaseName(url, 'postgres'), (client) =>
    client.query(`drop database if exists ${escapeIdentifier(name)} with (force)`),
  )
}

export function withDatabaseName(url: string, name: string): string {
  // The URL is edited as text, because the URL class rejects an empty host, which stands for a unix socket.
  return url.replace(/^(\w+:\/\/[^/?#]*)(\/[^?#]*)?/, `$1/${name}`)
}

/** When several processes create the database at once, one succeeds and the others get one of these errors. */
function ignoreExisting(error: unknown): void {
  if (!(error instanceof DatabaseError && (error.code === '42P04' || error.code === '23505'))) throw error
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    application_name: 'vis-migrate',
    connectionTimeoutMillis: 5000,
  })
  // Without an error listener, a connection that the server closes would crash the process. The running query reports
  // the error instead.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** PostgreSQL releases the lock when the connection ends, even if the migration is killed. */
async function acquireLock(client: Client, set: MigrationSet, options: WaitOptions): Promise<void> {
  const timeoutMs = options.timeoutMs ?? LOCK_WAIT_TIMEOUT_MS
  const startedAt = performance.now()
  for (let attempts = 0; !(await tryLock(client, set)); attempts += 1) {
    if (attempts === 0) options.onWait?.()
    if (performance.now() - startedAt >= timeoutMs)
      throw new MigrationError(
        `Another migration of ${set} has been running for ${timeoutMs / 1000} s. Wait until it ends and try again. If it hangs, find it with "select pid, client_addr, state, query from pg_stat_activity where application_name = 'vis-migrate'" and end it with "select pg_terminate_backend(pid)".`,
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
      `This database user may not create the roles (${error.message}). Let a superuser run migrations/roles.sql in this database once and "grant vis_migrate to" this user, then try again.`,
    )
  }
}

async function compare(client: Client, set: MigrationSet, migrations: readonly Migration[]): Promise<MigrationState> {
  const recorded = await readApplied(client, set)
  const files = new Map(migrations.map((migration) => [migration.name, migration.checksum]))
  assertSameHistory(set, recorded, files)
  for (const { name, checksum } of recorded) {
    if (files.has(name) && files.get(name) !== checksum)
      throw new MigrationError(
        `${set}/${name}.sql was edited after it was applied. Restore the file and put the change into a new migration.`,
      )
  }
  const applied = recorded.map(({ name }) => name)
  const pending = migrations.filter(({ name }) => !applied.includes(name))
  const last = applied.at(-1)
  const early = pending.find(({ name }) => last !== undefined && name < last)
  if (early)
    throw new MigrationError(
      `${set}/${early.name} sorts before ${last}, which is already applied. Rename it to the next free number.`,
    )
  return { applied, pending, unknown: applied.filter((name) => !files.has(name)) }
}

/**
 * Throws if the database records an unknown migration among the numbers of these files. A newer release only adds
 * higher numbers, so such a migration comes from before the first release. This is checked before the checksums,
 * because an old file may have the name of a new one.
 */
function assertSameHistory(
  set: MigrationSet,
  recorded: readonly { readonly name: string }[],
  files: ReadonlyMap<string, string>,
): void {
  const last = [...files.keys()].at(-1) ?? ''
  const foreign = recorded.find(({ name }) => !files.has(name) && name < last)
  if (foreign)
    throw new MigrationError(
      `The schema ${set} was made before 1.0.0 (it records the migration ${foreign.name}) and cannot be upgraded. Create an empty database, change the database URLs to it and run "vis-server migrate"; "vis-server worker" then loads the catalog again. Accounts and API keys can be copied into it: "A database from before 1.0.0" in docs/operations.md has the command.`,
    )
}

async function readApplied(client: Client, set: MigrationSet): Promise<{ name: string; checksum: string }[]> {
  const table = `${set}.migration`
  const { rows } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [table])
  if (!rows[0]?.exists) return []
  return (await client.query<{ name: string; checksum: string }>(`select name, checksum from ${table} order by name`))
    .rows
}

async function apply(client: Client, set: MigrationSet, migration: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = '${TABLE_LOCK_TIMEOUT}'`)
    // The role vis_migrate owns all tables, whichever login runs the migration.
    await client.query('set local role vis_migrate')
    await client.query(migration.sql)
    await client.query(`insert into ${set}.migration (name, checksum) values ($1, $2)`, [
      migration.name,
      migration.checksum,
    ])
    await client.query('commit')
  } catch (error) {
    // The rollback fails if the connection is lost. PostgreSQL then rolls back by itself, and the error of the
    // migration is reported.
    await client.query('rollback').catch(() => {})
    throw new MigrationError(
      `${set}/${migration.name} failed and was rolled back: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    )
  }
}

function assertNoGaps(set: MigrationSet, migrations: readonly Migration[]): void {
  migrations.forEach(({ name }, index) => {
    const number = String(index + 1).padStart(4, '0')
    if (!name.startsWith(`${number}_`))
      throw new MigrationError(
        `${set}/${name}.sql must start with ${number}_: migrations are numbered from 0001 without gaps.`,
      )
  })
}
