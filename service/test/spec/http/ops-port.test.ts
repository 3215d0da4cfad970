import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { createOpsServer } from '../../../src/runtime/ops-server.ts'
import { startTestService } from '../../support/service.ts'

const { api, metrics } = await startTestService()
let isReady = true
let state = 'ready'
const ops = createOpsServer(
  metrics,
  () => isReady,
  () => state,
)
await new Promise<void>((resolve) => {
  ops.listen(0, '127.0.0.1', resolve)
})
afterAll(() => {
  ops.closeAllConnections()
  ops.close()
})
const fetchOps = async (path: string) => {
  const response = await fetch(`http://127.0.0.1:${(ops.address() as AddressInfo).port}${path}`)
  return { status: response.status, text: await response.text() }
}

describe('Operations port', () => {
  it('names the progress of a first load at /ready, with 200', async () => {
    state = 'ready, loading: 1 of 2 feeds have run'
    expect(await fetchOps('/ready')).toEqual({ status: 200, text: 'ready, loading: 1 of 2 feeds have run\n' })
    state = 'ready'
    expect(await fetchOps('/ready')).toEqual({ status: 200, text: 'ready\n' })
  })

  it('exports request counts by endpoint and status', async () => {
    await api.get('/api/v1/ping-lite')
    await api.get('/api/v1/ping-lite', { key: null })

    const { text } = await fetchOps('/metrics')

    expect(text).toMatch(/vis_http_request_duration_seconds_count\{endpoint="ping-lite",status="200"\} 1/)
    expect(text).toMatch(/vis_http_request_duration_seconds_count\{endpoint="ping-lite",status="401"\} 1/)
    expect(text).toContain('nodejs_eventloop_lag_seconds')
  })

  it('adds no metric series for requests to unknown paths (threat T-27)', async () => {
    const series = async () =>
      (await fetchOps('/metrics')).text.split('\n').filter((line) => line.startsWith('vis_')).length
    await api.get('/invented')
    const before = await series()
    for (let index = 0; index < 50; index += 1) await api.get(`/invented/${index}?${index}`)
    expect(await series()).toBe(before)
  })

  it('reports readiness on /ready and liveness on /live', async () => {
    expect(await fetchOps('/ready')).toEqual({ status: 200, text: 'ready\n' })
    isReady = false
    expect(await fetchOps('/ready')).toEqual({ status: 503, text: 'draining\n' })
    expect((await fetchOps('/live')).status).toBe(200)
  })

  it('does not serve /metrics, /ready and /live on the public port', async () => {
    for (const path of ['/metrics', '/ready', '/live']) expect((await api.get(path)).status).toBe(404)
  })
})
