// Handles errors of Node's HTTP parser. A request that the parser rejects never reaches a handler, so the error
// response is written directly to the socket.
import { randomUUIDv7 } from 'node:crypto'
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { buildFailure } from '../contract/envelope.ts'
import { ApiError, ERRORS, invalidParameters, methodNotAllowed } from '../contract/errors.ts'
import { createIssue } from '../contract/validation-issue.ts'
import type { Clock } from '../domain/clock.ts'
import type { Log } from '../log.ts'

export const MAX_URL_BYTES = 8 * 1024
const LINGER_MS = 500

export const createCorrelationId = (): string => `req_${randomUUIDv7()}`

interface ParserError {
  readonly message: string
  readonly code?: string
  readonly rawPacket?: unknown
}

function toApiError(error: ParserError): ApiError {
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
      return malformedRequest(error.message)
  }
}

export function urlTooLong(): ApiError {
  return new ApiError('URI_TOO_LONG', `The URL may have at most ${MAX_URL_BYTES} bytes; use POST or fewer values.`)
}

export function malformedRequest(reason: string): ApiError {
  return invalidParameters([
    {
      ...createIssue('request', null, 'a well-formed HTTP/1.1 request'),
      message: `is not well-formed HTTP/1.1 (${reason})`,
    },
  ])
}

/**
 * Returns whether a request is too large because of its URL and not because of its headers; Node's parser limits only
 * the size of both together. `packet` is the last packet received. It contains the URL only if it starts with an HTTP
 * method.
 */
function hasLongUrl(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet) || !/^[A-Z-]+ /.test(packet.toString('latin1', 0, 20))) return false
  const lineEnd = packet.indexOf('\n')
  return (lineEnd === -1 ? packet.length : lineEnd) > MAX_URL_BYTES
}

/**
 * Handles requests that Node would answer by itself, or would not answer at all, before the service sees them: CONNECT
 * requests and requests with an unknown Expect header.
 */
export function handleSpecialRequests(server: Server, clock: Clock): void {
  server.prependListener('request', (request, response) => latestResponses.set(request.socket, response))
  // Without a `connect` listener, Node closes the connection of a CONNECT request without a response.
  server.on('connect', (_request, socket) =>
    writeError(socket, methodNotAllowed(['GET', 'HEAD', 'POST', 'OPTIONS']), clock()),
  )
  // A request with an unknown Expect header is handled as if it had no such header, as RFC 9110 allows. Node's default
  // is a 417 response.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** For each connection, the response to the last request that reached a handler. */
const latestResponses = new WeakMap<Duplex, ServerResponse>()

/**
 * Writes an error response to a request that Node's HTTP parser rejects, and returns its status. Returns undefined
 * without writing if the connection is broken, or if the client would take the error for the response to an earlier
 * request.
 */
export function rejectRequest(error: ParserError, socket: Socket, clock: Clock, log: Log): number | undefined {
  const earlier = latestResponses.get(socket)
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
  else if (!earlier || (earlier.req.complete && earlier.writableFinished)) return answerError(error, socket, clock, log)
  // An earlier request on the same connection has its own response. That response is completed first, then the
  // connection is closed without an error response.
  else if (earlier.req.complete || earlier.headersSent) closeAfter(earlier, socket)
  // The parser found the error in the body of a request that has not received a response yet, so the error response is
  // the response to this request.
  else return answerError(error, socket, clock, log)
  return undefined
}

function answerError(error: ParserError, socket: Socket, clock: Clock, log: Log): number {
  const apiError = toApiError(error)
  const id = writeError(socket, apiError, clock())
  log.info({ correlationId: id, reason: error.code }, 'HTTP parser rejected a request')
  return ERRORS[apiError.code].status
}

function closeAfter(earlier: ServerResponse, socket: Socket): void {
  if (earlier.writableFinished) socket.destroy()
  else earlier.once('close', () => socket.destroy()).once('finish', () => socket.end())
}

function writeError(socket: Duplex, error: ApiError, now: Date): string {
  const id = createCorrelationId()
  const body = buildFailure(error, { correlationId: id, now })
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
  // Gives a slow client 500 ms to read the error response, then closes the socket.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  return id
}
