// Opens connections at a high rate and ends them in all the ways in which clients should not.
import { connect, type Socket } from 'node:net'
import { pace } from './keep-alive-sockets.ts'

const STORM_KINDS = [
  'reset at once',
  'reset in the middle of a request',
  'reset before the answer',
  'closed in the middle of a request',
  'left open in the middle of a request',
  'left open without a request',
] as const
type StormKind = (typeof STORM_KINDS)[number]

export interface StormTask {
  readonly kind: 'storm'
  readonly port: number
  readonly key: string
  readonly connections: number
  readonly openedPerSecond: number
  /** Time for which the client process keeps the connections that it leaves open after it has reported its result. */
  readonly leftOpenMs: number
}

export interface StormResult {
  readonly connected: number
}

const CONNECT_TIMEOUT_MS = 60_000

export async function runStorm(task: StormTask): Promise<StormResult> {
  const attempts: Promise<boolean>[] = []
  await pace(task.connections, task.openedPerSecond, () => {
    const kind = STORM_KINDS[attempts.length % STORM_KINDS.length] ?? 'reset at once'
    attempts.push(openAndMisbehave(kind, task))
  })
  return { connected: (await Promise.all(attempts)).filter(Boolean).length }
}

/** Resolves with whether the connection was opened. */
function openAndMisbehave(kind: StormKind, { port, key }: StormTask): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port, timeout: CONNECT_TIMEOUT_MS, allowHalfOpen: true })
  return new Promise((resolve) => {
    socket.on('error', () => resolve(false))
    socket.once('timeout', () => socket.destroy(new Error('The node accepts no connections.')))
    socket.once('connect', () => {
      socket.removeAllListeners('timeout').setTimeout(0)
      resolve(true)
      misbehave(kind, socket, key)
    })
    socket.resume()
  })
}

function misbehave(kind: StormKind, socket: Socket, key: string): void {
  const request = `GET /api/v1/ping HTTP/1.1\r\nHost: storm.test\r\nX-API-Key: ${key}\r\n`
  switch (kind) {
    case 'reset at once':
      socket.resetAndDestroy()
      return
    case 'reset in the middle of a request':
      socket.write(request, () => setTimeout(() => socket.resetAndDestroy(), 5))
      return
    case 'reset before the answer':
      socket.write(`${request}\r\n`, () => socket.resetAndDestroy())
      return
    case 'closed in the middle of a request':
      socket.end(request)
      return
    case 'left open in the middle of a request':
      socket.write(request)
      return
    case 'left open without a request':
  }
}
