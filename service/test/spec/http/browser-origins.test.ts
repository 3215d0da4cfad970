import { describe, expect, it } from 'vitest'
import { account, aKey } from '../../support/builders.ts'
import { testService } from '../../support/service.ts'

const { api, given } = await testService({ environment: { PUBLIC_URL: 'https://vis.example.org/some/path' } })

const LITE = '/api/v1/ping-lite'
const ALLOW = 'access-control-allow-origin'
const from = (Origin: string) => ({ headers: { Origin } })
const own = `http://127.0.0.1:${api.port}`

describe('A browser origin (A13)', () => {
  it.each([own, 'https://vis.example.org'])('of our own (%s) passes, and the answer can be read', async (origin) => {
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
  ])('that is foreign (%j) is 403 FORBIDDEN without allow header', async (origin) => {
    const { status, json, headers } = await api.get(LITE, from(origin))
    expect([status, json.error.code, headers[ALLOW]]).toEqual([403, 'FORBIDDEN', undefined])
  })

  it('of our own is not what a caller claims in X-Forwarded headers', async () => {
    const claimed = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https', Origin: 'https://evil.example' }
    expect((await api.get(LITE, { headers: claimed })).status).toBe(403)
  })

  it('that is foreign still shows a free plan its window (A11)', async () => {
    const key = aKey()
    await given(account('free').withKey(key))
    const { status, headers } = await api.get(LITE, { key: key.key, ...from('https://evil.example') })
    expect([status, headers['x-rate-limit-remaining']]).toEqual([403, '60'])
  })

  it('is judged after the key and before parameters (B2)', async () => {
    expect((await api.get(`${LITE}?x=1`, from('https://evil.example'))).status).toBe(403)
    expect((await api.get(LITE, { key: 'abc', ...from('https://evil.example') })).status).toBe(401)
  })

  it('of our own can read errors too', async () => {
    expect((await api.get(`${LITE}?x=1`, from(own))).headers[ALLOW]).toBe(own)
    expect((await api.get(LITE, { key: null, ...from(own) })).headers[ALLOW]).toBe(own)
    expect((await api.get(LITE, { key: null, ...from('https://evil.example') })).headers[ALLOW]).toBeUndefined()
  })
})

describe('A preflight (A13, B12)', () => {
  const preflight = (path: string, origin: string) =>
    api.send('OPTIONS', path, { key: null, headers: { Origin: origin, 'Access-Control-Request-Method': 'GET' } })

  it('from our own origin is allowed without a key', async () => {
    const { status, headers } = await preflight(LITE, own)

    expect([status, headers[ALLOW]]).toEqual([204, own])
    expect(headers['access-control-allow-methods']).toBe('GET, HEAD, POST')
    expect(headers['access-control-allow-headers']).toBe('X-API-Key, Content-Type, If-None-Match, X-Request-Id')
    expect(headers['access-control-max-age']).toBe('600')
    expect(headers['vary']).toContain('Origin')
  })

  it('from an unknown origin is 204 without the allow header', async () => {
    const { status, headers } = await preflight(LITE, 'https://evil.example')
    expect([status, headers[ALLOW], headers['access-control-allow-methods']]).toEqual([204, undefined, undefined])
  })

  it('of public paths is allowed to everyone', async () => {
    for (const path of ['/health', '/openapi.json', '/docs']) {
      expect((await preflight(path, 'https://anyone.example')).headers[ALLOW]).toBe('*')
    }
  })
})

describe("An account's own origins (A13)", () => {
  const CONSOLE = 'https://console.example'
  const key = aKey().key

  it('are allowed, on answers and on errors', async () => {
    const { own, other } = await twoAccounts()
    expect((await api.get(LITE, { key: own, ...from(CONSOLE) })).headers[ALLOW]).toBe(CONSOLE)
    expect((await api.get(`${LITE}?x=1`, { key: own, ...from(CONSOLE) })).headers[ALLOW]).toBe(CONSOLE)
    const foreign = await api.get(LITE, { key: other, ...from(CONSOLE) })
    expect([foreign.status, foreign.headers[ALLOW]]).toEqual([403, undefined])
  })

  it('are not allowed to anything nearly equal', async () => {
    const { own } = await twoAccounts()
    for (const origin of [
      'http://console.example',
      `${CONSOLE}:8443`,
      `${CONSOLE}/`,
      `${CONSOLE}.evil.example`,
      'https://CONSOLE.example',
      'null',
    ]) {
      expect([origin, (await api.get(LITE, { key: own, ...from(origin) })).status]).toEqual([origin, 403])
    }
  })

  it('pass a preflight, whichever account lists them', async () => {
    await twoAccounts()
    const { status, headers } = await api.send('OPTIONS', LITE, { key: null, headers: { Origin: CONSOLE } })
    expect([status, headers[ALLOW]]).toEqual([204, CONSOLE])
  })

  it('can read a 401, whichever account lists them, and only they', async () => {
    await twoAccounts()
    expect((await api.get(LITE, { key, ...from(CONSOLE) })).headers[ALLOW]).toBe(CONSOLE)
    expect((await api.get(LITE, { key, ...from('https://nobody.example') })).headers[ALLOW]).toBeUndefined()
  })

  async function twoAccounts() {
    const [own, other] = [aKey(), aKey()]
    await given(account('pro').withKey(own).withOrigins(CONSOLE), account('pro').withKey(other))
    return { own: own.key, other: other.key }
  }
})
