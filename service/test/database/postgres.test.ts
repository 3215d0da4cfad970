import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { classifyDatabaseError } from '../../src/database/classify-error.ts'
import { openPool, type PoolLimits } from '../../src/database/postgres.ts'
import { testDatabase } from '../support/database.ts'
import { faultyLink } from '../support/network/faulty-proxy.ts'

const database = await testDatabase()
const usual: PoolLimits = { poolSize: 2, statementTimeoutMs: 300, lockTimeoutMs: 150, acquireTimeoutMs: 200 }

function pool(limits: Partial<PoolLimits> = {}, url = database.url) {
  const opened = openPool(url, 'test', { ...usual, ...limits }, () => {})
  afterAll(() => opened.close())
  return opened
}

const failure = (work: Promise<unknown>) => work.then(() => 'no failure' as const, classifyDatabaseError)

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    (error: unknown) => error,
  )

describe('A pool', () => {
  it('ends a statement that takes too long, and the connection serves on', async () => {
    const { db, counts } = pool({ poolSize: 1 })
    const error = await errorOf(sql`select pg_sleep(2)`.execute(db))
    // The server's word, and not our own impatience with it, which would have cost the connection.
    expect(error).toMatchObject({ code: '57014' })
    expect(classifyDatabaseError(error)).toBe('too slow')
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
    expect(counts().total).toBe(1)
  })

  it('tells PostgreSQL what is set for its sessions', async () => {
    const { db } = pool({ settings: { jit: 'off', work_mem: '32MB' } })
    const shown = await sql`select current_setting('jit') as jit, current_setting('work_mem') as memory`.execute(db)
    expect(shown.rows).toEqual([{ jit: 'off', memory: '32MB' }])
  })

  it('does not wait long for a lock', async () => {
    const { db } = pool()
    await db.transaction().execute(async (tx) => {
      await sql`lock table catalog.dataset in access exclusive mode`.execute(tx)
      const error = await errorOf(sql`select count(*) from catalog.dataset`.execute(db))
      expect(error).toMatchObject({ code: '55P03' })
      expect(classifyDatabaseError(error)).toBe('too slow')
    })
  })

  it('cuts a transaction that is left idle', async () => {
    const { db } = pool()
    const { rows } = await sql<{
      setting: string
    }>`select setting from pg_settings where name = 'idle_in_transaction_session_timeout'`.execute(db)
    expect(rows).toEqual([{ setting: '5000' }])
  })

  it('tells callers to come back when no connection is free in time', async () => {
    const { db } = pool({ poolSize: 1, statementTimeoutMs: 2000 })
    const holding = sql`select pg_sleep(0.6)`.execute(db)
    const error = await errorOf(sql`select 1`.execute(db))
    expect(classifyDatabaseError(error)).toBe('unreachable')
    // The meter takes these words for "never sent".
    expect(error).toMatchObject({ message: expect.stringContaining('trying to connect') })
    await holding
  })

  it('hands a client that comes too late to the next caller', async () => {
    const { db, counts } = pool({ poolSize: 1, statementTimeoutMs: 2000 })
    const holding = sql`select pg_sleep(0.6)`.execute(db)
    expect(await failure(sql`select 1`.execute(db))).toBe('unreachable')
    expect(counts()).toEqual({ total: 1, idle: 0, waiting: 0 })
    await holding
    expect(await failure(sql`select 1`.execute(db))).toBe('no failure')
    expect(counts()).toEqual({ total: 1, idle: 1, waiting: 0 })
  })

  it('goes on connecting to a far database while callers are told to come back', async () => {
    const link = await slowLink(database.url, 150)
    const { db, counts } = pool({ poolSize: 1, acquireTimeoutMs: 100 }, link)
    expect(await failure(sql`select 1`.execute(db))).toBe('unreachable')
    await expect.poll(() => counts().idle, { timeout: 4000 }).toBe(1)
    expect(await failure(sql`select 1`.execute(db))).toBe('no failure')
  })

  it('gives up connecting to a server that never answers', async () => {
    const { db, counts } = pool({ poolSize: 1 }, await slowLink(database.url, 60_000))
    const started = performance.now()
    expect(await failure(sql`select 1`.execute(db))).toBe('unreachable')
    expect(performance.now() - started).toBeLessThan(2000)
    await expect.poll(() => counts().total, { timeout: 10_000 }).toBe(0)
    expect(performance.now() - started).toBeGreaterThan(4000)
  })

  it('those who have left do not count as waiting', async () => {
    const { db } = pool({ poolSize: 1, statementTimeoutMs: 5000, acquireTimeoutMs: 200 })
    const holding = sql`select pg_sleep(1.5)`.execute(db)
    await Promise.all(Array.from({ length: 100 }, () => failure(sql`select 1`.execute(db))))
    const error = await errorOf(sql`select 1`.execute(db))
    expect(error).toMatchObject({ message: expect.stringContaining('trying to connect') })
    await holding
  })

  it('refuses at once when a hundred calls wait already', async () => {
    const { db } = pool({ poolSize: 1, statementTimeoutMs: 5000, acquireTimeoutMs: 3000 })
    const holding = sql`select pg_sleep(1)`.execute(db)
    const waiting = Array.from({ length: 101 }, () => failure(sql`select 1`.execute(db)))
    const started = performance.now()
    expect(await failure(sql`select 1`.execute(db))).toBe('unreachable')
    expect(performance.now() - started).toBeLessThan(500)
    await holding
    expect(new Set(await Promise.all(waiting.slice(0, 99)))).toEqual(new Set(['no failure']))
  })

  it('throws away a client whose answer never came: the next caller does not get the old answer', async () => {
    const link = await faultyLink(database.url)
    const { db, counts } = pool({ poolSize: 1, acquireTimeoutMs: 5000 }, link.url)
    expect((await sql<{ value: string }>`select 'before' as value`.execute(db)).rows).toEqual([{ value: 'before' }])

    link.holdAnswers()
    expect(await errorOf(sql`select 'late' as value`.execute(db))).toMatchObject({ message: 'Query read timeout' })
    link.releaseAnswers()

    expect((await sql<{ value: string }>`select 'after' as value`.execute(db)).rows).toEqual([{ value: 'after' }])
    expect(counts().total).toBe(1)
    expect(link.connections).toBe(2)
  })

  it('goes on after the server has cut its connections', async () => {
    const { db } = pool()
    await sql`select 1`.execute(db)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
      pool().db,
    )
    await failure(sql`select 1`.execute(db))
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
  })
})

