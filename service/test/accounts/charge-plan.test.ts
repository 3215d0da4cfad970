import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { chargeBatch } from '../../src/accounts/charge-batch.ts'
import { type Database, openPool } from '../../src/database/postgres.ts'
import { account } from '../support/builders.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/database.ts'

const OTHER_ACCOUNTS = 2000

const { url } = await createTestDatabase()
// The pool has a single connection, so that all charges use the query plans that this connection made while the tables
// were empty.
const limits = { poolSize: 1, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
const pool = openPool(url, 'plan', limits, () => {})
cleanUpAfterTests(() => pool.close())
const { db } = pool

const createCharge = (accountId: string) => ({
  requestId: randomUUIDv7(),
  accountId,
  keyId: '1',
  endpoint: 'plan',
  costHalf: 1,
})

async function storeOtherAccounts(): Promise<void> {
  await sql`
    with other as (
      insert into accounts.account (name, plan, limit_half)
      select 'other ' || n, 'enterprise', 100
        from generate_series(1, ${OTHER_ACCOUNTS}) n
      returning id
    )
    insert into accounts.meter (account_id, period)
    select id, accounts.current_period()
      from other
  `.execute(db)
}

/** Returns the number of rows that the current transaction has read from the account tables. */
async function countReadRows(tx: Database): Promise<number> {
  const { rows } = await sql<{ read: string }>`
    select sum(seq_tup_read + idx_tup_fetch) as read
      from pg_stat_xact_user_tables
     where schemaname = 'accounts' and relname in ('meter', 'account')
  `.execute(tx)
  return Number(rows[0]?.read)
}

describe('accounts.charge_batch: query plan', () => {
  it('reads only the meter rows of the charged accounts, although 2,000 other accounts exist', async () => {
    const [first, last] = [account('enterprise'), account('enterprise')]
    await first.store(db)
    await chargeBatch(db, [createCharge(first.id)])
    await storeOtherAccounts()
    await last.store(db)
    await chargeBatch(db, [createCharge(last.id)])

    const read = await db.transaction().execute(async (tx) => {
      const before = await countReadRows(tx)
      await chargeBatch(tx, [createCharge(last.id)])
      return (await countReadRows(tx)) - before
    })
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThan(20)
  })
})
