import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClient, createSessionClient } from '../src/index.ts'

const ORIGIN = 'https://vis.example.org'
const requests: { url: string; init: RequestInit }[] = []

/** Records each request instead of sending it, because Node has no cookies. */
const fetch = ((url: URL, init: RequestInit) => {
  requests.push({ url: url.href, init })
  return Promise.resolve(Response.json({ data: {} }))
}) as typeof globalThis.fetch

beforeEach(() => vi.stubGlobal('location', { origin: ORIGIN }))
afterEach(() => {
  vi.unstubAllGlobals()
  requests.length = 0
})

describe('createSessionClient', () => {
  it("sends the page's cookies and no API key, below the path of the URL", async () => {
    await createSessionClient({ url: `${ORIGIN}/console`, fetch }).ping()

    const [request] = requests
    expect(request?.url).toBe(`${ORIGIN}/console/api/v1/ping`)
    expect(request?.init).toMatchObject({ credentials: 'same-origin', redirect: 'error' })
    expect(Object.keys(request?.init.headers ?? {})).toEqual(['Accept'])
  })

  it('sends no cookies to /health, which needs no sign-in', async () => {
    await createSessionClient({ url: ORIGIN, fetch }).health()

    expect(requests[0]?.init.credentials).toBe('omit')
  })

  it.each(['https://other.example.org', 'http://vis.example.org', 'https://vis.example.org:8443'])(
    'refuses %s, which is not the origin of the page',
    (url) => {
      expect(() => createSessionClient({ url, fetch })).toThrow(TypeError)
    },
  )

  it('refuses to work outside a browser', () => {
    vi.stubGlobal('location', undefined)

    expect(() => createSessionClient({ url: ORIGIN, fetch })).toThrow('works only in a browser')
  })

  it('does not change clients with a key: they never send cookies', async () => {
    await createClient({ url: ORIGIN, apiKey: 'key', fetch }).ping()

    expect(requests[0]?.init).toMatchObject({ credentials: 'omit', headers: { 'X-API-Key': 'key' } })
  })
})
