import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openPool } from '../../../service/src/database/postgres.ts'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { findBrokenBalances } from '../../../service/test/support/ledger-assertions.ts'
import { startTestService } from '../../../service/test/support/service.ts'
import { activateCallers } from '../callers.ts'
import { addAccounts } from './many-accounts.ts'

const COUNT = 1000
const { api, database, given } = await startTestService()
const limits = { poolSize: 1, statementTimeoutMs: 60_000, lockTimeoutMs: 5000, acquireTimeoutMs: 5000 }
const pool = openPool(database.url, 'test', limits, () => {})
cleanUpAfterTests(() => pool.close())

async function readFigures() {
  const { rows } = await sql<Record<'accounts' | 'keys' | 'keyed' | 'meters' | 'free', number>>`
    select (select count(*)::int from accounts.account) as accounts,
           (select count(*)::int from accounts.api_key) as keys,
           (select count(distinct account_id)::int from accounts.api_key) as keyed,
           (select count(*)::int from accounts.meter where period = accounts.current_period()) as meters,
           (select count(*)::int from accounts.account where plan = 'free' and limit_half = 2000) as free
  `.execute(pool.db)
  const [row] = rows
  if (!row) throw new Error('The count returned no row.')
  return row
}

describe('addAccounts with 1,000 accounts', () => {
  it('adds one API key per account, records a charge for every second account, and keeps existing keys valid', async () => {
    const existingKey = createTestKey()
    await given(account('free').withKey(existingKey))
    const before = await readFigures()

    await addAccounts(database.url, COUNT)

    const after = await readFigures()
    expect(after.accounts - before.accounts).toBe(COUNT)
    expect(after.keys - before.keys).toBe(COUNT)
    expect(after.keyed - before.keyed).toBe(COUNT)
    expect(after.meters - before.meters).toBe(COUNT / 2)
    expect(after.free - before.free).toBeGreaterThan(COUNT * 0.9)
    expect(await findBrokenBalances(pool.db)).toEqual([])
    expect((await api.get('/api/v1/usage', { key: existingKey.key })).status).toBe(200)
    expect((await api.get('/api/v1/usage', { key: createTestKey().key })).status).toBe(401)
  })
})

describe('activateCallers with 10 of the accounts', () => {
  it('gives accounts spread over the table an API key for calling the service', async () => {
    await addAccounts(database.url, COUNT)

    const callers = await activateCallers(database.url, 10)

    const ids = callers.map(({ accountId }) => Number(accountId)).toSorted((a, b) => a - b)
    const distances = ids.slice(1).map((id, index) => id - (ids[index] ?? 0))
    expect(new Set(ids).size).toBe(10)
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(COUNT / 10)
    for (const { key } of callers) expect((await api.get('/api/v1/usage', { key })).status).toBe(200)
  })
})
