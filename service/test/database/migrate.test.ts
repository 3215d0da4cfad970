import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createDatabaseIfMissing, migrate, readMigrationState, readMigrations } from '../../src/database/migrate.ts'
import { createEmptyDatabase } from '../support/database.ts'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'vis-migrations-'))
afterAll(() => rm(folder, { recursive: true }))

const writeMigration = (name: string, sql: string) => writeFile(join(folder, 'catalog', `${name}.sql`), sql)

async function queryRows<T extends object>(url: string, statement: string): Promise<T[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(statement)).rows
  } finally {
    await client.end()
  }
}

async function openSession(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  afterAll(() => client.end())
  return client
}

/** Takes the database lock that a running migration holds, so that other migrations have to wait. */
async function holdLock(url: string): Promise<Client> {
  const other = await openSession(url)
  await other.query("select pg_advisory_lock(hashtextextended('vis migrate catalog', 0))")
  return other
}

/** Most tests need only the first migrations. */
const COPIED_COUNT = 2

beforeEach(async () => {
  await rm(folder, { recursive: true, force: true })
  await cp(MIGRATIONS, folder, { recursive: true })
  for (const name of (await readdir(join(folder, 'catalog'))).sort().slice(COPIED_COUNT))
    await rm(join(folder, 'catalog', name))
})

