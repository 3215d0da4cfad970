import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createFixedStatement } from '../../src/database/fixed-statement.ts'
import { type Database, openPool } from '../../src/database/postgres.ts'
import { leaveRemainingTime, readSnapshot } from '../../src/database/read-snapshot.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/database.ts'

const { url } = await createTestDatabase()
const limits = { poolSize: 1, statementTimeoutMs: 2000, lockTimeoutMs: 2000, acquireTimeoutMs: 2000 }

function openDatabase(): Database {
  const pool = openPool(url, 'snapshot', limits, () => {})
  cleanUpAfterTests(() => pool.close())
  return pool.db
}

const writer = openDatabase()
await sql`create table public.item (name text)`.execute(writer)

const count = async (db: Database) =>
  (await sql<{ count: number }>`select count(*)::int as count from public.item`.execute(db)).rows[0]?.count
const add = (db: Database) => sql`insert into public.item values ('new')`.execute(db)
const readSetting = async (db: Database, name: string) =>
  (await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db)).rows[0]?.value

describe('readSnapshot', () => {
  it('shows all statements the state seen by the first one, although another session commits in between', async () => {
    const db = openDatabase()
    const counts = await readSnapshot(db, async (snapshot) => {
      const before = await count(snapshot)
      await add(writer)
      return [before, await count(snapshot)]
    })
    expect(counts[1]).toBe(counts[0])
    expect(await count(db)).toBe((counts[0] ?? 0) + 1)
  })

  it('rejects a statement that writes', async () => {
    await expect(readSnapshot(openDatabase(), add)).rejects.toThrow('read-only transaction')
  })

  it('ends the transaction after a database error and after an error in its own work', async () => {
    const db = openDatabase()
    await expect(readSnapshot(db, (snapshot) => sql`select 1 / 0`.execute(snapshot))).rejects.toThrow(
      'division by zero',
    )
    await expect(
      readSnapshot(db, async (snapshot) => {
        await count(snapshot)
        throw new Error('not a database error')
      }),
    ).rejects.toThrow('not a database error')
    expect(await readSetting(db, 'transaction_isolation')).toBe('read committed')
    await add(db)
  })

  it('repeats the work without prepared statements after a pooler has switched the session', async () => {
    const db = openDatabase()
    const fixed = createFixedStatement(sql<{ doubled: number }>`select ${0}::integer * 2 as doubled`)
    await fixed(db, [1])
    await sql`deallocate all`.execute(db)
    expect(await readSnapshot(db, (snapshot) => fixed(snapshot, [2]))).toEqual([{ doubled: 4 }])
  })
})

describe('leaveRemainingTime', () => {
  it('limits the later statements of the snapshot to the remaining time', async () => {
    const db = openDatabase()
    const timeout = await readSnapshot(db, async (snapshot) => {
      await sql`select pg_sleep(0.5)`.execute(snapshot)
      await leaveRemainingTime(snapshot)
      return readSetting(snapshot, 'statement_timeout')
    })
    expect(timeout).toMatch(/^\d{1,4}ms$/u)
    expect(Number.parseInt(String(timeout), 10)).toBeLessThanOrEqual(1500)
    expect(await readSetting(db, 'statement_timeout')).toBe('2s')
  })

  it('subtracts the time once, however often it is called', async () => {
    const db = openDatabase()
    for (const _ of ['first transaction', 'second transaction of the same session']) {
      const begun = performance.now()
      const timeout = await readSnapshot(db, async (snapshot) => {
        await sql`select pg_sleep(0.5)`.execute(snapshot)
        await leaveRemainingTime(snapshot)
        await leaveRemainingTime(snapshot)
        return readSetting(snapshot, 'statement_timeout')
      })
      const passedMs = Math.ceil(performance.now() - begun)
      expect(timeout).toMatch(/^\d+ms$/u)
      expect(Number.parseInt(String(timeout), 10)).toBeLessThanOrEqual(1500)
      expect(Number.parseInt(String(timeout), 10)).toBeGreaterThanOrEqual(2000 - passedMs)
    }
  })
})
