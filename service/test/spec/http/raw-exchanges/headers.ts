// Headers: their syntax, their number and size, Host, and requests to change the protocol.
import {
  BATCH,
  closes,
  get,
  head,
  IDS,
  KEY,
  keepsOpen,
  LITE,
  MALFORMED,
  NOT_ALLOWED,
  post,
  type RawExchange,
  request,
} from './requests.ts'

const TOO_LARGE = '431 HEADERS_TOO_LARGE'

export const HEADERS: readonly RawExchange[] = [
  keepsOpen('a request without a Host header', 'GET /health HTTP/1.1\r\n\r\n', MALFORMED),
  keepsOpen('two Host headers', request('GET /health HTTP/1.1', ['Host: b']), MALFORMED),
  keepsOpen('an empty Host header', 'GET /health HTTP/1.1\r\nHost:\r\n\r\n', '200'),
  keepsOpen(
    'a key as Host and Origin',
    `GET ${LITE} HTTP/1.1\r\nHost: ${KEY}\r\nOrigin: http://${KEY}\r\n\r\n`,
    '401 UNAUTHORIZED',
  ),
  keepsOpen('two API keys', get(LITE, `X-API-Key: ${KEY}`), '401 UNAUTHORIZED'),
  keepsOpen(
    'a key as X-Request-Id, Referer and cookie',
    get(LITE, `X-Request-Id: ${KEY}`, `Referer: http://a/?k=${KEY}`, `Cookie: k=${KEY}`),
    '200',
  ),
  closes('bare line feeds', 'GET /health HTTP/1.1\nHost: a\n\n', MALFORMED),
  closes('a bare carriage return in a header', get(LITE, 'X-A: b\rX-B: c'), MALFORMED),
  closes('a folded header', get(LITE, 'X-A: b', ' c'), MALFORMED),
  closes('a folded first header', 'GET /health HTTP/1.1\r\n Host: a\r\n\r\n', MALFORMED),
  closes('a space before the colon of a header', get(LITE, 'X-A : b'), MALFORMED),
  closes('a header without a colon', get(LITE, 'X-A'), MALFORMED),
  closes('a header without a name', get(LITE, ': b'), MALFORMED),
  closes('NUL in a header', get(LITE, 'X-A: b\0c'), MALFORMED),
  closes('a key in a malformed header', get(LITE, `X-A ${KEY}`), MALFORMED),
  keepsOpen('bytes over 127 in a header', get(LITE, 'X-A: \xff\xfe'), '200'),
  closes('one header over 16 KiB', get(LITE, `X-Padding: ${'x'.repeat(17_000)}`), TOO_LARGE),
  closes(
    'headers over 16 KiB that arrive in pieces',
    [`GET /health HTTP/1.1\r\nHost: a\r\nX-Padding: ${'x'.repeat(8000)}`, 'x'.repeat(9500)],
    TOO_LARGE,
  ),
  closes(
    'many headers over 16 KiB together',
    get(LITE, ...Array.from({ length: 2000 }, (_, n) => `X-${n}: ${n}`)),
    TOO_LARGE,
  ),
  keepsOpen(
    'many headers under 16 KiB together',
    get(LITE, ...Array.from({ length: 900 }, (_, n) => `X-${n}: ${n}`)),
    '200',
  ),
  closes(
    'a request to change to WebSocket',
    get(LITE, 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: x'),
    '200',
  ),
  closes(
    'a request to change to HTTP/2, and another request in the same write',
    get(LITE, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAA') + get(LITE),
    '200',
  ),
  closes('a request to change to HTTP/2 with a body', post(BATCH, IDS, 'Connection: Upgrade', 'Upgrade: h2c'), '200'),
  keepsOpen('HEAD', head(LITE), '200'),
  keepsOpen('HEAD of an unknown path', head('/nothing'), '404'),
  keepsOpen('OPTIONS', request(`OPTIONS ${LITE} HTTP/1.1`), '204'),
  keepsOpen(
    'TRACE, which must not repeat the request',
    request(`TRACE ${LITE} HTTP/1.1`, [`X-A: ${KEY}`]),
    NOT_ALLOWED,
  ),
  keepsOpen('an unchanged ETag with *', get('/openapi.json', 'If-None-Match: *'), '304'),
]
