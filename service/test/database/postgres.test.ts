import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { classifyDatabaseError } from '../../src/database/classify-error.ts'
import { openPool, type PoolLimits } from '../../src/database/postgres.ts'
import { createTestDatabase } from '../support/database.ts'
import { createFaultyProxy } from '../support/network/faulty-proxy.ts'

const database = await createTestDatabase()
/** Opening a connection can take seconds on a busy machine, so only the tests of this limit use a short one. */
const DEFAULT_LIMITS: PoolLimits = {
  poolSize: 2,
  statementTimeoutMs: 300,
  lockTimeoutMs: 150,
  acquireTimeoutMs: 60_000,
}
const SHORT = { acquireTimeoutMs: 200 }

function openTestPool(limits: Partial<PoolLimits> = {}, url = database.url) {
  const opened = openPool(url, 'test', { ...DEFAULT_LIMITS, ...limits }, () => {})
  afterAll(() => opened.close())
  return opened
}

const classifyFailure = (work: Promise<unknown>) => work.then(() => 'no error' as const, classifyDatabaseError)

const catchError = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    (error: unknown) => error,
  )

describe('Connection pool', () => {
  it('cancels a statement after its timeout and keeps the connection', async () => {
    const { db, counts } = openTestPool({ poolSize: 1 })
    const error = await catchError(sql`select pg_sleep(2)`.execute(db))
    // The server's statement timeout must end the statement before the client's timeout, which would destroy the
    // connection.
    expect(error).toMatchObject({ code: '57014' })
    expect(classifyDatabaseError(error)).toBe('timeout')
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
    expect(counts().total).toBe(1)
  })

  it('applies PostgreSQL settings to its sessions', async () => {
    const { db } = openTestPool({ settings: { enable_sort: 'off', work_mem: '32MB' } })
    const shown = await sql`
      select current_setting('enable_sort') as sort, current_setting('work_mem') as memory
    `.execute(db)
    expect(shown.rows).toEqual([{ sort: 'off', memory: '32MB' }])
  })

  it('cancels a statement that waits too long for a lock', async () => {
    const { db } = openTestPool()
    await db.transaction().execute(async (tx) => {
      await sql`lock table catalog.dataset in access exclusive mode`.execute(tx)
      const error = await catchError(sql`select count(*) from catalog.dataset`.execute(db))
      expect(error).toMatchObject({ code: '55P03' })
      expect(classifyDatabaseError(error)).toBe('timeout')
    })
  })

  it('limits the idle time in a transaction to 5 s', async () => {
    const { db } = openTestPool()
    const { rows } = await sql<{
      setting: string
    }>`select setting from pg_settings where name = 'idle_in_transaction_session_timeout'`.execute(db)
    expect(rows).toEqual([{ setting: '5000' }])
  })

  it('rejects a query when no connection becomes free in time', async () => {
    const { db } = openTestPool({ ...SHORT, poolSize: 1, statementTimeoutMs: 2000 })
    const holding = sql`select pg_sleep(0.6)`.execute(db)
    const error = await catchError(sql`select 1`.execute(db))
    expect(classifyDatabaseError(error)).toBe('unreachable')
    // The credit meter searches the error message for "trying to connect" to know that no statement was sent to the
    // database.
    expect(error).toMatchObject({ message: expect.stringContaining('trying to connect') })
    await holding
  })

  it('gives a connection that became free after the timeout to the next query', async () => {
    const { db, counts } = openTestPool({ ...SHORT, poolSize: 1, statementTimeoutMs: 2000 })
    const holding = sql`select pg_sleep(0.6)`.execute(db)
    expect(await classifyFailure(sql`select 1`.execute(db))).toBe('unreachable')
    expect(counts()).toEqual({ total: 1, idle: 0, waiting: 0 })
    await holding
    expect(await classifyFailure(sql`select 1`.execute(db))).toBe('no error')
    expect(counts()).toEqual({ total: 1, idle: 1, waiting: 0 })
  })

  it('continues to open a connection to a slow database after the waiting query was rejected', async () => {
    const proxyUrl = await startSlowProxy(database.url, 150)
    const { db, counts } = openTestPool({ poolSize: 1, acquireTimeoutMs: 100, openTimeoutMs: 100 }, proxyUrl)
    expect(await classifyFailure(sql`select 1`.execute(db))).toBe('unreachable')
    await expect.poll(() => counts().idle, { timeout: 60_000 }).toBe(1)
    expect(await classifyFailure(sql`select 1`.execute(db))).toBe('no error')
  })

  it('waits longer for connections that are being opened than for connections in use', async () => {
    const link = await createFaultyProxy(database.url)
    link.delayOpening(800)
    const limits = { poolSize: 2, statementTimeoutMs: 20_000, acquireTimeoutMs: 200, openTimeoutMs: 60_000 }
    const { db, counts } = openTestPool(limits, link.url)
    const first = await Promise.all(Array.from({ length: 3 }, () => classifyFailure(sql`select 1`.execute(db))))
    expect(new Set(first)).toEqual(new Set(['no error']))
    expect(counts().total).toBe(2)

    const holding = Promise.all([1, 2].map(() => sql`select pg_sleep(2)`.execute(db)))
    expect(await classifyFailure(sql`select 1`.execute(db))).toBe('unreachable')
    await holding
  })

  it('opens connections before the first queries', async () => {
    const { warmUp, counts, close } = openTestPool({ poolSize: 3 })
    await warmUp(10)
    expect(counts()).toEqual({ total: 3, idle: 3, waiting: 0 })
    await close()
    expect(counts().total).toBe(0)
    await expect(openTestPool({}, 'postgres://postgres@127.0.0.1:1/x').warmUp(1)).rejects.toThrow('ECONNREFUSED')
  })

  it('stops connecting to a server that never responds', async () => {
    const { db, counts } = openTestPool({ ...SHORT, poolSize: 1 }, await startSlowProxy(database.url, 60_000))
    const started = performance.now()
    expect(await classifyFailure(sql`select 1`.execute(db))).toBe('unreachable')
    expect(performance.now() - started).toBeLessThan(2000)
    await expect.poll(() => counts().total, { timeout: 60_000 }).toBe(0)
    expect(performance.now() - started).toBeGreaterThan(4000)
  })

  it('does not count rejected queries as waiting', async () => {
    const { db } = openTestPool({ poolSize: 1, statementTimeoutMs: 5000, acquireTimeoutMs: 200 })
    const holding = sql`select pg_sleep(1.5)`.execute(db)
    await Promise.all(Array.from({ length: 100 }, () => classifyFailure(sql`select 1`.execute(db))))
    const error = await catchError(sql`select 1`.execute(db))
    expect(error).toMatchObject({ message: expect.stringContaining('trying to connect') })
    await holding
  })

  it('rejects a query at once when 100 queries are waiting', async () => {
    const { db } = openTestPool({ poolSize: 1, statementTimeoutMs: 20_000, acquireTimeoutMs: 20_000 })
    let isHeld = true
    const holding = sql`select pg_sleep(1)`.execute(db).finally(() => {
      isHeld = false
    })
    const waiting = Array.from({ length: 101 }, () => classifyFailure(sql`select 1`.execute(db)))
    expect(await classifyFailure(sql`select 1`.execute(db))).toBe('unreachable')
    // The query was rejected before the connection became free.
    expect(isHeld).toBe(true)
    await holding
    expect(new Set(await Promise.all(waiting.slice(0, 99)))).toEqual(new Set(['no error']))
  })

  it('destroys a client whose query timed out, so that the next query does not receive the late response', async () => {
    const link = await createFaultyProxy(database.url)
    const { db, counts } = openTestPool({ poolSize: 1, acquireTimeoutMs: 5000 }, link.url)
    expect((await sql<{ value: string }>`select 'before' as value`.execute(db)).rows).toEqual([{ value: 'before' }])

    link.holdAnswers()
    expect(await catchError(sql`select 'late' as value`.execute(db))).toMatchObject({ message: 'Query read timeout' })
    link.releaseAnswers()

    expect((await sql<{ value: string }>`select 'after' as value`.execute(db)).rows).toEqual([{ value: 'after' }])
    expect(counts().total).toBe(1)
    expect(link.connections).toBe(2)
  })

  it('reconnects after the server has closed its connections', async () => {
    const { db } = openTestPool()
    await sql`select 1`.execute(db)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
      openTestPool().db,
    )
    await classifyFailure(sql`select 1`.execute(db))
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
  })
})

