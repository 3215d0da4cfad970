import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { fixedStatement } from '../../src/database/fixed-statement.ts'
import { type Database, openPool } from '../../src/database/postgres.ts'
import { atEnd } from '../support/cleanup.ts'
import { testDatabase } from '../support/database.ts'

const { url } = await testDatabase()
const limits = { poolSize: 1, statementTimeoutMs: 2000, lockTimeoutMs: 2000, acquireTimeoutMs: 2000 }

function database(preparesStatements: boolean): Database {
  const pool = openPool(url, 'prepare', { ...limits, preparesStatements }, () => {})
  atEnd(() => pool.close())
  return pool.db
}

const double = async (db: Database, n: number) =>
  (await sql<{ doubled: number }>`select ${n}::integer * 2 as doubled`.execute(db)).rows[0]?.doubled

const doubling = async (db: Database) =>
  (
    await sql<{ calls: string }>`
      select generic_plans + custom_plans as calls
        from pg_prepared_statements
       where statement like '%as doubled%' and statement not like '%pg_prepared_statements%'
    `.execute(db)
  ).rows.map(({ calls }) => Number(calls))

describe('A pool that prepares its statements', () => {
  it('prepares each once for a connection, and uses it for all values', async () => {
    const db = database(true)
    expect([await double(db, 1), await double(db, 2), await double(db, 3)]).toEqual([2, 4, 6])
    expect(await doubling(db)).toEqual([3])
  })

  it('goes on without, once a pooler has mixed up the sessions', async () => {
    const db = database(true)
    await double(db, 1)
    await sql`deallocate all`.execute(db)
    expect([await double(db, 2), await double(db, 3)]).toEqual([4, 6])
    expect(await doubling(db)).toEqual([])
  })

  it('reports every other failure as it is', async () => {
    const db = database(true)
    await expect(sql`select 1 / ${0}::integer`.execute(db)).rejects.toMatchObject({ code: '22012' })
    expect(await double(db, 2)).toBe(4)
  })
})

describe('Any other pool', () => {
  const fixed = fixedStatement(sql<{ doubled: number }>`select ${0}::integer * 2 as doubled`)
  const doubleByFixed = async (db: Database, n: number) => (await fixed(db, [n]))[0]?.doubled

  it('prepares nothing', async () => {
    const db = database(false)
    await double(db, 1)
    expect(await doubling(db)).toEqual([])
  })

  it('prepares what never changes, once for a connection, and uses it for all values', async () => {
    const [db, other] = [database(false), database(false)]
    await double(db, 1)
    expect([await doubleByFixed(db, 1), await doubleByFixed(db, 2), await doubleByFixed(other, 3)]).toEqual([2, 4, 6])
    expect([await doubling(db), await doubling(other)]).toEqual([[2], [1]])
  })

  it('goes on without, once a pooler has mixed up the sessions', async () => {
    const db = database(false)
    await doubleByFixed(db, 1)
    await sql`deallocate all`.execute(db)
    expect([await doubleByFixed(db, 2), await doubleByFixed(db, 3)]).toEqual([4, 6])
    expect(await doubling(db)).toEqual([])
  })
})
