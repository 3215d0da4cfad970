import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { openPool } from '../../../src/database/postgres.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { findBrokenBalances, readBalances } from '../../support/ledger-assertions.ts'
import { buildPricePath, PRICES, priceProbes } from '../../support/price-probes.ts'
import { startTestService } from '../../support/service.ts'

const service = await startTestService({ endpoints: [...endpoints, ...priceProbes] })
const { api, given } = service
const limits = { poolSize: 2, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
const { db } = openPool(service.database.url, 'books', limits, () => {})

async function payer(
  credits: number,
): Promise<{ key: string; id: string; usage(): Promise<{ credits_used: number }> }> {
  const key = createTestKey()
  const payer = account('enterprise').withQuota(credits).withKey(key)
  await given(payer)
  return {
    key: key.key,
    id: payer.id,
    usage: async () => (await api.get('/api/v1/usage', { key: key.key })).json.data.usage,
  }
}

/**
 * Waits until the account has the expected usage. Refunds are queued, so the usage changes only some time after the
 * response.
 */
async function expectUsage(usage: () => Promise<{ credits_used: number }>, used: number) {
  await expect.poll(async () => (await usage()).credits_used).toBe(used)
}

describe('Credits: charging (decision A6)', () => {
  it.each(PRICES)('charges exactly %s credits for a 2xx response', async (credits) => {
    const { key, id } = await payer(100)
    await api.get(buildPricePath(credits), { key })
    const book = (await readBalances(db)).find(({ accountId }) => accountId === id)
    expect(book?.usedHalf ?? 0).toBe(credits * 2)
  })

  it.each(['404', '500'])('refunds the charge for a %s response', async (end) => {
    const { key, usage, id } = await payer(100)
    expect((await api.get(`${buildPricePath(5)}?end=${end}`, { key })).status).toBe(Number(end))
    await expectUsage(usage, 0)
    expect((await readBalances(db)).find(({ accountId }) => accountId === id)).toMatchObject({
      charges: 1,
      refunds: 1,
      usedHalf: 0,
    })
  })

  it('writes no ledger entry for 400 and 405 responses', async () => {
    const { key, id } = await payer(100)
    await api.get(`${buildPricePath(5)}?end=nonsense`, { key })
    await api.send('PUT', buildPricePath(5), { key })
    expect((await readBalances(db)).find(({ accountId }) => accountId === id)).toBeUndefined()
  })

  it('records the correlation id, endpoint and cost of a charge in the ledger', async () => {
    const { key, id } = await payer(100)
    const { json } = await api.get(buildPricePath(2), { key })
    const { rows } = await sql`
      select 'req_' || request_id as correlation_id, kind, endpoint, cost_half
        from accounts.ledger
       where account_id = ${id}
    `.execute(db)
    expect(rows).toEqual([
      { correlation_id: json.meta.correlationId, kind: 'charge', endpoint: 'price-4', cost_half: 4 },
    ])
  })
})

describe('Credits: exhausted quota (decisions A7 and A8)', () => {
  it('is shown as 0 remaining credits if half a credit is left, which still pays for a cheap call', async () => {
    const { key, usage } = await payer(1)
    await api.get(buildPricePath(0.5), { key })
    expect(await usage()).toMatchObject({ credits_used: 1, credits_remaining: 0, percentage_used: 50 })
    expect((await api.get(buildPricePath(0.5), { key })).status).toBe(200)
    expect((await api.get(buildPricePath(0.5), { key })).status).toBe(429)
  })

  it('applies a changed limit from the next call on', async () => {
    const { key, id } = await payer(1)
    expect((await api.get(buildPricePath(2), { key })).status).toBe(429)
    await sql`update accounts.account set limit_half = 4 where id = ${id}`.execute(db)
    expect((await api.get(buildPricePath(2), { key })).status).toBe(200)
    await sql`update accounts.account set limit_half = 0 where id = ${id}`.execute(db)
    expect((await api.get(buildPricePath(0.5), { key })).status).toBe(429)
  })
})

describe.each([0.5, 5])('Credits: 100 parallel calls for %s credits with 10 credits left', (credits) => {
  it('are answered exactly as often as the credits allow', async () => {
    const { key } = await payer(10)
    const answers = await Promise.all(Array.from({ length: 100 }, () => api.get(buildPricePath(credits), { key })))
    const served = answers.filter(({ status }) => status === 200).length
    expect(served).toBe(Math.floor(10 / credits))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(100 - served)
  })
})

describe('Credits: concurrent calls from one account (threat T-29)', () => {
  it('above the limit get 503 with Retry-After and are not charged, while other accounts are served', async () => {
    const limited = await startTestService({
      endpoints: [...endpoints, ...priceProbes],
      environment: { CONCURRENT_CALLS_PER_ACCOUNT: '3' },
    })
    const [busy, other] = [createTestKey(), createTestKey()]
    await limited.given(account('pro').withKey(busy), account('pro').withKey(other))
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => limited.api.get(`${buildPricePath(1)}?after_ms=700`, { key: busy.key })),
      limited.api.get(buildPricePath(1), { key: other.key }),
    ])
    const refused = answers.filter(({ status }) => status === 503)
    expect(refused).toHaveLength(2)
    expect(refused[0]?.headers['retry-after']).toBe('1')
    expect(answers.at(-1)?.status).toBe(200)
    expect((await limited.api.get('/api/v1/usage', { key: busy.key })).json.data.usage.credits_used).toBe(3)
    expect((await limited.api.get(buildPricePath(1), { key: busy.key })).status).toBe(200)
  })
})

describe('Credits: ledger', () => {
  it('is consistent after all tests, except for the account whose limit was lowered to 0', async () => {
    expect(await findBrokenBalances(db)).toEqual([expect.objectContaining({ limitHalf: 0 })])
  })
})
