import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { chargeBatch } from '../../src/accounts/charge-batch.ts'
import { type Database, openPool } from '../../src/database/postgres.ts'
import { account } from '../support/builders.ts'
import { atEnd } from '../support/cleanup.ts'
import { testDatabase } from '../support/database.ts'

const OTHERS = 2000

const { url } = await testDatabase()
// One connection: the plans that it makes while the tables are empty are the ones it keeps.
const limits = { poolSize: 1, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
const pool = openPool(url, 'plan', limits, () => {})
atEnd(() => pool.close())
const { db } = pool

const callOf = (accountId: string) => ({
  requestId: randomUUIDv7(),
  accountId,
  keyId: '1',
  endpoint: 'plan',
  costHalf: 1,
})

async function storeOthers(): Promise<void> {
  await sql`
    with other as (
      insert into accounts.account (name, plan, limit_half)
      select 'other ' || n, 'enterprise', 100
        from generate_series(1, ${OTHERS}) n
      returning id
    )
    insert into accounts.meter (account_id, period)
    select id, accounts.current_period()
      from other
  `.execute(db)
}

/** By this connection so far. */
async function rowsRead(tx: Database): Promise<number> {
  const { rows } = await sql<{ read: string }>`
    select sum(seq_tup_read + idx_tup_fetch) as read
      from pg_stat_xact_user_tables
     where schemaname = 'accounts' and relname in ('meter', 'account')
  `.execute(tx)
  return Number(rows[0]?.read)
}

describe('A charge', () => {
  it('reads the meters of its own accounts, however many others there are', async () => {
    const [first, last] = [account('enterprise'), account('enterprise')]
    await first.store(db)
    await chargeBatch(db, [callOf(first.id)])
    await storeOthers()
    await last.store(db)
    await chargeBatch(db, [callOf(last.id)])

    const read = await db.transaction().execute(async (tx) => {
      const before = await rowsRead(tx)
      await chargeBatch(tx, [callOf(last.id)])
      return (await rowsRead(tx)) - before
    })
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThan(20)
  })
})
