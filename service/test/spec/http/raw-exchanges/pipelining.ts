// Several requests on one connection, in one write or in several.
import {
  get,
  head,
  LITE,
  MALFORMED,
  NOT_ALLOWED,
  NOT_FOUND,
  post,
  type RawExchange,
  request,
  SLOW,
} from './requests.ts'

const KEYLESS = request(`GET ${LITE} HTTP/1.1`)

export const PIPELINING: readonly RawExchange[] = [
  {
    name: 'two requests in one write',
    steps: [get(LITE) + get('/health')],
    responses: ['200', '200'],
    connection: 'open',
  },
  {
    name: 'ten requests in one write',
    steps: [get(LITE).repeat(10)],
    responses: Array.from({ length: 10 }, () => '200'),
    connection: 'open',
  },
  {
    name: 'requests with different results in one write',
    steps: [get('/nothing') + KEYLESS + get(`${LITE}?x=1`) + get(LITE)],
    responses: [NOT_FOUND, '401 UNAUTHORIZED', MALFORMED, '200'],
    connection: 'open',
  },
  {
    name: 'a slow request before a fast one',
    steps: [get(SLOW) + get(LITE)],
    responses: ['200', '200'],
    connection: 'open',
  },
  {
    name: 'a request after a body that no handler reads',
    steps: [post(LITE, 'x'.repeat(1000)) + get(LITE)],
    responses: [NOT_ALLOWED, '200'],
    connection: 'open',
  },
  {
    name: 'a GET request with a body that looks like a request',
    steps: [get(LITE, `Content-Length: ${KEYLESS.length}`) + KEYLESS],
    responses: ['200'],
    connection: 'open',
  },
  {
    name: 'HEAD between two GET requests',
    steps: [get(LITE) + head('/health') + get(LITE)],
    responses: ['200', '200', '200'],
    connection: 'open',
  },
  {
    name: 'a request that arrives byte by byte',
    steps: ['G', 'E', 'T', ' ', '/', 'health HTTP/1.1\r', '\n', 'Host: a\r\n\r', '\n'],
    responses: ['200'],
    connection: 'open',
  },
  {
    name: 'one and a half requests, then the other half',
    steps: [get(LITE) + get('/health').slice(0, 30), get('/health').slice(30)],
    responses: ['200', '200'],
    connection: 'open',
  },
  {
    name: 'empty lines between two requests',
    steps: [`${get(LITE)}\r\n\r\n${get(LITE)}`],
    responses: ['200', '200'],
    connection: 'open',
  },
  {
    name: 'malformed data after a valid request in the same write',
    steps: [`${get(LITE)}GARBAGE\r\n\r\n`],
    responses: ['200', MALFORMED],
    connection: 'closed',
  },
  {
    name: 'malformed data after an answered request',
    steps: [get(LITE), { untilResponses: 1 }, 'GARBAGE\r\n\r\n'],
    responses: ['200', MALFORMED],
    connection: 'closed',
  },
  {
    name: 'malformed data after a slow request, and more data after it',
    steps: [`${get(SLOW)}GARBAGE\r\n\r\n`, get(LITE), get(LITE)],
    responses: ['200', MALFORMED],
    connection: 'closed',
  },
  {
    name: 'a CONNECT request after a slow request',
    steps: [get(SLOW) + request('CONNECT a:443 HTTP/1.1')],
    responses: ['200', NOT_ALLOWED],
    connection: 'closed',
  },
  {
    name: 'a request with Connection: close',
    steps: [get(LITE, 'Connection: close')],
    responses: ['200'],
    connection: 'closed',
  },
  {
    name: 'a request after one with Connection: close',
    steps: [get(LITE, 'Connection: close') + get(LITE)],
    responses: ['200'],
    connection: 'closed',
  },
  {
    name: 'a request with Connection: keep-alive',
    steps: [get(LITE, 'Connection: keep-alive')],
    responses: ['200'],
    connection: 'open',
  },
]
