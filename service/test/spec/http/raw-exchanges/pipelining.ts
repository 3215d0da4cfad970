// Several requests on one connection, in one write or in several.
import {
  closes,
  get,
  head,
  keepsOpen,
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
  keepsOpen('two requests in one write', get(LITE) + get('/health'), '200', '200'),
  {
    name: 'ten requests in one write',
    steps: [get(LITE).repeat(10)],
    responses: Array.from({ length: 10 }, () => '200'),
    connection: 'open',
  },
  keepsOpen(
    'requests with different results in one write',
    get('/nothing') + KEYLESS + get(`${LITE}?x=1`) + get(LITE),
    NOT_FOUND,
    '401 UNAUTHORIZED',
    MALFORMED,
    '200',
  ),
  keepsOpen('a slow request before a fast one', get(SLOW) + get(LITE), '200', '200'),
  keepsOpen(
    'a request after a body that no handler reads',
    post(LITE, 'x'.repeat(1000)) + get(LITE),
    NOT_ALLOWED,
    '200',
  ),
  keepsOpen(
    'a GET request with a body that looks like a request',
    get(LITE, `Content-Length: ${KEYLESS.length}`) + KEYLESS,
    '200',
  ),
  keepsOpen('HEAD between two GET requests', get(LITE) + head('/health') + get(LITE), '200', '200', '200'),
  keepsOpen(
    'a request that arrives byte by byte',
    ['G', 'E', 'T', ' ', '/', 'health HTTP/1.1\r', '\n', 'Host: a\r\n\r', '\n'],
    '200',
  ),
  keepsOpen(
    'one and a half requests, then the other half',
    [get(LITE) + get('/health').slice(0, 30), get('/health').slice(30)],
    '200',
    '200',
  ),
  keepsOpen('empty lines between two requests', `${get(LITE)}\r\n\r\n${get(LITE)}`, '200', '200'),
  closes('malformed data after a valid request in the same write', `${get(LITE)}GARBAGE\r\n\r\n`, '200', MALFORMED),
  closes(
    'malformed data after an answered request',
    [get(LITE), { untilResponses: 1 }, 'GARBAGE\r\n\r\n'],
    '200',
    MALFORMED,
  ),
  closes(
    'malformed data after a slow request, and more data after it',
    [`${get(SLOW)}GARBAGE\r\n\r\n`, get(LITE), get(LITE)],
    '200',
    MALFORMED,
  ),
  closes('a CONNECT request after a slow request', get(SLOW) + request('CONNECT a:443 HTTP/1.1'), '200', NOT_ALLOWED),
  closes('a request with Connection: close', get(LITE, 'Connection: close'), '200'),
  closes('a request after one with Connection: close', get(LITE, 'Connection: close') + get(LITE), '200'),
  keepsOpen('a request with Connection: keep-alive', get(LITE, 'Connection: keep-alive'), '200'),
]
