// Bodies: their length, their chunks, and conflicts between the headers that announce them.
import {
  BATCH,
  chunk,
  get,
  IDS,
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

/** Builds a POST request with exactly these headers about its body. */
const postWith = (headers: readonly string[], body: string) =>
  request(`POST ${BATCH} HTTP/1.1`, ['X-API-Key: {KEY}', ...headers], body)

export const CHUNKS: readonly RawExchange[] = [
  {
    name: 'a body in two chunks',
    steps: [postChunked(BATCH, chunk(FIRST_HALF) + chunk(SECOND_HALF) + LAST_CHUNK)],
    responses: ['200'],
    connection: 'open',
  },
  {
    name: 'a body in two chunks that arrive in pieces',
    steps: [postChunked(BATCH, 'a\r'), `\n${FIRST_HALF}`, `\r\n14\r\n${SECOND_HALF}`, '\r\n0\r\n', '\r\n'],
    responses: ['200'],
    connection: 'open',
  },
  {
    name: 'a chunk extension',
    steps: [postChunked(BATCH, chunk(IDS, ';name=value') + LAST_CHUNK)],
    responses: ['200'],
    connection: 'open',
  },
  {
    name: 'chunk extensions over 16 KiB',
    steps: [postChunked(BATCH, chunk(IDS, `;x=${'y'.repeat(20_000)}`) + LAST_CHUNK)],
    responses: [TOO_LARGE],
    connection: 'closed',
  },
  {
    name: 'a trailer after the last chunk',
    steps: [postChunked(BATCH, `${chunk(IDS)}0\r\nX-Trailer: b\r\n\r\n`)],
    responses: ['200'],
    connection: 'open',
  },
  {
    name: 'a trailer that looks like an API key header',
    steps: [
      request(`POST ${BATCH} HTTP/1.1`, ['Transfer-Encoding: chunked'], `${chunk(IDS)}0\r\nX-API-Key: {KEY}\r\n\r\n`),
    ],
    responses: [UNAUTHORIZED],
    connection: 'open',
  },
  {
    name: 'a chunk size that is not hexadecimal',
    steps: [postChunked(BATCH, `zz\r\n${IDS}\r\n${LAST_CHUNK}`)],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'a negative chunk size',
    steps: [postChunked(BATCH, `-1\r\n${IDS}\r\n${LAST_CHUNK}`)],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'a chunk size with 0x',
    steps: [postChunked(BATCH, `0x1e\r\n${IDS}\r\n${LAST_CHUNK}`)],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'a chunk size of 20 digits',
    steps: [postChunked(BATCH, `${'f'.repeat(20)}\r\n${IDS}\r\n${LAST_CHUNK}`)],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'a chunk size that ends with a bare line feed',
    steps: [postChunked(BATCH, `1e\n${IDS}\r\n${LAST_CHUNK}`)],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'a chunk that is longer than its size',
    steps: [postChunked(BATCH, `5\r\n${IDS}\r\n${LAST_CHUNK}`)],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'malformed chunks of a GET request, whose body no handler reads',
    steps: [`${get(LITE, 'Transfer-Encoding: chunked')}zz\r\n`],
    responses: ['200'],
    connection: 'closed',
  },
  {
    name: 'chunks that become malformed after the response',
    steps: [request('POST /health HTTP/1.1', ['Transfer-Encoding: chunked']), { untilResponses: 1 }, 'zz\r\n'],
    responses: [NOT_ALLOWED],
    connection: 'closed',
  },
]

export const LENGTHS: readonly RawExchange[] = [
  {
    name: 'two different Content-Length headers',
    steps: [postWith(['Content-Length: 30', 'Content-Length: 31'], IDS)],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'two equal Content-Length headers',
    steps: [postWith(['Content-Length: 30', 'Content-Length: 30'], IDS)],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'a list as Content-Length',
    steps: [postWith(['Content-Length: 30, 30'], IDS)],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'a Content-Length with a plus sign',
    steps: [postWith(['Content-Length: +30'], IDS)],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'a negative Content-Length',
    steps: [postWith(['Content-Length: -1'], IDS)],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'a Content-Length of 30 digits',
    steps: [postWith([`Content-Length: ${'9'.repeat(30)}`], IDS)],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'Content-Length and Transfer-Encoding',
    steps: [postWith(['Content-Length: 30', 'Transfer-Encoding: chunked'], LAST_CHUNK)],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'Transfer-Encoding and Content-Length',
    steps: [postWith(['Transfer-Encoding: chunked', 'Content-Length: 5'], LAST_CHUNK)],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'a Transfer-Encoding that does not end in chunked',
    steps: [postWith(['Transfer-Encoding: chunked, identity'], LAST_CHUNK)],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'two Transfer-Encoding headers of which the last is not chunked',
    steps: [postWith(['Transfer-Encoding: chunked', 'Transfer-Encoding: gzip'], LAST_CHUNK)],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'an unknown Transfer-Encoding that looks like chunked',
    steps: [postWith(['Transfer-Encoding: xchunked'], LAST_CHUNK)],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'a Transfer-Encoding with a vertical tab',
    steps: [postWith(['Transfer-Encoding: \x0bchunked'], LAST_CHUNK)],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'a body that is longer than its Content-Length',
    steps: [`${post(BATCH, IDS)}xx\r\n\r\n`],
    responses: ['200', MALFORMED],
    connection: 'closed',
  },
  {
    name: 'a body without a length, which is read as a request',
    steps: [request(`POST ${BATCH} HTTP/1.1`, ['X-API-Key: {KEY}'], IDS)],
    responses: [MALFORMED, MALFORMED],
    connection: 'closed',
  },
  {
    name: 'a body over 64 KiB',
    steps: [post(BATCH, 'x'.repeat(70_000)) + get(LITE)],
    responses: [TOO_LARGE, '200'],
    connection: 'open',
  },
  {
    name: 'a body over 64 KiB in chunks',
    steps: [postChunked(BATCH, chunk('x'.repeat(70_000)) + LAST_CHUNK) + get(LITE)],
    responses: [TOO_LARGE, '200'],
    connection: 'open',
  },
  {
    name: 'a response before the body has arrived, then the body and another request',
    steps: [request('POST /nothing HTTP/1.1', ['Content-Length: 30']), { untilResponses: 1 }, IDS + get(LITE)],
    responses: ['404 NOT_FOUND', '200'],
    connection: 'open',
  },
  {
    name: 'a body of another type',
    steps: [post(BATCH, IDS, 'Content-Type: text/plain')],
    responses: ['415 UNSUPPORTED_MEDIA_TYPE'],
    connection: 'open',
  },
]
