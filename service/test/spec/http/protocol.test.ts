import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { probes } from '../../support/probes.ts'
import { testService } from '../../support/service.ts'

const { api, logLines } = await testService({ endpoints: [...endpoints, ...probes] })

const LITE = '/api/v1/ping-lite'
const BATCH = '/api/v1/probe/cve/batch'
const items = (header: string | undefined) => (header ?? '').split(',').map((each) => each.trim().toLowerCase())

describe('The envelope', () => {
  it('is { data, meta } on success and { error, meta } on failure', async () => {
    expect(Object.keys((await api.get(LITE)).json)).toEqual(['data', 'meta'])
    expect(Object.keys((await api.get('/nothing')).json)).toEqual(['error', 'meta'])
  })

  it('carries our own correlation id, a new one for every request (B15)', async () => {
    const answers = [
      await api.get(LITE),
      await api.get('/nothing'),
      await api.get(LITE, { headers: { 'X-Request-Id': 'mine', 'X-Correlation-Id': 'mine' } }),
    ]

    const ids = answers.map(({ json }) => json.meta.correlationId)
    expect(answers.map(({ headers }) => headers['x-correlation-id'])).toEqual(ids)
    expect(new Set(ids).size).toBe(3)
    for (const id of ids)
      expect(id).toMatch(/^req_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it("is logged once per request, with the client's own id beside ours", async () => {
    const { json } = await api
      .get(LITE, { headers: { 'X-Request-Id': 'ticket-7\u0001' } })
      .catch(() => api.get(LITE, { headers: { 'X-Request-Id': 'ticket-7' } }))

    const lines = logLines
      .map((line) => JSON.parse(line))
      .filter(({ correlationId }) => correlationId === json.meta.correlationId)
    expect(lines).toEqual([
      expect.objectContaining({ clientRequestId: 'ticket-7', endpoint: 'ping-lite', status: 200, method: 'GET' }),
    ])
  })

  it('never speaks of quota in headers (A10)', async () => {
    const { headers } = await api.get(LITE)
    expect(Object.keys(headers).filter((name) => name.startsWith('x-quota'))).toEqual([])
  })
})

describe('Routes (B4, B12)', () => {
  it.each([
    '/nothing',
    '/api/v1/nothing',
    '/api/v1',
    '/API/v1/ping',
    '/api/v1//ping',
    '/api/v1/ping%2F',
    '/api/v1/ping/x',
  ])('%s is 404 NOT_FOUND', async (path) => {
    const { status, json } = await api.get(path)
    expect([status, json.error.code]).toEqual([404, 'NOT_FOUND'])
  })

  it.each(['/api/v1/%', '/api/v1/%zz', '/%E0%A4%A', '/api/v1/probe/cve/%FF'])(
    '%s, which cannot be decoded, is 404',
    async (path) => {
      const { status, json } = await api.get(path)
      expect(status).toBe(404)
      expect(logLines.some((line) => line.includes(json.meta.correlationId))).toBe(true)
    },
  )

  it('that cannot be decoded are no way around the limits', async () => {
    expect((await api.get(`/%zz${'x'.repeat(9000)}`)).status).toBe(414)
  })

  it('that are unknown are 404 before the key is looked at (B2)', async () => {
    expect((await api.get('/api/v1/nothing', { key: null })).status).toBe(404)
  })

  it('answer with a trailing slash too', async () => {
    expect((await api.get(`${LITE}/`)).status).toBe(200)
    expect((await api.get('/health/')).status).toBe(200)
  })
})

describe('Methods (B12)', () => {
  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY', 'M-SEARCH'])(
    '%s on a GET endpoint is 405 with Allow, before the key is looked at',
    async (method) => {
      const { status, json, headers } = await api.send(method, LITE, { key: null })

      expect([status, json.error.code]).toEqual([405, 'METHOD_NOT_ALLOWED'])
      expect(items(headers['allow'])).toEqual(['get', 'head', 'options'])
    },
  )

  it('GET on a POST endpoint is 405, not taken for an id', async () => {
    const { status, headers } = await api.get(BATCH)
    expect([status, items(headers['allow'])]).toEqual([405, ['post', 'options']])
  })

  it('HEAD answers like GET, without a body', async () => {
    for (const path of [LITE, '/api/v1/ping', '/health', '/openapi.json', '/docs']) {
      const { status, raw, headers } = await api.send('HEAD', path)
      expect([path, status, raw.length]).toEqual([path, 200, 0])
      expect(Number(headers['content-length'])).toBeGreaterThan(0)
    }
  })

  it('HEAD fails like GET', async () => {
    expect((await api.send('HEAD', LITE, { key: null })).status).toBe(401)
    expect((await api.send('HEAD', `${LITE}?x=1`)).status).toBe(400)
    expect((await api.send('HEAD', '/nothing')).status).toBe(404)
  })

  it('OPTIONS * asks about the server as a whole', async () => {
    expect((await api.send('OPTIONS', '*', { key: null })).status).toBe(204)
  })

  it('OPTIONS is 204 without a key', async () => {
    for (const path of [LITE, BATCH, '/health', '/openapi.json']) {
      const { status, raw } = await api.send('OPTIONS', path, { key: null })
      expect([path, status, raw.length]).toEqual([path, 204, 0])
    }
  })
})

describe('Compression (B14)', () => {
  it.each([
    ['gzip', true],
    ['br, gzip', true],
    ['gzip;q=0.5, br;q=1.0', true],
    ['*', true],
    ['deflate, gzip;q=0.1', true],
    ['GZIP', true],
    ['gzip;q=0', false],
    ['gzip; q=0', false],
    ['identity', false],
    ['gzip;q=0.000, *;q=0', false],
    ['*;q=0', false],
    ['', false],
    [undefined, false],
  ])('Accept-Encoding %j: gzip %s, also for a tiny answer and for an error', async (header, wanted) => {
    for (const path of [LITE, '/nothing']) {
      const { headers, json } = await api.get(path, {
        headers: header === undefined ? {} : { 'Accept-Encoding': header },
      })
      expect(headers['content-encoding']).toBe(wanted ? 'gzip' : undefined)
      expect(items(headers['vary'])).toContain('accept-encoding')
      expect(json.meta.version).toBe('v1')
    }
  })
})

describe('ETag (B13)', () => {
  const PAINT = '/api/v1/probe/etag'

  it('is weak, and depends on the content of data alone', async () => {
    const [first, second, other] = [
      await api.get(PAINT),
      await api.get(PAINT, { headers: { 'Accept-Encoding': 'gzip' } }),
      await api.get(`${PAINT}?colour=blue`),
    ]

    expect(first.headers['etag']).toMatch(/^W\/"[^"]+"$/)
    expect(second.headers['etag']).toBe(first.headers['etag'])
    expect(other.headers['etag']).not.toBe(first.headers['etag'])
    expect(first.headers['cache-control']).toBe('private, max-age=60')
  })

  it('met by If-None-Match is 304, empty, with ETag and correlation id', async () => {
    const etag = (await api.get(PAINT)).headers['etag'] ?? ''
    for (const header of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
      const { status, raw, headers } = await api.get(PAINT, { headers: { 'If-None-Match': header } })
      expect([header, status, raw.length, headers['etag']]).toEqual([header, 304, 0, etag])
      expect(headers['x-correlation-id']).toMatch(/^req_/)
    }
  })

  it('missed by If-None-Match is 200', async () => {
    expect((await api.get(PAINT, { headers: { 'If-None-Match': 'W/"nothing"' } })).status).toBe(200)
  })

  it('is not on errors, which are never stored', async () => {
    const { headers } = await api.get(`${PAINT}?colour=${'x'.repeat(21)}`)
    expect([headers['etag'], headers['cache-control']]).toEqual([undefined, 'no-store'])
  })
})

describe('Failures', () => {
  const fail = (how: string) => api.get(`/api/v1/probe/failure?how=${how}`)

  it('of ours are 500 without a word about the cause, which is logged with the correlation id', async () => {
    const { status, json, text } = await fail('bug')

    expect([status, json.error.code]).toEqual([500, 'INTERNAL_ERROR'])
    expect(text).not.toContain('secret of the house')
    const line = logLines.find((each) => each.includes('secret of the house'))
    expect(JSON.parse(line ?? '{}').correlationId).toBe(json.meta.correlationId)
  })

  it('of a query that takes too long are 503 QUERY_TIMEOUT with Retry-After', async () => {
    const { status, json, headers } = await fail('slow-query')
    expect([status, json.error.code, headers['retry-after']]).toEqual([503, 'QUERY_TIMEOUT', '5'])
  })

  it('of a faulty query are 500', async () => {
    expect((await fail('locked-out')).status).toBe(500)
  })

  it('that an endpoint declares are answered as they are', async () => {
    expect((await fail('not-found')).json.error).toMatchObject({ code: 'NOT_FOUND', message: 'There is nothing here.' })
  })
})
