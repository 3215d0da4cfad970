// Builds the raw requests of the exchanges. KEY stands for a valid API key, which the test inserts.
import type { Step } from '../../../support/network/raw-exchange.ts'

/** One connection: what the client writes, and exactly what the service must send. */
export interface RawExchange {
  readonly name: string
  readonly steps: readonly Step[]
  /** Status of each response in order; errors with their code, such as `400 INVALID_PARAMETER`. */
  readonly responses: readonly string[]
  /** Whether the service keeps the connection open for the next request, or closes it. */
  readonly connection: 'open' | 'closed'
}

const toExchange =
  (connection: RawExchange['connection']) =>
  (name: string, sent: Step | readonly Step[], ...responses: readonly string[]): RawExchange => ({
    name,
    steps: [sent].flat(),
    responses,
    connection,
  })

/** An exchange after which the service keeps the connection open for the next request. */
export const keepsOpen = toExchange('open')
/** An exchange after which the service closes the connection. */
export const closes = toExchange('closed')

export const KEY = '{KEY}'
export const LITE = '/api/v1/ping-lite'
export const BATCH = '/api/v1/cve/batch'
/** Path of a test endpoint that answers after 150 ms. */
export const SLOW = '/api/v1/price/0?after_ms=150'
export const IDS = '{"cve_ids":["CVE-2021-44228"]}'
export const MALFORMED = '400 INVALID_PARAMETER'
export const UNAUTHORIZED = '401 UNAUTHORIZED'
export const NOT_FOUND = '404 NOT_FOUND'
export const NOT_ALLOWED = '405 METHOD_NOT_ALLOWED'

const WITH_KEY = `X-API-Key: ${KEY}`

/** Builds a request from lines. The first line is the request line; a Host header follows it. */
export const request = (line: string, headers: readonly string[] = [], body = '') =>
  `${[line, 'Host: a', ...headers].join('\r\n')}\r\n\r\n${body}`

export const get = (path: string, ...headers: readonly string[]) =>
  request(`GET ${path} HTTP/1.1`, [WITH_KEY, ...headers])

export const head = (path: string, ...headers: readonly string[]) =>
  request(`HEAD ${path} HTTP/1.1`, [WITH_KEY, ...headers])

/** Builds a POST request with a correct Content-Length header. */
export const post = (path: string, body: string, ...headers: readonly string[]) =>
  request(`POST ${path} HTTP/1.1`, [WITH_KEY, ...headers, `Content-Length: ${body.length}`], body)

export const postWithoutKey = (path: string, body: string, ...headers: readonly string[]) =>
  request(`POST ${path} HTTP/1.1`, [...headers, `Content-Length: ${body.length}`], body)

/** Builds a POST request with a chunked body. `body` includes the chunk sizes. */
export const postChunked = (path: string, body: string, ...headers: readonly string[]) =>
  request(`POST ${path} HTTP/1.1`, [WITH_KEY, ...headers, 'Transfer-Encoding: chunked'], body)

export const chunk = (text: string, extension = '') => `${text.length.toString(16)}${extension}\r\n${text}\r\n`
export const LAST_CHUNK = '0\r\n\r\n'
