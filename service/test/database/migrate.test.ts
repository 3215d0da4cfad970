import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { migrate, migrationState, readMigrations } from '../../src/database/migrate.ts'
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
