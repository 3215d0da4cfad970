// Requests that a client sends before it has read earlier answers wait for them. That they hold no slot is tested in
// fair-share.test.ts.
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../support/builders.ts'
import { parameterProbe } from '../../support/probes.ts'
import { startTestService } from '../../support/service.ts'

const service = await startTestService({ endpoints: [parameterProbe] })
const key = createTestKey()
await service.given(account('pro').withKey(key))

describe('Pipelined requests', () => {
  it('are answered in order', async () => {
    const socket = connect(service.api.port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    const get = (limit: number) =>
      `GET /api/v1/probe/parameters?limit=${limit} HTTP/1.1\r\nHost: probe\r\nX-API-Key: ${key.key}\r\n\r\n`
    socket.write([3, 5, 7].map(get).join(''))
    const readLimits = () =>
      [
        ...Buffer.concat(chunks)
          .toString()
          .matchAll(/"limit":(\d)/g),
      ].map(([, limit]) => limit)

    await expect.poll(readLimits, { timeout: 10_000 }).toEqual(['3', '5', '7'])
    socket.destroy()
  })
})
