// What Node's HTTP parser refuses never reaches a handler: the same { error, meta } form, written to the bare socket.
import { randomUUIDv7 } from 'node:crypto'
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { failure } from '../contract/envelope.ts'
import { ApiError, ERRORS, invalidParameters, methodNotAllowed } from '../contract/errors.ts'
import { fault } from '../contract/validation-issue.ts'
import type { Clock } from '../domain/clock.ts'
import type { Log } from '../log.ts'

export const MAX_URL_BYTES = 8 * 1024
const LINGER_MS = 500

export const correlationId = (): string => `req_${randomUUIDv7()}`

interface ParserError {
  readonly message: string
  readonly code?: string
  readonly rawPacket?: unknown
}

function refusalOf(error: ParserError): ApiError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return hasLongUrl(error.rawPacket)
        ? urlTooLong()
        : new ApiError('HEADERS_TOO_LARGE', 'The headers may have at most 16 KiB.')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ApiError('PAYLOAD_TOO_LARGE', 'The chunk extensions of the body are too large; send none.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError(
        'REQUEST_TIMEOUT',
        'The request did not arrive in time: headers within 10 s, the whole of it within 15 s.',
      )
    default:
      return notHttp(error.message)
  }
}

export function urlTooLong(): ApiError {
  return new ApiError('URI_TOO_LONG', `The URL may have at most ${MAX_URL_BYTES} bytes; use POST or fewer values.`)
}

export function notHttp(reason: string): ApiError {
  return invalidParameters([
    { ...fault('request', null, 'a well-formed HTTP/1.1 request'), message: `is not well-formed HTTP/1.1 (${reason})` },
  ])
}

/**
 * The parser counts the URL among the headers; only the first line tells which of the two was too large. The error brings
 * the last packet, which holds the first line only if it begins like a request.
 */
function hasLongUrl(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet) || !/^[A-Z-]+ /.test(packet.toString('latin1', 0, 20))) return false
  const lineEnd = packet.indexOf('\n')
  return (lineEnd === -1 ? packet.length : lineEnd) > MAX_URL_BYTES
}

/** Requests that Node would answer by itself, or not at all. */
export function answerOddRequests(server: Server, clock: Clock): void {
  server.prependListener('request', (request, response) => latest.set(request.socket, response))
  // Without a listener, CONNECT is hung up on in silence.
  server.on('connect', (_request, socket) =>
    write(socket, methodNotAllowed(['GET', 'HEAD', 'POST', 'OPTIONS']), clock()),
  )
  // RFC 9110 lets a server ignore expectations that it does not know.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** The last request of each connection that reached a handler. */
const latest = new WeakMap<Duplex, ServerResponse>()

/** Returns the status that was written, if one was: a second answer would be taken for that of the next request. */
export function refuse(error: ParserError, socket: Socket, clock: Clock, log: Log): number | undefined {
  const earlier = latest.get(socket)
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
  else if (!earlier || (earlier.req.complete && earlier.writableFinished)) return answer(error, socket, clock, log)
  // Of the request before this one the answer is still under way: it is delivered, then the connection closes.
  else if (earlier.req.complete || earlier.headersSent) closeAfter(earlier, socket)
  // The fault is in the body of a request that nobody has answered yet.
  else return answer(error, socket, clock, log)
  return undefined
}

function answer(error: ParserError, socket: Socket, clock: Clock, log: Log): number {
  const refusal = refusalOf(error)
  const id = write(socket, refusal, clock())
  log.info({ correlationId: id, reason: error.code }, 'the HTTP parser refused a request')
  return ERRORS[refusal.code].status
}

function closeAfter(earlier: ServerResponse, socket: Socket): void {
  if (earlier.writableFinished) socket.destroy()
  else earlier.once('close', () => socket.destroy()).once('finish', () => socket.end())
}

function write(socket: Duplex, error: ApiError, now: Date): string {
  const id = correlationId()
  const body = failure(error, { correlationId: id, now })
  const { status } = ERRORS[error.code]
  const headers = {
    ...error.extras.headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Correlation-Id': id,
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept-Encoding, Origin',
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  // The answer may still be on its way when the client stalls: it gets a moment, then the socket goes.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  return id
}
