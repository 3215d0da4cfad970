import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { openPool } from '../../../src/database/postgres.ts'
import { account, aKey } from '../../support/builders.ts'
import { brokenBooks, readBooks } from '../../support/ledger-assertions.ts'
import { PRICES, pathOfPrice, priceProbes } from '../../support/price-probes.ts'
import { testService } from '../../support/service.ts'

// The deadline of a charge is for production; a crowded test machine gets more time.
const service = await testService({
  endpoints: [...endpoints, ...priceProbes],
  environment: { CHARGE_DEADLINE_MS: '5000' },
})
const { api, given } = service
const limits = { poolSize: 2, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
const { db } = openPool(service.database.url, 'books', limits, () => {})

async function payer(
  credits: number,
): Promise<{ key: string; id: string; usage(): Promise<{ credits_used: number }> }> {
  const key = aKey()
  const payer = account('enterprise').withQuota(credits).withKey(key)
  await given(payer)
  return {
    key: key.key,
    id: payer.id,
    usage: async () => (await api.get('/api/v1/usage', { key: key.key })).json.data.usage,
  }
}

/** Refunds are queued: whoever asks too early waits a moment. */
async function settled(usage: () => Promise<{ credits_used: number }>, used: number) {
  await expect.poll(async () => (await usage()).credits_used, { timeout: 5000 }).toBe(used)
}

describe('GET /api/v1/usage', () => {
  it('has plan, limit, used, remaining, reset and percentage (A8, C21)', async () => {
    const { key, usage } = await payer(200)
    await api.get(pathOfPrice(35), { key })
    await api.get(pathOfPrice(0.5), { key })

    const now = new Date()
    const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
    expect(await usage()).toEqual({
      plan: 'enterprise',
      credits_limit: 200,
      credits_used: 36,
      credits_remaining: 164,
      reset_at: `${nextMonth.toISOString().slice(0, 19)}Z`,
      percentage_used: 17.75,
    })
  })

  it('is free, takes no parameters and is never stored', async () => {
    const { key } = await payer(0)
    const { status, headers } = await api.get('/api/v1/usage', { key })
    expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
    expect((await api.get('/api/v1/usage?plan=pro', { key })).status).toBe(400)
  })
})

describe('What is charged (A6)', () => {
  it.each(PRICES)('a 2xx answer of %s credits costs exactly that', async (credits) => {
    const { key, id } = await payer(100)
    await api.get(pathOfPrice(credits), { key })
    const book = (await readBooks(db)).find(({ accountId }) => accountId === id)
    expect(book?.usedHalf ?? 0).toBe(credits * 2)
  })

  it.each(['404', '500'])('an answer %s costs nothing: the charge is given back', async (end) => {
    const { key, usage, id } = await payer(100)
    expect((await api.get(`${pathOfPrice(5)}?end=${end}`, { key })).status).toBe(Number(end))
    await settled(usage, 0)
    expect((await readBooks(db)).find(({ accountId }) => accountId === id)).toMatchObject({
      charges: 1,
      refunds: 1,
      usedHalf: 0,
    })
  })

  it('304 costs nothing', async () => {
    const { key, usage } = await payer(100)
    const etag = (await api.get(pathOfPrice(5), { key })).headers['etag']
    expect((await api.get(pathOfPrice(5), { key, headers: { 'If-None-Match': etag } })).status).toBe(304)
    await settled(usage, 5)
  })

  it('400 and 405 never meet the meter', async () => {
    const { key, id } = await payer(100)
    await api.get(`${pathOfPrice(5)}?end=nonsense`, { key })
    await api.send('PUT', pathOfPrice(5), { key })
    expect((await readBooks(db)).find(({ accountId }) => accountId === id)).toBeUndefined()
  })

  it('HEAD is charged like GET, and so is a trailing slash (A-8)', async () => {
    const { key, usage } = await payer(100)
    await api.send('HEAD', pathOfPrice(5), { key })
    await api.get(`${pathOfPrice(5)}/`, { key })
    expect((await usage()).credits_used).toBe(10)
  })

  it('the ledger names the request by its correlation id, with key, endpoint and cost', async () => {
    const { key, id } = await payer(100)
    const { json } = await api.get(pathOfPrice(2), { key })
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

describe('A quota that is used up (A7, A8)', () => {
  it('is 429 CREDIT_LIMIT_EXCEEDED with details and Retry-After; nothing is charged', async () => {
    const { key, usage } = await payer(3)
    const { status, json, headers } = await api.get(pathOfPrice(5), { key })

    expect([status, json.error.code]).toEqual([429, 'CREDIT_LIMIT_EXCEEDED'])
    expect(json.error.details).toEqual({
      credits_used: 0,
      credits_limit: 3,
      reset_at: expect.stringMatching(/-01T00:00:00Z$/),
    })
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect((await usage()).credits_used).toBe(0)
  })

  it('still lets smaller calls and free ones pass', async () => {
    const { key } = await payer(3)
    const statuses = []
    for (const credits of [5, 2, 2, 1, 0.5, 0]) statuses.push((await api.get(pathOfPrice(credits), { key })).status)
    expect(statuses).toEqual([429, 200, 429, 200, 429, 200])
  })

  it('with half a credit left shows 0 remaining, and half a credit still buys something', async () => {
    const { key, usage } = await payer(1)
    await api.get(pathOfPrice(0.5), { key })
    expect(await usage()).toMatchObject({ credits_used: 1, credits_remaining: 0, percentage_used: 50 })
    expect((await api.get(pathOfPrice(0.5), { key })).status).toBe(200)
    expect((await api.get(pathOfPrice(0.5), { key })).status).toBe(429)
  })

  it('counts from the next call after the limit was changed', async () => {
    const { key, id } = await payer(1)
    expect((await api.get(pathOfPrice(2), { key })).status).toBe(429)
    await sql`update accounts.account set limit_half = 4 where id = ${id}`.execute(db)
    expect((await api.get(pathOfPrice(2), { key })).status).toBe(200)
    await sql`update accounts.account set limit_half = 0 where id = ${id}`.execute(db)
    expect((await api.get(pathOfPrice(0.5), { key })).status).toBe(429)
  })
})

describe.each(PRICES.filter((price) => price > 0))(
  '100 parallel calls of %s credits on an account with 10 left',
  (credits) => {
    it('never take one too many, and every call that fits is served', async () => {
      const { key } = await payer(10)
      const answers = await Promise.all(Array.from({ length: 100 }, () => api.get(pathOfPrice(credits), { key })))
      const served = answers.filter(({ status }) => status === 200).length
      expect(served).toBe(Math.floor(10 / credits))
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(100 - served)
    })
  },
)

describe('Too many calls of one account in flight (A-29)', () => {
  it('are 503 with Retry-After, uncharged, and do not touch others', async () => {
    const narrow = await testService({
      endpoints: [...endpoints, ...priceProbes],
      environment: { CONCURRENT_CALLS_PER_ACCOUNT: '3', CHARGE_DEADLINE_MS: '5000' },
    })
    const [busy, other] = [aKey(), aKey()]
    await narrow.given(account('pro').withKey(busy), account('pro').withKey(other))
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => narrow.api.get(`${pathOfPrice(1)}?after_ms=700`, { key: busy.key })),
      narrow.api.get(pathOfPrice(1), { key: other.key }),
    ])
    const refused = answers.filter(({ status }) => status === 503)
    expect(refused).toHaveLength(2)
    expect(refused[0]?.headers['retry-after']).toBe('1')
    expect(answers.at(-1)?.status).toBe(200)
    expect((await narrow.api.get('/api/v1/usage', { key: busy.key })).json.data.usage.credits_used).toBe(3)
    expect((await narrow.api.get(pathOfPrice(1), { key: busy.key })).status).toBe(200)
  })
})

describe('The books', () => {
  it('balance after all of this', async () => {
    expect(await brokenBooks(db)).toEqual([expect.objectContaining({ limitHalf: 0 })])
  })
})
