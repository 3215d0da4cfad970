import { describe, expect, it } from 'vitest'
import { testService } from '../../support/service.ts'

const { api, clock } = await testService()
const withoutCatalog = await testService({
  environment: { DATABASE_READ_URL: 'postgres://postgres@127.0.0.1:1/nothing' },
})

describe('GET /api/v1/ping', () => {
  it('has status, timestamp and the database block', async () => {
    const { status, json } = await api.get('/api/v1/ping')

    expect(status).toBe(200)
    expect(json.data).toMatchObject({ status: 'ok', timestamp: '2026-08-22T00:00:00Z', database: { connected: true } })
    expect(json.data.database.latency_ms).toBeGreaterThan(0)
  })

  it('takes the time of the response from the clock it was given', async () => {
    clock.advance({ days: 1 })

    const { json } = await api.get('/api/v1/ping')

    expect(json.data.timestamp).toBe('2026-08-23T00:00:00Z')
    expect(json.meta).toMatchObject({ timestamp: '2026-08-23T00:00:00Z', version: 'v1' })
  })

  it('is degraded, not an error, when the catalog is out of reach', async () => {
    const { status, json } = await withoutCatalog.api.get('/api/v1/ping')

    expect(status).toBe(200)
    expect(json.data).toMatchObject({ status: 'degraded', database: { connected: false } })
  })
})

describe('GET /api/v1/ping-lite', () => {
  it('has status and timestamp and no database block', async () => {
    const { json } = await api.get('/api/v1/ping-lite')
    expect(Object.keys(json.data)).toEqual(['status', 'timestamp'])
  })

  it('asks nothing of the catalog', async () => {
    expect((await withoutCatalog.api.get('/api/v1/ping-lite')).json.data.status).toBe('ok')
  })
})

describe.each(['/api/v1/ping', '/api/v1/ping-lite'])('%s', (path) => {
  it('is never stored by caches', async () => {
    const { headers } = await api.get(path)
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['etag']).toBeUndefined()
  })

  it('takes no parameters (B6)', async () => {
    const { status, json } = await api.get(`${path}?deep=true`)
    expect(status).toBe(400)
    expect(json.error).toMatchObject({ parameter: 'deep', value: 'true' })
  })
})
