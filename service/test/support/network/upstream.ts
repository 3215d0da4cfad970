// A local HTTP server in the role of a feed's upstream. The server answers correctly or in the faulty ways of real
// upstream servers.
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { cleanUpAfterTests } from '../cleanup.ts'
import type { Certificate } from './certificate.ts'

export interface Upstream {
  /** Base URL of the server, without a slash at the end. */
  readonly url: string
  /** Host and port, as in the settings allowedHosts and privateHosts. */
  readonly host: string
  /** Sets the content or handler for a URL path. The path does not include the query. */
  serve(path: string, answer: Content | Handler): void
  /** Returns the requests that the server has received so far, for one path or for all paths. */
  requests(path?: string): readonly ReceivedRequest[]
  close(): void
}

interface ReceivedRequest {
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly at: Date
}

/** Body of an answer. An object is served as JSON. */
export type Content = string | Buffer | { readonly [member: string]: unknown }
export type Handler = (request: ReceivedRequest, response: ServerResponse) => unknown

interface UpstreamOptions {
  /** Certificate of an HTTPS server. Without a certificate, the server uses HTTP. */
  readonly certificate?: Certificate
  /** Address to listen on. Another loopback address (127.0.0.2) makes the server another host. */
  readonly address?: string
}

/** Starts a server that answers 404 for unknown paths. The server is closed after the last test of the file. */
export async function startUpstream(
  answers: Readonly<Record<string, Content | Handler>> = {},
  { certificate, address = '127.0.0.1' }: UpstreamOptions = {},
): Promise<Upstream> {
  const handlers = new Map(Object.entries(answers))
  const received: ReceivedRequest[] = []
  const listener: RequestListener = (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://upstream')
    const receivedRequest: ReceivedRequest = {
      path: pathname,
      query: searchParams,
      headers: request.headers,
      at: new Date(),
    }
    received.push(receivedRequest)
    const served = handlers.get(pathname) ?? behaviours.answers(404)
    return typeof served === 'function'
      ? served(receivedRequest, response)
      : behaviours.answers(200, served)(receivedRequest, response)
  }
  const server = certificate ? createSecureServer(certificate, listener) : createServer(listener)
  await new Promise<void>((resolve) => {
    server.listen(0, address, resolve)
  })
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  cleanUpAfterTests(close)
  const host = `${address}:${(server.address() as AddressInfo).port}`
  return {
    url: `${certificate ? 'https' : 'http'}://${host}`,
    host,
    serve: (path, answer) => void handlers.set(path, answer),
    requests: (path) => received.filter((each) => path === undefined || each.path === path),
    close,
  }
}

function toBytes(content: Content): Buffer {
  if (Buffer.isBuffer(content)) return content
  return Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
}

/** Request handlers that answer correctly or in a faulty way. `inTurn` combines several handlers. */
export const behaviours = {
  /** Sends a correct answer with a Content-Length. */
  answers:
    (status: number, content: Content = '', headers: Readonly<Record<string, string>> = {}): Handler =>
    (_request, response) => {
      const bytes = toBytes(content)
      response.writeHead(status, { 'content-length': bytes.length, ...headers }).end(bytes)
    },

  /**
   * Combines handlers: the first handler answers the first request, and so on; the last handler answers all further
   * requests.
   */
  inTurn: (...handlers: readonly (Content | Handler)[]): Handler => {
    let turn = 0
    return (request, response) => {
      const handler = handlers[Math.min(turn, handlers.length - 1)] ?? ''
      turn += 1
      return typeof handler === 'function'
        ? handler(request, response)
        : behaviours.answers(200, handler)(request, response)
    }
  },

  /** Answers 304 to a request with the given ETag in If-None-Match, and the content to every other request. */
  validates:
    (etag: string, content: Content): Handler =>
    (request, response) =>
      request.headers['if-none-match'] === etag
        ? response.writeHead(304, { etag }).end()
        : behaviours.answers(200, content, { etag })(request, response),

  redirects: (location: string, status = 302): Handler => behaviours.answers(status, 'moved', { location }),

  /**
   * Asks the client to slow down with the given status (429 or 503, or 403 as NVD does), with or without a Retry-After
   * header.
   */
  throttles: (status: number, retryAfter?: string): Handler =>
    behaviours.answers(status, 'slower', retryAfter === undefined ? {} : { 'retry-after': retryAfter }),

  sendsHtml: (type = 'text/html; charset=utf-8'): Handler =>
    behaviours.answers(200, '<!DOCTYPE html><html><body>Please enable cookies.</body></html>', {
      'content-type': type,
    }),

  /** Sends a Content-Length that differs from the length of the body, then closes the connection. */
  claimsLength:
    (length: number, content: Content): Handler =>
    (_request, response) => {
      const socket = response.socket
      socket?.write(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`)
      socket?.end(toBytes(content))
    },

  /** Sends a chunked answer without a Content-Length. */
  sendsChunks:
    (...contents: readonly Content[]): Handler =>
    (_request, response) => {
      for (const content of contents) response.write(toBytes(content))
      response.end()
    },

  /** Closes the connection in the middle of a chunked answer. */
  breaksOff:
    (content: Content): Handler =>
    (_request, response) => {
      response.write(toBytes(content), () => response.socket?.destroy())
    },

  /** Sends one piece of the body every `everyMs` milliseconds, without end. */
  drips:
    (piece: Content, everyMs: number): Handler =>
    (_request, response) => {
      response.write(toBytes(piece))
      const timer = setInterval(() => response.write(toBytes(piece)), everyMs)
      response.once('close', () => clearInterval(timer))
    },

  /** Sends pieces of the body as fast as the client reads, without end. */
  sendsWithoutEnd:
    (piece: Content): Handler =>
    (_request, response) => {
      const bytes = toBytes(piece)
      const more = () => {
        while (!response.destroyed && response.write(bytes));
      }
      response.on('drain', more)
      more()
    },

  /** Accepts the request and never answers. */
  hangs: (): Handler => () => {},

  /** Sends the beginning of an answer and nothing more. */
  fallsSilent:
    (content: Content): Handler =>
    (_request, response) =>
      response.write(toBytes(content)),

  /** Resets the TCP connection without an answer. */
  resets: (): Handler => (_request, response) => response.socket?.resetAndDestroy(),

  /** Sends bytes that are not an HTTP response. */
  sendsRaw:
    (bytes: string): Handler =>
    (_request, response) =>
      response.socket?.end(bytes),
}
