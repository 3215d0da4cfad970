import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConnectionClosedError, openCallWork } from '../../src/api/call-work.ts'

let server: Server
beforeAll(async () => {
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

/** Opens a connection and returns both ends. */
async function openConnection(): Promise<{ client: Socket; socket: Socket }> {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen')
  const accepted = once(server, 'connection')
  const client = connect(address.port, '127.0.0.1')
  const [socket] = (await accepted) as [Socket]
  return { client, socket }
}

describe('Work for a call', () => {
  it('is aborted when the client closes the connection, and is over only once the running step has settled', async () => {
    const { client, socket } = await openConnection()
    const work = openCallWork(socket)
    const part = Promise.withResolvers<string>()
    const running = work.run(() => part.promise)
    let hasEnded = false

    client.destroy()
    await expect(running).rejects.toThrow(ConnectionClosedError)
    work.whenEnded(() => {
      hasEnded = true
    })
    expect(work.signal.aborted).toBe(true)
    expect(hasEnded, 'the part still runs').toBe(false)
    part.resolve('late')
    await expect.poll(() => hasEnded).toBe(true)
  })

  it('is aborted with 503 when a step takes too long, and is over only once that step has failed', async () => {
    const { client, socket } = await openConnection()
    const work = openCallWork(socket)
    const part = Promise.withResolvers<string>()
    const ended = Promise.withResolvers<void>()

    await expect(work.run(() => part.promise, 5)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    work.whenEnded(ended.resolve)
    part.reject(new Error('cancelled'))
    await ended.promise
    client.destroy()
  })

  it('starts no further step after it was aborted', async () => {
    const { client, socket } = await openConnection()
    const work = openCallWork(socket)
    client.destroy()
    await once(socket, 'close')

    let hasBegun = false
    const begin = async () => {
      hasBegun = true
    }
    await expect(work.run(begin)).rejects.toThrow('The client closed the connection.')
    expect(hasBegun).toBe(false)
  })

  it('is over at once if nothing is running', async () => {
    const { client, socket } = await openConnection()
    const work = openCallWork(socket)
    expect(await work.run(async () => 'done', 1000)).toBe('done')
    let hasEnded = false
    await expect
      .poll(() => {
        work.whenEnded(() => {
          hasEnded = true
        })
        return hasEnded
      })
      .toBe(true)
    expect(socket.listenerCount('close'), 'the connection may serve many calls').toBeLessThan(3)
    client.destroy()
  })
})
