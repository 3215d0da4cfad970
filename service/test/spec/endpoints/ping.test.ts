import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createFaultyProxy } from '../../support/network/faulty-proxy.ts'
import { startTestService } from '../../support/service.ts'

const { api, clock, database } = await startTestService()
const withoutCatalog = await startTestService({
  environment: { DATABASE_READ_URL: 'postgres://postgres@127.0.0.1:1/nothing' },
})

describe('GET /api/v1/ping', () => {
  it('uses the injected clock for the timestamps of a response', async () => {
    clock.advance({ days: 1 })

    const { json } = await api.get('/api/v1/ping')

    expect(json.data.timestamp).toBe('2026-08-23T00:00:00Z')
    expect(json.meta).toMatchObject({ timestamp: '2026-08-23T00:00:00Z', version: 'v1' })
  })

  it('shares one database query among concurrent requests', async () => {
    const proxy = await createFaultyProxy(database.url)
    const slow = await startTestService({ environment: { DATABASE_URL: database.url, DATABASE_READ_URL: proxy.url } })
    await slow.api.get('/api/v1/ping')
    const release = proxy.holdAnswersTo('vis-checks')
    const pings = Promise.all(Array.from({ length: 20 }, () => slow.api.get('/api/v1/ping')))
    // The time is long enough for all requests to reach the node. The first request's query has not been answered yet.
    await sleep(300)
    const metrics = await slow.metrics.text()
    release()

    expect(metrics).toContain('vis_database_connections{pool="checks",state="waiting"} 0')
    expect((await pings).filter(({ json }) => !json.data.database.connected)).toEqual([])
  })

  it('returns 200 with status degraded when the catalog database is unreachable', async () => {
    const { status, json } = await withoutCatalog.api.get('/api/v1/ping')

    expect(status).toBe(200)
    expect(json.data).toMatchObject({ status: 'degraded', database: { connected: false } })
  })
})

describe('GET /api/v1/ping-lite', () => {
  it('does not query the catalog database', async () => {
    expect((await withoutCatalog.api.get('/api/v1/ping-lite')).json.data.status).toBe('ok')
  })
})
