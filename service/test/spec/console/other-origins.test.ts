import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../support/builders.ts'
import { SESSION_PATH, signIn } from '../../support/console.ts'
import { startTestService } from '../../support/service.ts'

const { api, given } = await startTestService({
  environment: { CONSOLE_KEY_SIGN_IN: 'on', PUBLIC_URL: 'http://vis.example.org' },
})
const key = createTestKey()
await given(account('pro').withKey(key).withOrigins('https://partner.example'))
const { cookie } = await signIn(api, key.key)

const JSON_TYPE = { 'Content-Type': 'application/json' }
const OWN = `http://127.0.0.1:${api.port}`

/** Every request of the console that is not a GET. */
const CHANGES = [
  ['POST', SESSION_PATH],
  ['DELETE', SESSION_PATH],
  ['DELETE', '/console/api/sessions'],
  ['POST', '/console/api/v1/cve/batch'],
  ['POST', '/console/api/sign-in/link'],
  ['POST', '/console/api/sign-in/token'],
  ['POST', '/console/api/sign-in/token/description'],
  ['PUT', SESSION_PATH],
  ['PATCH', '/console/api/v1/cves'],
  ['DELETE', '/console/api/v1/cves'],
] as const

const FOREIGN = [
  ['another site by Sec-Fetch-Site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['another host of the same site', { 'Sec-Fetch-Site': 'same-site' }],
  ['an address typed by a person', { 'Sec-Fetch-Site': 'none' }],
  ['another origin', { Origin: 'https://evil.example' }],
  ['another port of this host', { Origin: 'http://127.0.0.1:1' }],
  ['an origin that may call the API with a key', { Origin: 'https://partner.example' }],
  ['the origin null', { Origin: 'null' }],
  ['an own origin that Sec-Fetch-Site contradicts', { Origin: OWN, 'Sec-Fetch-Site': 'cross-site' }],
  ['neither header', {}],
] as const

describe('A change through the console', () => {
  it.each(CHANGES.flatMap(([method, path]) => FOREIGN.map(([name, headers]) => ({ method, path, name, headers }))))(
    'with $method $path is refused from $name',
    async ({ method, path, headers }) => {
      const answer = await api.send(method, path, {
        key: null,
        headers: { Cookie: cookie, ...JSON_TYPE, ...headers },
        body: '{}',
      })

      expect(answer.status).toBe(403)
      expect(answer.json.error.code).toBe('FORBIDDEN')
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
      expect(answer.headers['set-cookie']).toBeUndefined()
    },
  )

  it.each([undefined, 'text/plain', 'application/x-www-form-urlencoded', 'application/json, text/plain', 'text/json'])(
    'is refused with the content type %s, which a form could send',
    async (type) => {
      const { status } = await api.send('POST', SESSION_PATH, {
        key: null,
        headers: { 'Sec-Fetch-Site': 'same-origin', ...(type === undefined ? {} : { 'Content-Type': type }) },
        body: JSON.stringify({ api_key: key.key }),
      })

      expect(status).toBe(403)
    },
  )

  it.each([
    ['Sec-Fetch-Site: same-origin', { 'Sec-Fetch-Site': 'same-origin' }],
    ['the origin of the request', { Origin: OWN }],
    ['the origin in PUBLIC_URL', { Origin: 'http://vis.example.org' }],
  ])('is accepted with %s', async (_name, headers) => {
    const { status } = await api.send('POST', SESSION_PATH, {
      key: null,
      headers: { ...JSON_TYPE, ...headers },
      body: JSON.stringify({ api_key: key.key }),
    })

    expect(status).toBe(201)
  })

  it('leaves the session valid when it is refused', async () => {
    const { status } = await api.get('/console/api/v1/ping', { key: null, headers: { Cookie: cookie } })

    expect(status).toBe(200)
  })
})

describe('A read through the console', () => {
  it.each(['cross-site', 'same-site'])('is refused from a page with Sec-Fetch-Site: %s', async (site) => {
    for (const path of [SESSION_PATH, '/console/api/v1/ping']) {
      const { status } = await api.get(path, { key: null, headers: { Cookie: cookie, 'Sec-Fetch-Site': site } })
      expect(status).toBe(403)
    }
  })

  it.each([SESSION_PATH, '/console/api/v1/ping', '/console/', '/console/api/sessions'])(
    'has no CORS headers: %s',
    async (path) => {
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await api.send(method, path, {
          key: null,
          headers: { Cookie: cookie, Origin: 'https://partner.example', 'Access-Control-Request-Method': 'POST' },
        })
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
      }
    },
  )

  it('varies by cookie and is kept from pages on other origins', async () => {
    const { headers } = await api.get('/console/api/v1/ping', { key: null, headers: { Cookie: cookie } })

    expect(headers['vary']).toBe('Accept-Encoding, Cookie')
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
  })

  it("answers OPTIONS with the path's methods", async () => {
    const { status, headers } = await api.send('OPTIONS', SESSION_PATH, { key: null })

    expect(status).toBe(204)
    expect(headers['allow']).toBe('GET, POST, DELETE, HEAD, OPTIONS')
  })

  it('answers HEAD without a body', async () => {
    const { status, raw } = await api.send('HEAD', SESSION_PATH, { key: null, headers: { Cookie: cookie } })

    expect(status).toBe(200)
    expect(raw.length).toBe(0)
  })

  it('answers 405 for another method and lists the allowed ones', async () => {
    const { status, headers } = await api.send('PUT', SESSION_PATH, {
      key: null,
      headers: { ...JSON_TYPE, 'Sec-Fetch-Site': 'same-origin' },
    })

    expect(status).toBe(405)
    expect(headers['allow']).toBe('GET, POST, DELETE, HEAD, OPTIONS')
  })
})
