// A client that sends one byte a second, or none, and never hangs up by itself.
import { connect, type Socket } from 'node:net'
import { bodyProbe } from '../../support/probes.ts'
import { type WireAnswer, wholeAnswers } from './http-answers.ts'

export const SLOW_KINDS = ['header', 'body', 'silent', 'body of a GET', 'header of a second request'] as const
export type SlowKind = (typeof SLOW_KINDS)[number]

export interface SlowTarget {
  readonly port: number
  readonly key: string
}

export interface SlowEnd {
  readonly kind: SlowKind
  /** `undefined`: it was still open when the test gave up. */
  readonly closedAfterMs: number | undefined
  readonly answers: readonly WireAnswer[]
}

const BYTE_EVERY_MS = 1000
const GIVE_UP_AFTER_MS = 25_000

/** Resolves when the server has closed it, or the test gives up. The socket stays open on this side. */
export function openSlowSocket(kind: SlowKind, target: SlowTarget): Promise<SlowEnd> {
  // Half-open on purpose: the server's goodbye is not returned, so only a server that insists is rid of this socket.
  const socket = connect({ host: '127.0.0.1', port: target.port, allowHalfOpen: true })
  socket.setEncoding('latin1')
  return new Promise((resolve, reject) => {
    let received = ''
    let openedAt: number | undefined
    socket.on('data', (chunk: string) => {
      received += chunk
    })
    const finish = (closedAfterMs: number | undefined) =>
      resolve({ kind, closedAfterMs, answers: wholeAnswers(received) })
    const close = (error?: Error) => {
      if (openedAt === undefined) reject(error ?? new Error('a socket was closed before it was open'))
      else finish(performance.now() - openedAt)
    }
    socket.once('connect', () => {
      openedAt = performance.now()
      trickle(socket, opening(kind, target))
      setTimeout(finish, GIVE_UP_AFTER_MS, undefined).unref()
    })
    socket.once('end', close)
    socket.on('error', close)
    socket.once('close', () => close())
  })
}

function trickle(socket: Socket, start: string): void {
  if (start === '') return
  socket.write(start)
  const timer = setInterval(() => socket.write('a'), BYTE_EVERY_MS)
  socket.once('error', () => clearInterval(timer))
  socket.once('close', () => clearInterval(timer))
}

/** What is sent at once; the slow bytes continue it. */
function opening(kind: SlowKind, { key }: SlowTarget): string {
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
