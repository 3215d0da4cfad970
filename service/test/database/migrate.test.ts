import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createMissingDatabase, migrate, migrationState, readMigrations } from '../../src/database/migrate.ts'
import { emptyDatabase } from '../support/database.ts'

const REAL = fileURLToPath(new URL('../../migrations', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'vis-migrations-'))
afterAll(() => rm(folder, { recursive: true }))

const put = (name: string, sql: string) => writeFile(join(folder, 'catalog', `${name}.sql`), sql)

async function ask<T extends object>(url: string, statement: string): Promise<T[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(statement)).rows
  } finally {
    await client.end()
  }
}

async function session(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  afterAll(() => client.end())
  return client
}

/** As a migration that is running elsewhere does. */
async function holdLock(url: string): Promise<Client> {
  const other = await session(url)
  await other.query("select pg_advisory_lock(hashtextextended('vis migrate catalog', 0))")
  return other
}

beforeEach(async () => {
  await rm(folder, { recursive: true, force: true })
  await cp(REAL, folder, { recursive: true })
})

describe('vis-server migrate', () => {
  it('applies every file once, in order, and nothing the second time', async () => {
    const { url } = await emptyDatabase()

    const first = await migrate(url, 'catalog', folder)
    const second = await migrate(url, 'catalog', folder)

    expect(first.slice(0, 2)).toEqual(['0001_schemas', '0002_dataset'])
    expect(second).toEqual([])
  })

  it('lets several nodes start it at once: each file is still applied once', async () => {
    const { url } = await emptyDatabase()
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(url, 'catalog', folder)))
    expect(applied.flat()).toEqual((await readMigrations(folder, 'catalog')).map(({ name }) => name))
  })

  it('applies what is new', async () => {
    const { url } = await emptyDatabase()
    const before = await migrate(url, 'catalog', folder)
    const name = `${String(before.length + 1).padStart(4, '0')}_more`
    await put(name, 'create table catalog.more (id int);')
    expect(await migrate(url, 'catalog', folder)).toEqual([name])
  })

  it('refuses a file that was edited after it was applied', async () => {
    const { url } = await emptyDatabase()
    await migrate(url, 'catalog', folder)
    await put(
      '0002_dataset',
      `${await readFile(join(folder, 'catalog/0002_dataset.sql'), 'utf8')}\n-- a harmless remark`,
    )
    await expect(migrate(url, 'catalog', folder)).rejects.toThrow('0002_dataset.sql was edited after it was applied')
  })

  it('refuses numbers with a gap, or taken twice', async () => {
    const { url } = await emptyDatabase()
    await put('0009_later', 'select 1;')
    await expect(migrate(url, 'catalog', folder)).rejects.toThrow('numbers run from 0001 without gaps')
    await rm(join(folder, 'catalog/0009_later.sql'))
    await put('0002_again', 'select 1;')
    await expect(migrate(url, 'catalog', folder)).rejects.toThrow('without gaps')
  })

  it('undoes a file that fails, keeps those before it, and names the culprit', async () => {
    const { url } = await emptyDatabase()
    const count = (await readMigrations(folder, 'catalog')).length
    const bad = `${String(count + 1).padStart(4, '0')}_bad`
    await put(bad, 'create table catalog.half (id int); select no_such_thing;')

    await expect(migrate(url, 'catalog', folder)).rejects.toThrow(`catalog/${bad} failed and was undone`)

    const { applied, pending } = await migrationState(url, 'catalog', await readMigrations(folder, 'catalog'))
    expect([applied.length, pending.map(({ name }) => name)]).toEqual([count, [bad]])
    expect(await ask(url, "select to_regclass('catalog.half') as half")).toEqual([{ half: null }])
  })

  it('gives up on a table that is in use, before live traffic queues behind it', async () => {
    const { url } = await emptyDatabase()
    const name = `${String((await migrate(url, 'catalog', folder)).length + 1).padStart(4, '0')}_column`
    await put(name, 'alter table catalog.dataset add column more int;')
    const user = await session(url)
    await user.query('begin; select count(*) from catalog.dataset')

    const started = performance.now()
    await expect(migrate(url, 'catalog', folder)).rejects.toMatchObject({ cause: { code: '55P03' } })

    expect(performance.now() - started).toBeGreaterThan(1900)
    expect(performance.now() - started).toBeLessThan(6000)
  })

  it('says once that it waits for another one, and goes on when that has ended', async () => {
    const { url } = await emptyDatabase()
    const other = await holdLock(url)
    let waits = 0
    const migrating = migrate(url, 'catalog', folder, {
      onWait: () => {
        waits += 1
        setTimeout(() => void other.end(), 1200)
      },
    })
    expect(await migrating).toContain('0001_schemas')
    expect(waits).toBe(1)
  })

  it('does not wait for ever, and says what to do', async () => {
    const { url } = await emptyDatabase()
    await holdLock(url)
    await expect(migrate(url, 'catalog', folder, { giveUpAfterMs: 700 })).rejects.toThrow(
      /^Another migration of catalog has been running for 0\.7 s\. .*pg_terminate_backend/,
    )
  })

  it('tells the cause when its connection is cut', async () => {
    const { url } = await emptyDatabase()
    const bad = `${String((await migrate(url, 'catalog', folder)).length + 1).padStart(4, '0')}_cut`
    await put(bad, 'reset role; select pg_terminate_backend(pg_backend_pid());')
    await expect(migrate(url, 'catalog', folder)).rejects.toThrow(
      `catalog/${bad} failed and was undone: terminating connection due to administrator command`,
    )
  })

  it('makes a missing database once, however many ask for it', async () => {
    const { url } = await emptyDatabase()
    const missing = `${url}_many`
    await Promise.all(Array.from({ length: 5 }, () => createMissingDatabase(missing)))
    expect(await ask(missing, 'select current_database() as name')).toEqual([
      { name: new URL(missing).pathname.slice(1) },
    ])
  })

  it('refuses a database that is newer than the program', async () => {
    const { url } = await emptyDatabase()
    await migrate(url, 'catalog', folder)
    const last = (await readMigrations(folder, 'catalog')).at(-1)?.name
    await rm(join(folder, 'catalog', `${last}.sql`))
    await expect(migrate(url, 'catalog', folder)).rejects.toThrow('newer than the program')
  })

  it('gives everything to vis_migrate, whoever ran it', async () => {
    const { url } = await emptyDatabase()
    await migrate(url, 'catalog', folder)
    await migrate(url, 'accounts', folder)
    const strangers = await ask(
      url,
      `select relname, relowner::regrole::text as owner
         from pg_class
        where relnamespace in ('catalog'::regnamespace, 'source'::regnamespace, 'accounts'::regnamespace)
          and relowner <> 'vis_migrate'::regrole`,
    )
    expect(strangers).toEqual([])
  })

  it('tells a user who may not make roles what to do', async () => {
    const { url, name } = await emptyDatabase()
    const login = `${name}_plain`
    await ask(url, `create role ${login} login`)
    const plain = new URL(url)
    plain.username = login
    try {
      await expect(migrate(plain.href, 'catalog', folder)).rejects.toThrow('Let a superuser run migrations/roles.sql')
    } finally {
      await ask(url, `drop role ${login}`)
    }
  })

  it('works for a login that is only a member of vis_migrate, once the roles exist', async () => {
    const { url, name } = await emptyDatabase()
    await ask(url, await readFile(join(REAL, 'roles.sql'), 'utf8'))
    const login = `${name}_migrator`
    await ask(url, `create role ${login} login in role vis_migrate`)
    const member = new URL(url)
    member.username = login
    try {
      expect(await migrate(member.href, 'catalog', folder)).toContain('0001_schemas')
    } finally {
      await ask(url, `drop role ${login}`)
    }
  })
})
