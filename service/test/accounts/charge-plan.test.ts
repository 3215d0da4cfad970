import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { chargeBatch } from '../../src/accounts/credits/charge-batch.ts'
import { openPool } from '../../src/database/postgres.ts'
import { account } from '../support/builders.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/database.ts'
import { issueAdmission } from './admission.ts'
import { openTestStatements, unprepared } from './statements.ts'

const OTHER_ACCOUNTS = 2000

const { url } = await createTestDatabase()
const limits = { poolSize: 1, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
const pool = openPool(url, 'plan', limits, () => {})
cleanUpAfterTests(() => pool.close())
const { db } = pool
// All charges use one connection, and therefore the query plans that it made while the tables were empty.
const { run } = openTestStatements(url, 1)

const createCharge = async (accountId: string) => ({
  requestId: randomUUIDv7(),
  admission: await issueAdmission(url, accountId),
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
async function countReadRows(): Promise<number> {
  const rows = await run(
    unprepared(`
      select sum(seq_tup_read + idx_tup_fetch)
        from pg_stat_xact_user_tables
       where schemaname = 'accounts' and relname in ('meter', 'account')
    `),
    [],
  )
  return Number(rows[0]?.[0])
}

describe('accounts.charge_batch: query plan', () => {
  it('reads only the meter rows of the charged accounts, although 2,000 other accounts exist', async () => {
    const [first, last] = [account('enterprise'), account('enterprise')]
    await first.store(db)
    await chargeBatch(run, [await createCharge(first.id)])
    await storeOtherAccounts()
    await last.store(db)
    await chargeBatch(run, [await createCharge(last.id)])

    const third = await createCharge(last.id)
    await run(unprepared('begin'), [])
    const before = await countReadRows()
    await chargeBatch(run, [third])
    const read = (await countReadRows()) - before
    await run(unprepared('commit'), [])
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThan(20)
  })
})
