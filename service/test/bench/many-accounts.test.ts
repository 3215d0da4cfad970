import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openPool } from '../../src/database/postgres.ts'
import { account, aKey } from '../support/builders.ts'
import { atEnd } from '../support/cleanup.ts'
import { brokenBooks } from '../support/ledger-assertions.ts'
import { testService } from '../support/service.ts'
import { addAccounts } from './data/many-accounts.ts'

const COUNT = 1000
const { api, database, given } = await testService()
const limits = { poolSize: 1, statementTimeoutMs: 60_000, lockTimeoutMs: 5000, acquireTimeoutMs: 5000 }
const pool = openPool(database.url, 'test', limits, () => {})
atEnd(() => pool.close())

async function figures() {
  const { rows } = await sql<Record<'accounts' | 'keys' | 'keyed' | 'meters' | 'free', number>>`
    select (select count(*)::int from accounts.account) as accounts,
           (select count(*)::int from accounts.api_key) as keys,
           (select count(distinct account_id)::int from accounts.api_key) as keyed,
           (select count(*)::int from accounts.meter where period = accounts.current_period()) as meters,
           (select count(*)::int from accounts.account where plan = 'free' and limit_half = 2000) as free
  `.execute(pool.db)
  const [row] = rows
  if (!row) throw new Error('a count has one row')
  return row
}

describe('a thousand more accounts', () => {
  it('have a key each, half of them have spent, and the keys from before are still known', async () => {
    const known = aKey()
    await given(account('free').withKey(known))
    const before = await figures()

    await addAccounts(database.url, COUNT)

    const after = await figures()
    expect(after.accounts - before.accounts).toBe(COUNT)
    expect(after.keys - before.keys).toBe(COUNT)
    expect(after.keyed - before.keyed).toBe(COUNT)
    expect(after.meters - before.meters).toBe(COUNT / 2)
    expect(after.free - before.free).toBeGreaterThan(COUNT * 0.9)
    expect(await brokenBooks(pool.db)).toEqual([])
    expect((await api.get('/api/v1/usage', { key: known.key })).status).toBe(200)
    expect((await api.get('/api/v1/usage', { key: aKey().key })).status).toBe(401)
  })
})
