import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { callWhenSent } from '../../src/api/call-when-sent.ts'

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

it('calls the function for a pipelined response if its connection closes before the response is sent', async () => {
  let called = 0
  let received = 0
  const bothReceived = Promise.withResolvers<void>()
  // The first request is never answered, so the second response cannot be sent.
  const server = createServer((_request, response) => {
    received += 1
    callWhenSent(response, () => {
      called += 1
    })
    if (received === 2) {
      response.end('second')
      bothReceived.resolve()
    }
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  const client = connect({ port: typeof address === 'object' && address ? address.port : 0, host: '127.0.0.1' })

  client.write(REQUEST + REQUEST)
  await bothReceived.promise
  expect(called).toBe(0)
  client.destroy()

  await expect.poll(() => called).toBe(2)
})
