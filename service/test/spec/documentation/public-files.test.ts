import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { GUIDE } from '../../../src/documentation/guide/index.ts'
import { startTestService } from '../../support/service.ts'

const { api } = await startTestService()
const configured = await startTestService({
  environment: {
    SECURITY_CONTACT: 'mailto:security@example.org, https://example.org/report',
    PUBLIC_URL: 'https://vis.example.org',
  },
})

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const get = (path: string, accept?: string) =>
  api.get(path, { key: null, headers: accept === undefined ? {} : { Accept: accept } })

describe('GET /', () => {
  it('sends a browser to the guide', async () => {
    const { status, headers } = await get('/', BROWSER)
    expect([status, headers['location'], headers['vary']]).toEqual([302, '/docs/guide', 'Accept'])
  })

  it.each([undefined, '*/*', 'application/json', 'application/json, text/html;q=0', 'text/htmlx'])(
    'returns 404 as for an unknown path with the header Accept: %s',
    async (accept) => {
      const [root, unknown] = [await get('/', accept), await get('/no-such-path', accept)]
      const omitVolatile = (headers: typeof root.headers) => ({ ...headers, date: '', 'x-correlation-id': '' })
      expect([root.status, root.json.error]).toEqual([404, unknown.json.error])
      expect(omitVolatile(root.headers)).toEqual(omitVolatile(unknown.headers))
    },
  )

  it.each(['POST', 'OPTIONS', 'DELETE'])('returns 404 for %s, even from a browser', async (method) => {
    expect((await api.send(method, '/', { key: null, headers: { Accept: BROWSER } })).status).toBe(404)
  })
})

describe('GET /favicon.ico', () => {
  it('returns an icon of 16 by 16 pixels', async () => {
    const response = await fetch(`http://127.0.0.1:${api.port}/favicon.ico`)
    const icon = Buffer.from(await response.arrayBuffer())

    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/x-icon'])
    expect([icon.readUInt16LE(2), icon.readUInt16LE(4), icon[6], icon[7]]).toEqual([1, 1, 16, 16])
    const [bitmapBytes, begin] = [icon.readUInt32LE(14), icon.readUInt32LE(18)]
    expect(begin + bitmapBytes).toBe(icon.length)
    expect(bitmapBytes).toBe(40 + 16 * 16 * 4 + 16 * 4)
  })
})

const toWord = (name: string) => new RegExp(`\\b${name}\\b`)

describe('GET /llms.txt', () => {
  it('is at most 24 kB, which a model reads at little cost', async () => {
    expect(Buffer.byteLength((await get('/llms.txt')).text)).toBeLessThanOrEqual(24_000)
  })

  it("has a title, a summary, links to every guide page, and every call with its price and its parameters' names and values", async () => {
    const { status, headers, text } = await get('/llms.txt')

    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(text).toMatch(/^# Vulnerability Intelligence Service\n\n> Everything about a CVE in one call/)
    for (const { title, path, summary } of GUIDE) expect(text).toContain(`- [${title}](${path}): ${summary}`)
    expect(text).toContain('(/openapi.json)')
    const lines = text.split('\n')
    for (const { method, path, credits, access, parameters, body } of endpoints) {
      const call = lines.find((line) => line.startsWith(`- [${method} ${path}](/openapi.json#/paths/`)) ?? ''
      const price = credits === 0 ? 'free' : `${credits} ${credits === 1 ? 'credit' : 'credits'}`
      expect(call, path).toContain(`(${price}${access === 'public' ? ', no key' : ''}).`)
      for (const name of Object.keys({ ...parameters.query, ...body })) expect(call, path).toMatch(toWord(name))
      for (const name of Object.keys(parameters.query)) expect(text).toContain(`\n- ${name}: `)
    }
    expect(lines).toContain('- severity: list of critical, high, medium, low')
    expect(lines).toContain('- limit: 1 to 500')
    expect(text).not.toMatch(/undefined|\[object/)
  })

  it('has absolute links if PUBLIC_URL is set', async () => {
    const { text } = await configured.api.get('/llms.txt', { key: null })
    expect(text).toContain('- [Quickstart](https://vis.example.org/docs/guide): ')
    expect(text).not.toContain('](/')
  })
})

describe('GET /.well-known/security.txt (RFC 9116)', () => {
  const PATH = '/.well-known/security.txt'

  it('returns 404 without the setting SECURITY_CONTACT', async () => {
    expect((await get(PATH)).status).toBe(404)
  })

  it('names the contacts, the canonical address, and an expiry in less than a year', async () => {
    const { headers, text } = await configured.api.get(PATH, { key: null })

    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(text.split('\n')).toEqual([
      'Contact: mailto:security@example.org',
      'Contact: https://example.org/report',
      expect.stringMatching(/^Expires: \d{4}-\d\d-\d\dT00:00:00Z$/),
      'Canonical: https://vis.example.org/.well-known/security.txt',
      'Preferred-Languages: en',
      '',
    ])
    const days = (Date.parse(readExpiry(text)) - configured.clock.now().getTime()) / 86_400_000
    expect(days).toBeGreaterThan(179)
    expect(days).toBeLessThan(365)
  })

  it('extends the expiry every day, so that a process that runs for years serves a valid file', async () => {
    const before = readExpiry((await configured.api.get(PATH, { key: null })).text)
    configured.clock.advance({ days: 400 })
    const after = readExpiry((await configured.api.get(PATH, { key: null })).text)
    expect(Date.parse(after) - Date.parse(before)).toBe(400 * 86_400_000)
  })

  const readExpiry = (text: string) => /^Expires: (.*)$/m.exec(text)?.[1] ?? ''
})
