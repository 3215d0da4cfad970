import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../support/builders.ts'
import { startTestService } from '../../support/service.ts'

const { api, given } = await startTestService({ environment: { PUBLIC_URL: 'https://vis.example.org/some/path' } })

const LITE = '/api/v1/ping-lite'
const ALLOW = 'access-control-allow-origin'
const from = (Origin: string) => ({ headers: { Origin } })
const own = `http://127.0.0.1:${api.port}`

describe('CORS: browser origins (decision A13)', () => {
  it.each([own, 'https://vis.example.org'])("allows requests from the service's own origin %s", async (origin) => {
    const { status, headers } = await api.get(LITE, from(origin))

    expect([status, headers[ALLOW]]).toEqual([200, origin])
    expect(headers['vary']).toContain('Origin')
    expect(headers['access-control-expose-headers']).toContain('X-Correlation-Id')
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  })

  it.each([
    'https://evil.example',
    'null',
    'http://vis.example.org',
    'https://vis.example.org:8443',
    'https://vis.example.org/',
    'https://vis.example.org.evil.example',
    '',
  ])('returns 403 FORBIDDEN without CORS headers for the foreign origin %j', async (origin) => {
    const { status, json, headers } = await api.get(LITE, from(origin))
    expect([status, json.error.code, headers[ALLOW]]).toEqual([403, 'FORBIDDEN', undefined])
  })

  it('ignores X-Forwarded headers when it compares origins', async () => {
    const claimed = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https', Origin: 'https://evil.example' }
    expect((await api.get(LITE, { headers: claimed })).status).toBe(403)
  })

  it("includes the free plan's rate limit headers in a 403 (decision A11)", async () => {
    const key = createTestKey()
    await given(account('free').withKey(key))
    const { status, headers } = await api.get(LITE, { key: key.key, ...from('https://evil.example') })
    expect([status, headers['x-rate-limit-remaining']]).toEqual([403, '60'])
  })
})

describe('CORS: preflight requests (decisions A13 and B12)', () => {
  const preflight = (path: string, origin: string) =>
    api.send('OPTIONS', path, { key: null, headers: { Origin: origin, 'Access-Control-Request-Method': 'GET' } })

  it('allows every origin on public paths', async () => {
    for (const path of ['/health', '/openapi.json', '/docs']) {
      expect((await preflight(path, 'https://anyone.example')).headers[ALLOW]).toBe('*')
    }
  })
})