/** The way to a database that is far away: what the server says takes its time. */
async function slowLink(target: string, delayMs: number): Promise<string> {
  const { hostname, port } = new URL(target)
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    client.pipe(upstream)
    upstream.on('data', (chunk) => {
      setTimeout(() => client.write(chunk), delayMs).unref()
    })
    client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy())
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  afterAll(() => void server.close())
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  return url.href
}

describe('A connection that is cut while it is in use', () => {
  it('between two statements fails the next one, and does not end the process', async () => {
    const { db } = pool({ poolSize: 1 })
    const uncaught: unknown[] = []
    const note = (error: unknown) => void uncaught.push(error)
    process.prependListener('uncaughtExceptionMonitor', note)
    const work = db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(pool().db)
      await sleep(100)
      await sql`select 1`.execute(tx)
    })
    expect(await failure(work)).toBe('unreachable')
    expect(await failure(sql`select 1`.execute(db))).toBe('no failure')
    process.removeListener('uncaughtExceptionMonitor', note)
    expect(uncaught).toEqual([])
  })
})

describe('What a failure means', () => {
  it('nobody listens: unreachable', async () => {
    expect(await failure(sql`select 1`.execute(pool({}, 'postgres://postgres@127.0.0.1:1/x').db))).toBe('unreachable')
  })

  it('no such database: refused', async () => {
    const url = new URL(database.url)
    url.pathname = '/no_such_database'
    expect(await failure(sql`select 1`.execute(pool({}, url.href).db))).toBe('refused')
  })

  it('a faulty statement: our mistake', async () => {
    expect(await failure(sql`select nonsense`.execute(pool().db))).toBe('mistake')
  })
})