/** Starts a proxy that delays the answers of the database server, and returns the URL of the proxy. */
async function startSlowProxy(target: string, delayMs: number): Promise<string> {
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

describe('Connection pool: connection closed during a transaction', () => {
  it('fails the next statement without crashing the process', async () => {
    const { db } = openTestPool({ poolSize: 1 })
    const uncaught: unknown[] = []
    const record = (error: unknown) => void uncaught.push(error)
    process.prependListener('uncaughtExceptionMonitor', record)
    const work = db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(openTestPool().db)
      await sleep(100)
      await sql`select 1`.execute(tx)
    })
    expect(await classifyFailure(work)).toBe('unreachable')
    expect(await classifyFailure(sql`select 1`.execute(db))).toBe('no error')
    process.removeListener('uncaughtExceptionMonitor', record)
    expect(uncaught).toEqual([])
  })
})

describe('Connection pool: error types', () => {
  it('classifies a closed port as "unreachable"', async () => {
    expect(
      await classifyFailure(sql`select 1`.execute(openTestPool(SHORT, 'postgres://postgres@127.0.0.1:1/x').db)),
    ).toBe('unreachable')
  })

  it('classifies a missing database as "access denied"', async () => {
    const url = new URL(database.url)
    url.pathname = '/no_such_database'
    expect(await classifyFailure(sql`select 1`.execute(openTestPool({}, url.href).db))).toBe('access denied')
  })

  it('classifies an invalid statement as "bug"', async () => {
    expect(await classifyFailure(sql`select nonsense`.execute(openTestPool().db))).toBe('bug')
  })
})
