import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { probes } from '../../support/probes.ts'
import { startTestService } from '../../support/service.ts'

const { api, logLines } = await startTestService({
  endpoints: [...endpoints, ...probes],
  // Shorter than the query of the slow test endpoint.
  environment: { DATABASE_STATEMENT_TIMEOUT_MS: '2000' },
})

const LITE = '/api/v1/ping-lite'

describe('Protocol: response envelope', () => {
  it("logs each request once with the correlation id and the client's request id", async () => {
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
})

describe('Protocol: routes (decisions B4 and B12)', () => {
  it.each(['/api/v1/%', '/api/v1/%zz', '/%E0%A4%A', '/api/v1/probe/cve/%FF'])(
    'returns 404 for the path %s, which cannot be decoded',
    async (path) => {
      const { status, json } = await api.get(path)
      expect(status).toBe(404)
      expect(logLines.some((line) => line.includes(json.meta.correlationId))).toBe(true)
    },
  )

  it('applies the URL length limit to a path that cannot be decoded', async () => {
    expect((await api.get(`/%zz${'x'.repeat(9000)}`)).status).toBe(414)
  })
})

describe('Protocol: methods (decision B12)', () => {
  it('returns 204 for OPTIONS *', async () => {
    expect((await api.send('OPTIONS', '*', { key: null })).status).toBe(204)
  })
})

describe('Protocol: ETag (decision B13)', () => {
  const ETAG_PATH = '/api/v1/probe/etag'

  it('returns an empty 304 with ETag and correlation id when If-None-Match matches', async () => {
    const etag = (await api.get(ETAG_PATH)).headers['etag'] ?? ''
    for (const header of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
      const { status, raw, headers } = await api.get(ETAG_PATH, { headers: { 'If-None-Match': header } })
      expect([header, status, raw.length, headers['etag']]).toEqual([header, 304, 0, etag])
      expect(headers['x-correlation-id']).toMatch(/^req_/)
    }
  })
})

describe('Protocol: failures', () => {
  const fail = (how: string) => api.get(`/api/v1/probe/failure?how=${how}`)

  it('returns 500 without the cause of an internal error, and logs the cause with the correlation id', async () => {
    const { status, json, text } = await fail('bug')

    expect([status, json.error.code]).toEqual([500, 'INTERNAL_ERROR'])
    expect(text).not.toContain('internal detail')
    const line = logLines.find((each) => each.includes('internal detail'))
    expect(JSON.parse(line ?? '{}').correlationId).toBe(json.meta.correlationId)
  })

  it('returns 503 QUERY_TIMEOUT with Retry-After for a query that takes too long', async () => {
    const { status, json, headers } = await fail('slow-query')
    expect([status, json.error.code, headers['retry-after']]).toEqual([503, 'QUERY_TIMEOUT', '5'])
  })

  it('returns 500 for a query that fails', async () => {
    expect((await fail('locked-out')).status).toBe(500)
  })

  it('returns an error that an endpoint declares, with its code and message', async () => {
    expect((await fail('not-found')).json.error).toMatchObject({
      code: 'NOT_FOUND',
      message: 'The probe found no record.',
    })
  })
})
