// One account must not harm another: tests with searches that keep a database connection busy, and with answers that
// are not read.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { defineEndpoint } from '../../../src/api/services.ts'
import { withDefault } from '../../../src/contract/request/parameters.ts'
import { integer } from '../../../src/contract/request/value-types.ts'
import { openPool } from '../../../src/database/postgres.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import { startTestService } from '../../support/service.ts'

const probe = {
  tag: 'Service',
  summary: 'A test endpoint',
  description: 'Exists only in tests.',
  method: 'GET',
  access: 'key',
  credits: 1,
  consumesRate: false,
  cacheControl: 'no-store',
  errors: ['QUERY_TIMEOUT'],
} as const

/** A search that keeps its database connection busy for as long as the caller specifies. */
const slowSearch = defineEndpoint({
  ...probe,
  name: 'slow-search',
  work: 'search',
  path: '/api/v1/probe/slow-search',
  response: { name: 'SlowSearch', schema: Type.Object({}) },
  parameters: { query: { ms: withDefault(integer({ minimum: 0, maximum: 10_000 }), 0, 'Milliseconds.') } },
  answer: async ({ query }, { db }) => {
    await sql`select pg_sleep(${query.ms / 1000})`.execute(db)
    return { data: {} }
  },
})

const LARGE_BYTES = 40 * 1024 * 1024

/** A call whose answer is larger than a connection's buffers. */
const largeAnswer = defineEndpoint({
  ...probe,
  name: 'large-answer',
  work: 'none',
  path: '/api/v1/probe/large-answer',
  response: { name: 'LargeAnswer', schema: Type.Object({ text: Type.String() }) },
  answer: async () => ({ data: { text: 'x'.repeat(LARGE_BYTES) } }),
})

const service = await startTestService({
  endpoints: [...endpoints, slowSearch, largeAnswer],
  environment: {
    // Waiting calls beyond the quota are refused after this time. It is shorter than the pause during which they wait.
    DATABASE_ACQUIRE_TIMEOUT_MS: '1000',
    CONCURRENT_CALLS_PER_ACCOUNT: '40',
  },
})
const { api, given } = service
const LIMITS = { poolSize: 1, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
const observer = openPool(service.database.url, 'observer', LIMITS, () => {})
cleanUpAfterTests(() => observer.close())

async function createCaller(): Promise<string> {
  const key = createTestKey()
  await given(account('pro').withQuota(1000).withKey(key))
  return key.key
}

const searchFor = (ms: number, key: string) => api.get(`/api/v1/probe/slow-search?ms=${ms}`, { key })
const searchTimes = (count: number, ms: number, key: string) => Array.from({ length: count }, () => searchFor(ms, key))
const readUsed = async (key: string) => (await api.get('/api/v1/usage', { key })).json.data.usage.credits_used

async function countRunningSearches(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
      from pg_stat_activity
     where application_name = 'vis-reads' and state = 'active' and datname = current_database()
  `.execute(observer.db)
  return rows[0]?.count ?? 0
}

describe('Fair share of the database (threat T-29, ADR 0008)', () => {
  it('lets an account that is alone use every connection and refuses none of its calls', async () => {
    const [key, earlier] = [await createCaller(), await createCaller()]
    // Opens the ten connections first, because on a slow machine opening them may take longer than a call waits.
    await Promise.all(searchTimes(10, 300, earlier))
    await sleep(1100)
    const answers = searchTimes(30, 400, key)
    await expect.poll(countRunningSearches).toBe(10)
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(30).fill(200))
    expect(await readUsed(key)).toBe(30)
  })

  it('leaves connections for other accounts while one account has many waiting searches', async () => {
    const [busy, other] = [await createCaller(), await createCaller()]
    await searchFor(0, other)
    const answers = searchTimes(12, 500, busy)
    await expect.poll(countRunningSearches).toBe(1)
    for (let call = 0; call < 5; call += 1) {
      expect((await searchFor(0, other)).status).toBe(200)
      // The busy account's searches are long, so one of them runs at a time, and most of them are still waiting.
      expect(await countRunningSearches()).toBeLessThanOrEqual(1)
    }
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(12).fill(200))
  })

  it('refuses calls above the fair share with 503, the true reason and Retry-After, and does not charge them', async () => {
    const [busy, other] = [await createCaller(), await createCaller()]
    await sleep(1100)
    // On its own, the busy account uses ten connections at once, which exceeds its budget of database time.
    const answers = searchTimes(30, 1000, busy)
    await sleep(1500)
    const others = searchTimes(6, 400, other)
    const refused = (await Promise.all(answers)).filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]?.json.error).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      message:
        "This account's searches use more than its share of the database right now. Nothing was charged; please retry.",
    })
    expect(refused[0]?.headers['retry-after']).toBe('1')
    expect(await readUsed(busy)).toBe(answers.length - refused.length)
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(Array(6).fill(200))
  })

  it('does not charge a call whose client leaves while the call waits', async () => {
    const [busy, other] = [await createCaller(), await createCaller()]
    await searchFor(0, other)
    const running = searchFor(1500, busy)
    await expect.poll(countRunningSearches).toBe(1)
    const leaving = connect(api.port, '127.0.0.1')
    leaving.write(`GET /api/v1/probe/slow-search?ms=0 HTTP/1.1\r\nHost: a\r\nX-API-Key: ${busy}\r\n\r\n`)
    await sleep(200)
    leaving.destroy()
    await running
    await sleep(200)
    expect(await readUsed(busy)).toBe(1)
  })
})

describe("An account's concurrency limit", () => {
  const send = (socket: Socket, key: string) =>
    socket.write(`GET /api/v1/probe/large-answer HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n\r\n`)

  it('counts an unread response until its connection closes', async () => {
    const limited = await startTestService({
      endpoints: [...endpoints, largeAnswer],
      environment: { CONCURRENT_CALLS_PER_ACCOUNT: '2' },
    })
    const key = createTestKey()
    await limited.given(account('pro').withKey(key))
    const call = async () => (await limited.api.get('/api/v1/stats', { key: key.key })).json.error?.message
    const sockets = [connect(limited.api.port, '127.0.0.1'), connect(limited.api.port, '127.0.0.1')]
    for (const socket of sockets) {
      send(socket, key.key)
      await once(socket, 'readable')
    }
    expect(await call()).toBe(
      'This account already has 2 calls in flight; wait until some have ended. Nothing was charged; please retry.',
    )
    for (const socket of sockets) socket.destroy()
    await expect.poll(call).toBeUndefined()
  })

  it('does not count a pipelined call while an earlier response on its connection is unread', async () => {
    const limited = await startTestService({
      endpoints: [...endpoints, largeAnswer, slowSearch],
      environment: { CONCURRENT_CALLS_PER_ACCOUNT: '3' },
    })
    const key = createTestKey()
    await limited.given(account('pro').withKey(key))
    const call = async () => (await limited.api.get('/api/v1/stats', { key: key.key })).status
    const socket = connect(limited.api.port, '127.0.0.1')
    for (let count = 0; count < 3; count += 1) send(socket, key.key)
    await once(socket, 'readable')
    const callTimes = async (count: number) => {
      const slow = () => limited.api.get('/api/v1/probe/slow-search?ms=300', { key: key.key })
      return (await Promise.all(Array.from({ length: count }, slow))).map(({ status }) => status)
    }
    // The unread answer holds one of three slots; the calls behind it hold none.
    expect(await callTimes(2)).toEqual([200, 200])
    expect(await call()).toBe(200)
    socket.destroy()
    await expect.poll(() => callTimes(3)).toEqual([200, 200, 200])
  })
})
