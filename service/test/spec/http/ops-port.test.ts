import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { createOpsServer } from '../../../src/runtime/ops-server.ts'
import { testService } from '../../support/service.ts'

const { api, metrics } = await testService()
let isReady = true
const ops = createOpsServer(metrics, () => isReady)
await new Promise<void>((resolve) => {
  ops.listen(0, '127.0.0.1', resolve)
})
afterAll(() => {
  ops.closeAllConnections()
  ops.close()
})
const ask = async (path: string) => {
  const response = await fetch(`http://127.0.0.1:${(ops.address() as AddressInfo).port}${path}`)
  return { status: response.status, text: await response.text() }
}

describe("The operators' port", () => {
  it('counts requests by endpoint and status', async () => {
    await api.get('/api/v1/ping-lite')
    await api.get('/api/v1/ping-lite', { key: null })

    const { text } = await ask('/metrics')

    expect(text).toMatch(/vis_http_request_duration_seconds_count\{endpoint="ping-lite",status="200"\} 1/)
    expect(text).toMatch(/vis_http_request_duration_seconds_count\{endpoint="ping-lite",status="401"\} 1/)
    expect(text).toContain('nodejs_eventloop_lag_seconds')
  })

  it('does not grow with what callers invent (A-27)', async () => {
    const series = async () => (await ask('/metrics')).text.split('\n').filter((line) => line.startsWith('vis_')).length
    await api.get('/invented')
    const before = await series()
    for (let index = 0; index < 50; index += 1) await api.get(`/invented/${index}?${index}`)
    expect(await series()).toBe(before)
  })

  it('says whether the balancer may send traffic, and that the process lives', async () => {
    expect(await ask('/ready')).toEqual({ status: 200, text: 'ready\n' })
    isReady = false
    expect(await ask('/ready')).toEqual({ status: 503, text: 'draining\n' })
    expect((await ask('/live')).status).toBe(200)
  })

  it('is not the public one', async () => {
    for (const path of ['/metrics', '/ready', '/live']) expect((await api.get(path)).status).toBe(404)
  })
})
