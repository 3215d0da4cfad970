import { createClient } from '@redis/client'
import { describe, expect, inject, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { account, aKey } from '../../support/builders.ts'
import { faultyLink } from '../../support/network/faulty-proxy.ts'
import { etagProbe, failureProbe } from '../../support/probes.ts'
import { testService } from '../../support/service.ts'

const served = [...endpoints, etagProbe, failureProbe]
// A window of an hour cannot end in the middle of a test but once an hour; the first test waits that out.
const limits = { RATE_LIMIT_REQUESTS: '5', RATE_LIMIT_WINDOW_SECONDS: '3600' }

const kept = {
  Redis: await testService({ endpoints: served, environment: limits }),
  'this process, without Redis': await testService({ endpoints: served, environment: { ...limits, REDIS_URL: '' } }),
  'this process, because Redis is away': await testService({
    endpoints: served,
    environment: { ...limits, REDIS_URL: 'redis://127.0.0.1:1' },
  }),
}

describe('Redis', () => {
  it('that hangs delays a call by a moment, and after five by nothing', async () => {
    const link = await faultyLink(inject('redisUrl'))
    const { api, given, logLines } = await testService({
      endpoints: served,
      environment: { ...limits, REDIS_URL: link.url },
    })
    const key = aKey()
    await given(account('free').withKey(key))
    await expect.poll(async () => (await api.get('/api/v1/ping-lite', { key: key.key })).status).toBe(200)

    link.holdAnswers()
    for (let call = 0; call < 5; call += 1) await api.get('/api/v1/ping-lite', { key: key.key })
    expect(logLines.join('')).toContain('Redis keeps failing')
    const times = []
    for (let call = 0; call < 5; call += 1) {
      const started = performance.now()
      expect((await api.get('/api/v1/ping-lite', { key: key.key })).headers['x-rate-limit-remaining']).toBe('5')
      times.push(performance.now() - started)
    }
    // Below the 150 ms of one attempt, which the first call in a second may make.
    expect(Math.min(...times)).toBeLessThan(140)

    link.releaseAnswers()
    await expect
      .poll(
        async () => {
          await api.get('/api/v1/ping-lite', { key: key.key })
          return logLines.join('')
        },
        { timeout: 10_000 },
      )
      .toContain('Redis is back')
  })

  it('that lost everything is told what this node has let pass', async () => {
    const { api, given, environment } = await testService({ endpoints: served, environment: limits })
    const key = aKey()
    await given(account('free').withKey(key))
    for (let call = 0; call < 5; call += 1) await api.get('/api/v1/probe/etag', { key: key.key })
    const redis = createClient({ url: environment['REDIS_URL'] ?? '' })
    await redis.connect()
    const keys = await redis.keys(`${environment['REDIS_PREFIX']}*`)
    expect(await redis.ttl(keys[0] ?? '')).toBeGreaterThan(0)
    await redis.del(keys)
    await redis.close()
    expect((await api.get('/api/v1/probe/etag', { key: key.key })).status).toBe(429)
  })
})

describe('Without Redis, several nodes', () => {
  it('give out their share each', async () => {
    const { api, given } = await testService({
      endpoints: served,
      environment: { ...limits, REDIS_URL: '', NODE_COUNT: '2' },
    })
    const key = aKey()
    await given(account('free').withKey(key))
    const statuses = []
    for (let call = 0; call < 4; call += 1)
      statuses.push((await api.get('/api/v1/probe/etag', { key: key.key })).status)
    expect(statuses).toEqual([200, 200, 429, 429])
  })
})

describe.each(Object.entries(kept))('The free plan, counted in %s (A11)', (_where, { api, given }) => {
  const CONSUMES = '/api/v1/probe/etag'

  async function freeKey(): Promise<string> {
    const key = aKey()
    await given(account('free').withKey(key))
    return key.key
  }

  it('lets exactly the limit pass, also in parallel; the rest is 429 with details and Retry-After', async () => {
    const key = await freeKey()

    const answers = await Promise.all(Array.from({ length: 12 }, () => api.get(CONSUMES, { key })))

    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(refused).toHaveLength(7)
    for (const { json, headers } of refused) {
      expect(json.error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', details: { limit: 5, window_seconds: 3600 } })
      expect(Date.parse(json.error.details.reset_at) / 1000).toBe(Number(headers['x-rate-limit-reset']))
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(3600)
      expect(headers['x-rate-limit-remaining']).toBe('0')
    }
  })

  it('shows its headers on every answer, errors included', async () => {
    const key = await freeKey()
    for (const path of ['/api/v1/ping', CONSUMES, `${CONSUMES}?nonsense=1`, '/api/v1/probe/failure?how=not-found']) {
      const { headers } = await api.get(path, { key })
      expect(headers['x-rate-limit-remaining'], path).toMatch(/^\d+$/)
      expect(headers['x-rate-limit-reset'], path).toMatch(/^\d{10}$/)
    }
  })

  it('is not consumed by pings, which are never refused', async () => {
    const key = await freeKey()
    const remaining = async (path: string) => (await api.get(path, { key })).headers['x-rate-limit-remaining']

    expect([await remaining('/api/v1/ping'), await remaining('/api/v1/ping-lite')]).toEqual(['5', '5'])
    for (let call = 0; call < 6; call += 1) await api.get(CONSUMES, { key })
    expect((await api.get('/api/v1/ping-lite', { key })).status).toBe(200)
  })

  it('comes before parameters (B2)', async () => {
    const key = await freeKey()
    for (let call = 0; call < 5; call += 1) await api.get(CONSUMES, { key })
    expect((await api.get(`${CONSUMES}?nonsense=1`, { key })).status).toBe(429)
  })

  it('belongs to the account: its keys share it, other accounts do not', async () => {
    const [one, two] = [aKey(), aKey()]
    await given(account('free').withKey(one).withKey(two))
    for (let call = 0; call < 5; call += 1) await api.get(CONSUMES, { key: one.key })
    expect((await api.get(CONSUMES, { key: two.key })).status).toBe(429)
    expect((await api.get(CONSUMES, { key: await freeKey() })).status).toBe(200)
  })

  it('never touches paid plans', async () => {
    for (let call = 0; call < 7; call += 1) {
      const { status, headers } = await api.get(CONSUMES)
      expect([status, headers['x-rate-limit-remaining']]).toEqual([200, undefined])
    }
  })
})
