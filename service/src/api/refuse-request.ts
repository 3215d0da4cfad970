// Answers requests that never reach a handler: those that Node's HTTP parser rejects, and CONNECT. Each response is
// written to the socket after the responses to all earlier requests on the connection.
import { randomUUIDv7 } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { buildFailure } from '../contract/response/envelope.ts'
import { type ApiError, ERRORS, methodNotAllowed } from '../contract/response/errors.ts'
import type { Clock } from '../domain/clock.ts'
import { type ParserError, translateParserError } from './parser-errors.ts'
import { failBody } from './read-body.ts'
import { type AnsweredRequest, formatPath, type RecordRequest, truncateRequestId } from './request-log.ts'

const LINGER_MS = 500

export const CORRELATION_ID_PREFIX = 'req_'

export const createCorrelationId = (): string => CORRELATION_ID_PREFIX + randomUUIDv7()

interface Refusals {
  /** Handles an error from Node's HTTP parser or a timeout. */
  rejectRequest(error: ParserError, socket: Socket): void
  /** Watches the server's requests and answers CONNECT. */
  watch(server: Server): void
}

export function createRefusals(clock: Clock, record: RecordRequest): Refusals {
  /** The response to the last request that reached a handler. */
  const latestResponses = new WeakMap<Duplex, ServerResponse>()
  /** The parser reports the same error again for all following bytes. */
  const rejected = new WeakSet<Duplex>()

  const refuse = (socket: Duplex, error: ApiError, described: DescribedRequest) => {
    const answer = () => {
      // The last response may have closed the connection.
      if (!socket.writable) return
      const correlationId = createCorrelationId()
      writeError(socket, error, { correlationId, now: clock() })
      record({ ...described, correlationId, endpoint: 'none', status: ERRORS[error.code].status, ms: 0 })
    }
    const latest = latestResponses.get(socket)
    if (!latest || latest.writableFinished) answer()
    else latest.once('finish', answer)
  }

  return {
    rejectRequest: (error, socket) => {
      if (rejected.has(socket)) return
      rejected.add(socket)
      const latest = latestResponses.get(socket)
      if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
      // The error is in the body of a request that has reached a handler, whose response will be the only one.
      else if (latest && !latest.req.complete) endAfterResponse(latest, socket, translateParserError(error))
      else refuse(socket, translateParserError(error), { reason: error.code })
    },
    watch: (server) => {
      // Node emits exactly one of these events for each request, in the order of the requests.
      for (const event of ['request', 'checkContinue', 'checkExpectation'] as const)
        server.prependListener(event, (request, response) => latestResponses.set(request.socket, response))
      // Without this listener, Node closes the connection without a response.
      server.on('connect', (request, socket) => {
        handleConnectSocket(socket, latestResponses.get(socket), server.timeout)
        refuse(socket, methodNotAllowed(['GET', 'HEAD', 'POST', 'OPTIONS']), describeRequest(request))
      })
    },
  }
}

type DescribedRequest = Pick<AnsweredRequest, 'method' | 'path' | 'clientRequestId' | 'reason'>

function describeRequest({ method = '', url = '', headers }: IncomingMessage): DescribedRequest {
  return { method, path: formatPath(url), clientRequestId: truncateRequestId(headers['x-request-id']) }
}

/** If the handler reads the body, it responds with the error. */
function endAfterResponse(response: ServerResponse, socket: Socket, error: ApiError): void {
  failBody(response.req, error)
  if (!response.headersSent) response.shouldKeepAlive = false
  const end = () => {
    destroyLater(socket)
    socket.end()
  }
  if (response.writableFinished) end()
  else response.once('finish', end)
}

/** Node removes its own handlers from the socket of a CONNECT request. */
function handleConnectSocket(socket: Duplex, latest: ServerResponse | undefined, timeoutMs: number): void {
  // Without a listener, an error would end the process.
  socket.on('error', () => socket.destroy())
  socket.on('drain', () => latest?.socket && latest.emit('drain'))
  // Closing a socket with unread bytes would discard the response.
  socket.resume()
  if (!(socket instanceof Socket)) return
  socket.setTimeout(timeoutMs, () => {
    // As elsewhere, a response with a timeout handler keeps the connection open until the response has been sent.
    const isKept = latest !== undefined && !latest.writableFinished && latest.emit('timeout', socket)
    if (!isKept) socket.destroy()
  })
}

function writeError(socket: Duplex, error: ApiError, stamp: { correlationId: string; now: Date }): void {
  const body = buildFailure(error, stamp)
  const { status } = ERRORS[error.code]
  const headers = {
    ...error.extras.headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    // Uses the system time, like Node's own responses; the service's clock may be set to another time.
    Date: new Date().toUTCString(),
    'Cache-Control': 'no-store',
    'X-Correlation-Id': stamp.correlationId,
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept-Encoding, Origin',
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  destroyLater(socket)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}

function destroyLater(socket: Duplex): void {
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
