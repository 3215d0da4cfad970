import { createClient } from '@redis/client'
import { describe, expect, inject, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { createFaultyProxy } from '../../support/network/faulty-proxy.ts'
import { etagProbe, failureProbe } from '../../support/probes.ts'
import { startTestService } from '../../support/service.ts'

const served = [...endpoints, etagProbe, failureProbe]
// The rate limit window is one hour long, so that a window rarely ends during a test.
const limits = { RATE_LIMIT_REQUESTS: '5', RATE_LIMIT_WINDOW_SECONDS: '3600' }

const services = {
  Redis: await startTestService({ endpoints: served, environment: limits }),
  'this process, without Redis': await startTestService({
    endpoints: served,
    environment: { ...limits, REDIS_URL: '' },
  }),
  'this process, because Redis is unreachable': await startTestService({
    endpoints: served,
    environment: { ...limits, REDIS_URL: 'redis://127.0.0.1:1' },
  }),
}

describe('Rate limiter: Redis failures', () => {
  it('skips Redis after five calls without a response, and uses it again after it recovered', async () => {
    const link = await createFaultyProxy(inject('redisUrl'))
    const { api, given, logLines } = await startTestService({
      endpoints: served,
      environment: { ...limits, REDIS_URL: link.url },
    })
    const key = createTestKey()
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
    // While Redis fails, only the first call in each second tries to use it and waits 150 ms; the other calls do not
    // wait.
    expect(Math.min(...times)).toBeLessThan(140)

    link.releaseAnswers()
    await expect
      .poll(async () => {
        await api.get('/api/v1/ping-lite', { key: key.key })
        return logLines.join('')
      })
      .toContain('Redis works again')
  })

  it('keeps refusing calls after Redis lost its data, because each node also counts its own calls', async () => {
    const { api, given, environment } = await startTestService({ endpoints: served, environment: limits })
    const key = createTestKey()
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

describe('Rate limiter: several nodes without Redis', () => {
  it('divides the rate limit by the number of nodes', async () => {
    const { api, given } = await startTestService({
      endpoints: served,
      environment: { ...limits, REDIS_URL: '', NODE_COUNT: '2' },
    })
    const key = createTestKey()
    await given(account('free').withKey(key))
    const statuses = []
    for (let call = 0; call < 4; call += 1)
      statuses.push((await api.get('/api/v1/probe/etag', { key: key.key })).status)
    expect(statuses).toEqual([200, 200, 429, 429])
  })
})

describe.each(Object.entries(services))(
  'Rate limiter for the free plan, counting in %s (decision A11)',
  (_where, { api, given }) => {
    const LIMITED_PATH = '/api/v1/probe/etag'

    async function freeKey(): Promise<string> {
      const key = createTestKey()
      await given(account('free').withKey(key))
      return key.key
    }

    it('rate limiter admits exactly as many parallel calls as the limit and returns 429 for the others', async () => {
      const key = await freeKey()

      const answers = await Promise.all(Array.from({ length: 12 }, () => api.get(LIMITED_PATH, { key })))

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

    it('rate limiter counts all keys of an account together and other accounts separately', async () => {
      const [one, two] = [createTestKey(), createTestKey()]
      await given(account('free').withKey(one).withKey(two))
      for (let call = 0; call < 5; call += 1) await api.get(LIMITED_PATH, { key: one.key })
      expect((await api.get(LIMITED_PATH, { key: two.key })).status).toBe(429)
      expect((await api.get(LIMITED_PATH, { key: await freeKey() })).status).toBe(200)
    })
  },
)
