import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createFixedStatement } from '../../src/database/fixed-statement.ts'
import { type Database, openPool } from '../../src/database/postgres.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/database.ts'

const { url } = await createTestDatabase()
const limits = { poolSize: 1, statementTimeoutMs: 2000, lockTimeoutMs: 2000, acquireTimeoutMs: 2000 }

function openDatabase(): Database {
  const pool = openPool(url, 'prepare', limits, () => {})
  cleanUpAfterTests(() => pool.close())
  return pool.db
}

const double = async (db: Database, n: number) =>
  (await sql<{ doubled: number }>`select ${n}::integer * 2 as doubled`.execute(db)).rows[0]?.doubled

const countPreparedCalls = async (db: Database) =>
  (
    await sql<{ calls: string }>`
      select generic_plans + custom_plans as calls
        from pg_prepared_statements
       where statement like '%as doubled%' and statement not like '%pg_prepared_statements%'
    `.execute(db)
  ).rows.map(({ calls }) => Number(calls))

describe('Connection pool: prepared statements', () => {
  const fixed = createFixedStatement(sql<{ doubled: number }>`select ${0}::integer * 2 as doubled`)
  const doubleByFixed = async (db: Database, n: number) => (await fixed(db, [n]))[0]?.doubled

  it('does not prepare statements that were not made with createFixedStatement', async () => {
    const db = openDatabase()
    await double(db, 1)
    expect(await countPreparedCalls(db)).toEqual([])
  })

  it('prepares createFixedStatement statements once per connection and uses them for all values', async () => {
    const [db, other] = [openDatabase(), openDatabase()]
    await double(db, 1)
    expect([await doubleByFixed(db, 1), await doubleByFixed(db, 2), await doubleByFixed(other, 3)]).toEqual([2, 4, 6])
    expect([await countPreparedCalls(db), await countPreparedCalls(other)]).toEqual([[2], [1]])
  })

  it('stops preparing createFixedStatement statements after a pooler has switched the session', async () => {
    const db = openDatabase()
    await doubleByFixed(db, 1)
    await sql`deallocate all`.execute(db)
    expect([await doubleByFixed(db, 2), await doubleByFixed(db, 3)]).toEqual([4, 6])
    expect(await countPreparedCalls(db)).toEqual([])
  })
})
