// A call's statements are cancelled with the call, and the connection serves the next call.
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openPool } from '../../src/database/postgres.ts'
import { readSnapshot } from '../../src/database/read-snapshot.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/database.ts'
import { createFaultyProxy } from '../support/network/faulty-proxy.ts'

const LIMITS = { poolSize: 1, statementTimeoutMs: 30_000, lockTimeoutMs: 1000, acquireTimeoutMs: 5000 }
/** Longer than cancelling a statement takes on a busy machine, and shorter than the statement's sleep. */
const CANCELLED_WITHIN_MS = 10_000

const setUp = async () => openTestPool((await createTestDatabase()).url)

function openTestPool(url: string) {
  const pool = openPool(url, 'test', LIMITS, () => {})
  cleanUpAfterTests(() => pool.close())
  const readBackend = async () => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(pool.db)
    return rows[0]?.pid
  }
  return { pool, readBackend }
}

describe('Statements bound to a signal', () => {
  it('are cancelled on the server, and the same connection runs the next statement', async () => {
    const { pool, readBackend } = await setUp()
    const [backend, call, startedMs] = [await readBackend(), new AbortController(), performance.now()]
    const running = sql`select pg_sleep(25)`.execute(pool.bind(call.signal))
    setTimeout(() => call.abort(new Error('nobody waits')), 100)

    await expect(running).rejects.toThrow('nobody waits')
    expect(performance.now() - startedMs).toBeLessThan(CANCELLED_WITHIN_MS)
    expect(await readBackend(), 'the connection was kept').toBe(backend)
  })

  it('do not start after the abort', async () => {
    const { pool } = await setUp()
    const call = new AbortController()
    call.abort(new Error('nobody waits'))
    await expect(sql`select 1`.execute(pool.bind(call.signal))).rejects.toThrow('nobody waits')
  })

  it('leave no transaction open when a snapshot is aborted', async () => {
    const { pool, readBackend } = await setUp()
    const [backend, call] = [await readBackend(), new AbortController()]
    const reading = readSnapshot(pool.bind(call.signal), async (snapshot) => {
      await sql`select 1`.execute(snapshot)
      setTimeout(() => call.abort(new Error('nobody waits')), 100)
      await sql`select pg_sleep(25)`.execute(snapshot)
    })
    await expect(reading).rejects.toThrow('nobody waits')

    const { rows } = await sql<{ pid: number; is_open: boolean }>`
      select pg_backend_pid() as pid, now() <> statement_timestamp() as is_open
    `.execute(pool.db)
    expect(rows).toEqual([{ pid: backend, is_open: false }])
  })

  it('replace a connection whose statement had ended before the cancel request arrived', async () => {
    const database = await createTestDatabase()
    const proxy = await createFaultyProxy(database.url)
    const { pool, readBackend } = openTestPool(proxy.url)
    const [backend, call] = [await readBackend(), new AbortController()]
    proxy.delayAnswers(400)
    const late = sql`select 1 as value`.execute(pool.bind(call.signal))
    setTimeout(() => call.abort(new Error('nobody waits')), 100)

    expect((await late).rows).toEqual([{ value: 1 }])
    proxy.delayAnswers(0)
    expect(await readBackend()).not.toBe(backend)
  })
})
