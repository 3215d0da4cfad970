// A server of ours that plays the upstream of a feed: a good one, or one with the bad manners that real ones have.
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { atEnd } from '../cleanup.ts'
import type { Certificate } from './certificate.ts'

export interface Upstream {
  /** Without a slash at the end. */
  readonly url: string
  /** As allowedHosts and privateHosts want it: with the port. */
  readonly host: string
  /** From now on this path is answered so. A query is not part of the path. */
  serve(path: string, how: Content | Handler): void
  /** What was asked so far, of this path or at all: how often, when, and with which headers. */
  requests(path?: string): readonly Seen[]
  close(): void
}

interface Seen {
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly at: Date
}

/** An object is served as JSON. */
export type Content = string | Buffer | { readonly [member: string]: unknown }
export type Handler = (request: Seen, response: ServerResponse) => unknown

interface Options {
  /** With it the server speaks https. */
  readonly certificate?: Certificate
  /** Where it listens; another one of the loopback makes it another host. */
  readonly address?: string
}

/** Answers 404 to what it was not told to serve. Closed with the tests of the file, whatever still hangs on it. */
export async function startUpstream(
  served: Readonly<Record<string, Content | Handler>> = {},
  { certificate, address = '127.0.0.1' }: Options = {},
): Promise<Upstream> {
  const handlers = new Map(Object.entries(served))
  const seen: Seen[] = []
  const answer: RequestListener = (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://upstream')
    const entry: Seen = { path: pathname, query: searchParams, headers: request.headers, at: new Date() }
    seen.push(entry)
    const how = handlers.get(pathname) ?? manners.answers(404)
    return typeof how === 'function' ? how(entry, response) : manners.answers(200, how)(entry, response)
  }
  const server = certificate ? createSecureServer(certificate, answer) : createServer(answer)
  await new Promise<void>((resolve) => {
    server.listen(0, address, resolve)
  })
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  atEnd(close)
  const host = `${address}:${(server.address() as AddressInfo).port}`
  return {
    url: `${certificate ? 'https' : 'http'}://${host}`,
    host,
    serve: (path, how) => void handlers.set(path, how),
    requests: (path) => seen.filter((each) => path === undefined || each.path === path),
    close,
  }
}

function bytesOf(content: Content): Buffer {
  if (Buffer.isBuffer(content)) return content
  return Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
}

/** Ways to answer. Each can be combined with others by `inTurn`. */
export const manners = {
  /** Properly: with the length of the content. */
  answers:
    (status: number, content: Content = '', headers: Readonly<Record<string, string>> = {}): Handler =>
    (_request, response) => {
      const bytes = bytesOf(content)
      response.writeHead(status, { 'content-length': bytes.length, ...headers }).end(bytes)
    },

  /** The first request in the first way, and so on; the last way for all that follow. */
  inTurn: (...ways: readonly (Content | Handler)[]): Handler => {
    let turn = 0
    return (request, response) => {
      const way = ways[Math.min(turn, ways.length - 1)] ?? ''
      turn += 1
      return typeof way === 'function' ? way(request, response) : manners.answers(200, way)(request, response)
    }
  },

  /** 304 to whoever shows this validator, the content to everybody else. */
  validates:
    (etag: string, content: Content): Handler =>
    (request, response) =>
      request.headers['if-none-match'] === etag
        ? response.writeHead(304, { etag }).end()
        : manners.answers(200, content, { etag })(request, response),

  redirects: (location: string, status = 302): Handler => manners.answers(status, 'moved', { location }),

  /** 429, 503, or 403 as NVD does; with or without Retry-After. */
  throttles: (status: number, retryAfter?: string): Handler =>
    manners.answers(status, 'slower', retryAfter === undefined ? {} : { 'retry-after': retryAfter }),

  sendsHtml: (type = 'text/html; charset=utf-8'): Handler =>
    manners.answers(200, '<!DOCTYPE html><html><body>Please enable cookies.</body></html>', { 'content-type': type }),

  /** Announces more or less than it sends, then closes. */
  claimsLength:
    (length: number, content: Content): Handler =>
    (_request, response) => {
      const socket = response.socket
      socket?.write(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`)
      socket?.end(bytesOf(content))
    },

  /** Chunks, so nobody knows the length beforehand. */
  sendsChunks:
    (...contents: readonly Content[]): Handler =>
    (_request, response) => {
      for (const content of contents) response.write(bytesOf(content))
      response.end()
    },

  /** Breaks off, in the middle of a chunked answer. */
  breaksOff:
    (content: Content): Handler =>
    (_request, response) => {
      response.write(bytesOf(content), () => response.socket?.destroy())
    },

  /** A piece now and then, without end. */
  drips:
    (piece: Content, everyMs: number): Handler =>
    (_request, response) => {
      response.write(bytesOf(piece))
      const timer = setInterval(() => response.write(bytesOf(piece)), everyMs)
      response.once('close', () => clearInterval(timer))
    },

  /** As fast as it is read, without end. */
  sendsWithoutEnd:
    (piece: Content): Handler =>
    (_request, response) => {
      const bytes = bytesOf(piece)
      const more = () => {
        while (!response.destroyed && response.write(bytes));
      }
      response.on('drain', more)
      more()
    },

  /** Takes the request, and says nothing. */
  hangs: (): Handler => () => {},

  /** The beginning of an answer, then nothing. */
  fallsSilent:
    (content: Content): Handler =>
    (_request, response) =>
      response.write(bytesOf(content)),

  /** Cuts the connection without a word. */
  resets: (): Handler => (_request, response) => response.socket?.resetAndDestroy(),

  /** Whatever bytes, in place of HTTP. */
  sendsRaw:
    (bytes: string): Handler =>
    (_request, response) =>
      response.socket?.end(bytes),
}
