// A client that sends one byte a second, or none, and never closes its connection.
import { connect, type Socket } from 'node:net'
import { bodyProbe } from '../../support/probes.ts'
import { parseAnswers, type WireAnswer } from './http-answers.ts'

export const SLOW_KINDS = ['header', 'body', 'silent', 'body of a GET', 'header of a second request'] as const
export type SlowKind = (typeof SLOW_KINDS)[number]

export interface SlowTarget {
  readonly port: number
  readonly key: string
}

export interface SlowEnd {
  readonly kind: SlowKind
  /** Age of the connection when the server closed it; undefined if it was still open after 25 s. */
  readonly closedAfterMs: number | undefined
  readonly answers: readonly WireAnswer[]
}

const BYTE_INTERVAL_MS = 1000
const TIMEOUT_MS = 25_000

/**
 * Resolves when the server has closed the connection, or after 25 s. The client never closes its own side of the
 * connection.
 */
export function openSlowSocket(kind: SlowKind, target: SlowTarget): Promise<SlowEnd> {
  // Half-open: the client does not answer the server's FIN, so the server must destroy the socket itself.
  const socket = connect({ host: '127.0.0.1', port: target.port, allowHalfOpen: true })
  socket.setEncoding('latin1')
  return new Promise((resolve, reject) => {
    let received = ''
    let openedAt: number | undefined
    socket.on('data', (chunk: string) => {
      received += chunk
    })
    const finish = (closedAfterMs: number | undefined) =>
      resolve({ kind, closedAfterMs, answers: parseAnswers(received) })
    const close = (error?: Error) => {
      if (openedAt === undefined) reject(error ?? new Error('The connection was closed before it was open.'))
      else finish(performance.now() - openedAt)
    }
    socket.once('connect', () => {
      openedAt = performance.now()
      sendSlowly(socket, buildFirstBytes(kind, target))
      setTimeout(finish, TIMEOUT_MS, undefined).unref()
    })
    socket.once('end', close)
    socket.on('error', close)
    socket.once('close', () => close())
  })
}

function sendSlowly(socket: Socket, start: string): void {
  if (start === '') return
  socket.write(start)
  const timer = setInterval(() => socket.write('a'), BYTE_INTERVAL_MS)
  socket.once('error', () => clearInterval(timer))
  socket.once('close', () => clearInterval(timer))
}

/** Returns the first bytes of a slow request, which are sent at once. The remaining bytes follow slowly. */
function buildFirstBytes(kind: SlowKind, { key }: SlowTarget): string {
  const get = 'GET /api/v1/ping-lite HTTP/1.1\r\n'
  const headers = `Host: slow.test\r\nX-API-Key: ${key}\r\n`
  const body = 'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n'
  switch (kind) {
    case 'header':
      return get
    case 'body':
      return `POST ${bodyProbe.path} HTTP/1.1\r\n${headers}${body}`
    case 'silent':
      return ''
    case 'body of a GET':
      return `${get}${headers}${body}`
    case 'header of a second request':
      return `${get}${headers}\r\n${get}`
  }
}
