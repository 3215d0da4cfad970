import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { defineEndpoint } from '../../../src/api/services.ts'
import { startTestService } from '../../support/service.ts'

const probe = {
  method: 'GET',
  tag: 'Service',
  summary: 'A test endpoint',
  description: 'Sets a header that Node refuses to send.',
  consumesRate: false,
  work: 'none',
  cacheControl: 'no-store',
  response: { name: 'InvalidHeaderProbe', schema: Type.Object({}) },
  errors: [],
  parameters: {},
  answer: async () => ({ data: {}, headers: { 'X-Blob-Status': 'two\nlines' } }),
} as const

const invalidHeaderProbes = [
  defineEndpoint({
    ...probe,
    name: 'invalid-header-probe',
    path: '/api/v1/probe/invalid-header',
    access: 'public',
    credits: 0,
  }),
  defineEndpoint({
    ...probe,
    name: 'priced-invalid-header-probe',
    path: '/api/v1/probe/priced-invalid-header',
    access: 'key',
    credits: 1,
  }),
]

const { api, logLines } = await startTestService({ endpoints: [...endpoints, ...invalidHeaderProbes] })

describe('API service, in cases that Fastify or Node would otherwise handle', () => {
  it('returns 500 in the envelope when an endpoint sets a header that Node rejects', async () => {
    const { status, json, headers } = await api.get('/api/v1/probe/invalid-header')

    expect([status, json.error.code, headers['x-blob-status']]).toEqual([500, 'INTERNAL_ERROR', undefined])
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(logLines.filter((line) => line.includes(`"${json.meta.correlationId}"`))).toHaveLength(2)
  })

  it('charges nothing for a response that could not be sent', async () => {
    const { status } = await api.get('/api/v1/probe/priced-invalid-header')

    expect(status).toBe(500)
    expect((await api.get('/api/v1/usage')).json.data.usage.credits_used).toBe(0)
  })

  it('logs a CONNECT request like every other request', async () => {
    const { json } = await api.send('GET', '/nothing', { headers: { 'X-Request-Id': 'first' } })
    await sendAndReset('CONNECT a:443 HTTP/1.1\r\nHost: a\r\nX-Request-Id: tunnel\r\n\r\n', 300)

    const read = (text: string) => JSON.parse(logLines.find((line) => line.includes(text)) ?? '{}')
    expect(read('tunnel')).toMatchObject({
      method: 'CONNECT',
      path: 'a:443',
      endpoint: 'none',
      status: 405,
      clientRequestId: 'tunnel',
    })
    expect(Object.keys(read('tunnel')).sort()).toEqual(Object.keys(read(json.meta.correlationId)).sort())
  })

  it('survives clients that reset the connection of a CONNECT request', async () => {
    const errors: unknown[] = []
    const collect = (error: unknown) => errors.push(error)
    process.on('uncaughtExceptionMonitor', collect)
    for (let n = 0; n < 20; n++) await sendAndReset('CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 0)
    await sleep(200)
    process.off('uncaughtExceptionMonitor', collect)

    expect(errors).toEqual([])
    expect((await api.get('/health')).status).toBe(200)
  })
})

async function sendAndReset(text: string, afterMs: number): Promise<void> {
  const socket = connect(api.port, '127.0.0.1')
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(text)
  if (afterMs > 0) await sleep(afterMs)
  socket.resetAndDestroy()
}