describe('vis-server migrate', () => {
  it('applies every migration file once and in order, and applies nothing when repeated', async () => {
    const { url } = await createEmptyDatabase()

    const first = await migrate(url, 'catalog', MIGRATIONS)
    const second = await migrate(url, 'catalog', MIGRATIONS)

    expect(first).toEqual((await readMigrations(MIGRATIONS, 'catalog')).map(({ name }) => name))
    expect(first.slice(0, 2)).toEqual(['0001_feeds_and_datasets', '0002_source_tables'])
    expect(second).toEqual([])
  })

  it('applies each migration file once when several nodes migrate at the same time', async () => {
    const { url } = await createEmptyDatabase()
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(url, 'catalog', folder)))
    expect(applied.flat()).toEqual((await readMigrations(folder, 'catalog')).map(({ name }) => name))
  })

  it('applies a migration file that was added after the last run', async () => {
    const { url } = await createEmptyDatabase()
    const before = await migrate(url, 'catalog', folder)
    const name = `${String(before.length + 1).padStart(4, '0')}_more`
    await writeMigration(name, 'create table catalog.more (id int);')
    expect(await migrate(url, 'catalog', folder)).toEqual([name])
  })

  it('rejects a migration file that was edited after it was applied', async () => {
    const { url } = await createEmptyDatabase()
    await migrate(url, 'catalog', folder)
    await writeMigration(
      '0002_source_tables',
      `${await readFile(join(folder, 'catalog/0002_source_tables.sql'), 'utf8')}\n-- a harmless comment`,
    )
    await expect(migrate(url, 'catalog', folder)).rejects.toThrow(
      '0002_source_tables.sql was edited after it was applied',
    )
  })

  it('rejects migration file numbers with a gap or a duplicate', async () => {
    const { url } = await createEmptyDatabase()
    await writeMigration('0009_later', 'select 1;')
    await expect(migrate(url, 'catalog', folder)).rejects.toThrow('migrations are numbered from 0001 without gaps')
    await rm(join(folder, 'catalog/0009_later.sql'))
    await writeMigration('0002_again', 'select 1;')
    await expect(migrate(url, 'catalog', folder)).rejects.toThrow('without gaps')
  })

  it('rolls back a migration file that fails, keeps the earlier files, and names the file that failed', async () => {
    const { url } = await createEmptyDatabase()
    const count = (await readMigrations(folder, 'catalog')).length
    const bad = `${String(count + 1).padStart(4, '0')}_bad`
    await writeMigration(bad, 'create table catalog.half (id int); select no_such_thing;')

    await expect(migrate(url, 'catalog', folder)).rejects.toThrow(`catalog/${bad} failed and was rolled back`)

    const { applied, pending } = await readMigrationState(url, 'catalog', await readMigrations(folder, 'catalog'))
    expect([applied.length, pending.map(({ name }) => name)]).toEqual([count, [bad]])
    expect(await queryRows(url, "select to_regclass('catalog.half') as half")).toEqual([{ half: null }])
  })

  it('fails after 2 s if a table that the migration changes is in use', async () => {
    const { url } = await createEmptyDatabase()
    const name = `${String((await migrate(url, 'catalog', folder)).length + 1).padStart(4, '0')}_column`
    await writeMigration(name, 'alter table catalog.dataset add column more int;')
    const user = await openSession(url)
    await user.query('begin; select count(*) from catalog.dataset')

    const started = performance.now()
    await expect(migrate(url, 'catalog', folder)).rejects.toMatchObject({ cause: { code: '55P03' } })

    expect(performance.now() - started).toBeGreaterThan(1900)
    expect(performance.now() - started).toBeLessThan(30_000)
  })

  it('reports once that it is waiting for another migration, and continues when that migration has ended', async () => {
    const { url } = await createEmptyDatabase()
    const other = await holdLock(url)
    let waits = 0
    const migrating = migrate(url, 'catalog', folder, {
      onWait: () => {
        waits += 1
        setTimeout(() => void other.end(), 1200)
      },
    })
    expect(await migrating).toContain('0001_feeds_and_datasets')
    expect(waits).toBe(1)
  })

  it('stops waiting for another migration after a timeout and prints what to do', async () => {
    const { url } = await createEmptyDatabase()
    await holdLock(url)
    await expect(migrate(url, 'catalog', folder, { timeoutMs: 700 })).rejects.toThrow(
      /^Another migration of catalog has been running for 0\.7 s\. .*pg_terminate_backend/,
    )
  })

  it('reports the cause when its database connection is closed', async () => {
    const { url } = await createEmptyDatabase()
    const bad = `${String((await migrate(url, 'catalog', folder)).length + 1).padStart(4, '0')}_cut`
    await writeMigration(bad, 'reset role; select pg_terminate_backend(pg_backend_pid());')
    await expect(migrate(url, 'catalog', folder)).rejects.toThrow(
      `catalog/${bad} failed and was rolled back: terminating connection due to administrator command`,
    )
  })

  it('creates a missing database once when several processes create it at the same time', async () => {
    const { url } = await createEmptyDatabase()
    const missing = `${url}_many`
    await Promise.all(Array.from({ length: 5 }, () => createDatabaseIfMissing(missing)))
    expect(await queryRows(missing, 'select current_database() as name')).toEqual([
      { name: new URL(missing).pathname.slice(1) },
    ])
  })

  it('rejects a database that is newer than the program', async () => {
    const { url } = await createEmptyDatabase()
    await migrate(url, 'catalog', folder)
    const last = (await readMigrations(folder, 'catalog')).at(-1)?.name
    await rm(join(folder, 'catalog', `${last}.sql`))
    await expect(migrate(url, 'catalog', folder)).rejects.toThrow('newer than this program')
  })

  it.each([
    ['unknown names', 'catalog', ['0001_schemas', '0002_dataset', '0059_truncated']],
    ['a name that a file still has', 'catalog', ['0001_schemas', '0002_source_tables', '0059_truncated']],
    ['unknown names', 'accounts', ['0001_schema', '0002_account_and_key']],
  ] as const)(
    'rejects a database older than 1.0.0 that records %s in %s, and says how to replace it',
    async (_case, set, names) => {
      const { url } = await createEmptyDatabase()
      const rows = names.map((name) => `('${name}', 'checksum of an old file')`).join()
      await queryRows(
        url,
        `create schema ${set}; create table ${set}.migration (name text, checksum text); insert into ${set}.migration values ${rows}`,
      )
      const migrating = migrate(url, set, MIGRATIONS)
      await expect(migrating).rejects.toThrow(
        `The schema ${set} was made before 1.0.0 (it records the migration ${names[0]})`,
      )
      await expect(migrating).rejects.toThrow(
        /empty database.*vis-server migrate.*vis-server worker.*docs\/operations\.md/,
      )
      expect(await queryRows(url, `select name from ${set}.migration`)).toHaveLength(names.length)
    },
  )

  it('makes vis_migrate the owner of all tables', async () => {
    const { url } = await createEmptyDatabase()
    await migrate(url, 'catalog', MIGRATIONS)
    await migrate(url, 'accounts', MIGRATIONS)
    const others = await queryRows(
      url,
      `select relname, relowner::regrole::text as owner
         from pg_class
        where relnamespace in ('catalog'::regnamespace, 'source'::regnamespace, 'accounts'::regnamespace)
          and relowner <> 'vis_migrate'::regrole`,
    )
    expect(others).toEqual([])
  })

  it('explains what to do when the user may not create roles', async () => {
    const { url, name } = await createEmptyDatabase()
    const login = `${name}_plain`
    await queryRows(url, `create role ${login} login`)
    const plain = new URL(url)
    plain.username = login
    try {
      await expect(migrate(plain.href, 'catalog', folder)).rejects.toThrow('Let a superuser run migrations/roles.sql')
    } finally {
      await queryRows(url, `drop role ${login}`)
    }
  })

  it('works for a login with the role vis_migrate if the database roles already exist', async () => {
    const { url, name } = await createEmptyDatabase()
    await queryRows(url, await readFile(join(MIGRATIONS, 'roles.sql'), 'utf8'))
    const login = `${name}_migrator`
    await queryRows(url, `create role ${login} login in role vis_migrate`)
    const member = new URL(url)
    member.username = login
    try {
      expect(await migrate(member.href, 'catalog', MIGRATIONS)).toContain('0001_feeds_and_datasets')
    } finally {
      await queryRows(url, `drop role ${login}`)
    }
  })
})
