import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { failureOf } from '../../src/database/failure.ts'
import { openPool, type PoolLimits } from '../../src/database/postgres.ts'
import { testDatabase } from '../support/database.ts'
import { faultyLink } from '../support/faulty-link.ts'

const database = await testDatabase()
const usual: PoolLimits = { poolSize: 2, statementTimeoutMs: 300, lockTimeoutMs: 150, acquireTimeoutMs: 200 }

function pool(limits: Partial<PoolLimits> = {}, url = database.url) {
  const opened = openPool(url, 'test', { ...usual, ...limits }, () => {})
  afterAll(() => opened.close())
  return opened
}

const failure = (work: Promise<unknown>) => work.then(() => 'no failure' as const, failureOf)

describe('A pool', () => {
  it('ends a statement that takes too long, and the connection serves on', async () => {
    const { db, counts } = pool({ poolSize: 1 })
    expect(await failure(sql`select pg_sleep(2)`.execute(db))).toBe('too slow')
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
    expect(counts().total).toBe(1)
  })

  it('does not wait long for a lock', async () => {
    const { db } = pool()
    await db.transaction().execute(async (tx) => {
      await sql`lock table catalog.dataset in access exclusive mode`.execute(tx)
      expect(await failure(sql`select count(*) from catalog.dataset`.execute(db))).toBe('too slow')
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
    expect(await failure(sql`select 1`.execute(db))).toBe('unreachable')
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
    const { db, counts } = pool({ poolSize: 1 }, link.url)
    expect((await sql<{ value: string }>`select 'before' as value`.execute(db)).rows).toEqual([{ value: 'before' }])

    link.holdAnswers()
    expect(await failure(sql`select 'late' as value`.execute(db))).toBe('too slow')
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
