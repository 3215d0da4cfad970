// Who pays for a stream that takes too long: a client that reads slowly, or the service.
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createReadRateWatch } from '../../../src/api/large-answers/read-rate.ts'
import { type ReadPart, sendParts } from '../../../src/api/large-answers/send-parts.ts'

const MAX_MS = 1500
const readRate = createReadRateWatch({ minBytesPerSecond: 1, windowMs: 60_000 })

/** Returns how sending ends, and why the connection was closed. The client reads a block of data every `everyMs`. */
async function stream(read: ReadPart, everyMs: number) {
  const reasons: string[] = []
  const ended = Promise.withResolvers<string>()
  const server = createServer((_, response) => {
    response.writeHead(200)
    const onDisconnect = (reason: string) => void reasons.push(reason)
    sendParts(response, read, { isCompressed: false, reservation: undefined, readRate, onDisconnect }, MAX_MS).then(
      () => ended.resolve(response.writableEnded ? 'sent' : 'closed'),
      () => {
        ended.resolve('failed')
        response.destroy()
      },
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sent = request(`http://127.0.0.1:${port}/`)
    .on('error', () => {})
    .end()
  const [answer] = await once(sent, 'response')
  answer.on('error', () => {})
  answer.on('data', () => {
    answer.pause()
    setTimeout(() => answer.resume(), everyMs)
  })
  const end = await ended.promise
  sent.destroy()
  server.close()
  return { end, reasons }
}

it('closes the connection of a client that reads slowly for too long, as one that has paid', async () => {
  const part = 'x'.repeat(1024 * 1024)
  expect(await stream(async () => part, 50)).toEqual({ end: 'closed', reasons: ['deadline'] })
})

it('fails if the service is what takes so long', async () => {
  const read = () => sleep(MAX_MS / 5, 'x')
  expect(await stream(read, 0)).toEqual({ end: 'failed', reasons: [] })
})
