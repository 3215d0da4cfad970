// Bodies: their length, their chunks, and conflicts between the headers that announce them.
import {
  BATCH,
  chunk,
  closes,
  get,
  IDS,
  keepsOpen,
  LAST_CHUNK,
  LITE,
  MALFORMED,
  NOT_ALLOWED,
  post,
  postChunked,
  type RawExchange,
  request,
  UNAUTHORIZED,
} from './requests.ts'

const [FIRST_HALF, SECOND_HALF] = [IDS.slice(0, 10), IDS.slice(10)]
const TOO_LARGE = '413 PAYLOAD_TOO_LARGE'

/** Builds a POST request with exactly these headers describing its body. */
const postWith = (headers: readonly string[], body: string) =>
  request(`POST ${BATCH} HTTP/1.1`, ['X-API-Key: {KEY}', ...headers], body)

export const CHUNKS: readonly RawExchange[] = [
  keepsOpen('a body in two chunks', postChunked(BATCH, chunk(FIRST_HALF) + chunk(SECOND_HALF) + LAST_CHUNK), '200'),
  keepsOpen(
    'a body in two chunks that arrive in pieces',
    [postChunked(BATCH, 'a\r'), `\n${FIRST_HALF}`, `\r\n14\r\n${SECOND_HALF}`, '\r\n0\r\n', '\r\n'],
    '200',
  ),
  keepsOpen('a chunk extension', postChunked(BATCH, chunk(IDS, ';name=value') + LAST_CHUNK), '200'),
  closes(
    'chunk extensions over 16 KiB',
    postChunked(BATCH, chunk(IDS, `;x=${'y'.repeat(20_000)}`) + LAST_CHUNK),
    TOO_LARGE,
  ),
  keepsOpen('a trailer after the last chunk', postChunked(BATCH, `${chunk(IDS)}0\r\nX-Trailer: b\r\n\r\n`), '200'),
  keepsOpen(
    'a trailer that looks like an API key header',
    request(`POST ${BATCH} HTTP/1.1`, ['Transfer-Encoding: chunked'], `${chunk(IDS)}0\r\nX-API-Key: {KEY}\r\n\r\n`),
    UNAUTHORIZED,
  ),
  closes('a chunk size that is not hexadecimal', postChunked(BATCH, `zz\r\n${IDS}\r\n${LAST_CHUNK}`), MALFORMED),
  closes('a negative chunk size', postChunked(BATCH, `-1\r\n${IDS}\r\n${LAST_CHUNK}`), MALFORMED),
  closes('a chunk size with 0x', postChunked(BATCH, `0x1e\r\n${IDS}\r\n${LAST_CHUNK}`), MALFORMED),
  closes('a chunk size of 20 digits', postChunked(BATCH, `${'f'.repeat(20)}\r\n${IDS}\r\n${LAST_CHUNK}`), MALFORMED),
  closes('a chunk size that ends with a bare line feed', postChunked(BATCH, `1e\n${IDS}\r\n${LAST_CHUNK}`), MALFORMED),
  closes('a chunk that is longer than its size', postChunked(BATCH, `5\r\n${IDS}\r\n${LAST_CHUNK}`), MALFORMED),
  closes(
    'malformed chunks of a GET request, whose body no handler reads',
    `${get(LITE, 'Transfer-Encoding: chunked')}zz\r\n`,
    '200',
  ),
  closes(
    'chunks that become malformed after the response',
    [request('POST /health HTTP/1.1', ['Transfer-Encoding: chunked']), { untilResponses: 1 }, 'zz\r\n'],
    NOT_ALLOWED,
  ),
]

export const LENGTHS: readonly RawExchange[] = [
  closes(
    'two different Content-Length headers',
    postWith(['Content-Length: 30', 'Content-Length: 31'], IDS),
    MALFORMED,
  ),
  closes('two equal Content-Length headers', postWith(['Content-Length: 30', 'Content-Length: 30'], IDS), MALFORMED),
  closes('a list as Content-Length', postWith(['Content-Length: 30, 30'], IDS), MALFORMED),
  closes('a Content-Length with a plus sign', postWith(['Content-Length: +30'], IDS), MALFORMED),
  closes('a negative Content-Length', postWith(['Content-Length: -1'], IDS), MALFORMED),
  closes('a Content-Length of 30 digits', postWith([`Content-Length: ${'9'.repeat(30)}`], IDS), MALFORMED),
  closes(
    'Content-Length and Transfer-Encoding',
    postWith(['Content-Length: 30', 'Transfer-Encoding: chunked'], LAST_CHUNK),
    MALFORMED,
  ),
  closes(
    'Transfer-Encoding and Content-Length',
    postWith(['Transfer-Encoding: chunked', 'Content-Length: 5'], LAST_CHUNK),
    MALFORMED,
  ),
  closes(
    'a Transfer-Encoding that does not end in chunked',
    postWith(['Transfer-Encoding: chunked, identity'], LAST_CHUNK),
    MALFORMED,
  ),
  closes(
    'two Transfer-Encoding headers of which the last is not chunked',
    postWith(['Transfer-Encoding: chunked', 'Transfer-Encoding: gzip'], LAST_CHUNK),
    MALFORMED,
  ),
  closes(
    'an unknown Transfer-Encoding that looks like chunked',
    postWith(['Transfer-Encoding: xchunked'], LAST_CHUNK),
    MALFORMED,
  ),
  closes(
    'a Transfer-Encoding with a vertical tab',
    postWith(['Transfer-Encoding: \x0bchunked'], LAST_CHUNK),
    MALFORMED,
  ),
  closes('a body that is longer than its Content-Length', `${post(BATCH, IDS)}xx\r\n\r\n`, '200', MALFORMED),
  closes(
    'a body without a length, which is read as a request',
    request(`POST ${BATCH} HTTP/1.1`, ['X-API-Key: {KEY}'], IDS),
    MALFORMED,
    MALFORMED,
  ),
  keepsOpen('a body over 64 KiB', post(BATCH, 'x'.repeat(70_000)) + get(LITE), TOO_LARGE, '200'),
  keepsOpen(
    'a body over 64 KiB in chunks',
    postChunked(BATCH, chunk('x'.repeat(70_000)) + LAST_CHUNK) + get(LITE),
    TOO_LARGE,
    '200',
  ),
  keepsOpen(
    'a response before the body has arrived, then the body and another request',
    [request('POST /nothing HTTP/1.1', ['Content-Length: 30']), { untilResponses: 1 }, IDS + get(LITE)],
    '404 NOT_FOUND',
    '200',
  ),
  keepsOpen('a body of another type', post(BATCH, IDS, 'Content-Type: text/plain'), '415 UNSUPPORTED_MEDIA_TYPE'),
]
