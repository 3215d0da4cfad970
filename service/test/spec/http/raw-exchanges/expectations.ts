// The header Expect: when the interim response (100) is sent, and what follows it.
import {
  BATCH,
  get,
  IDS,
  LITE,
  MALFORMED,
  NOT_ALLOWED,
  NOT_FOUND,
  post,
  postChunked,
  postWithoutKey,
  type RawExchange,
  request,
  SLOW,
  UNAUTHORIZED,
} from './requests.ts'

const EXPECT = 'Expect: 100-continue'
const KEYLESS_GET = request(`GET ${LITE} HTTP/1.1`, [EXPECT])

/** Returns the headers of a request without its body. */
const withoutBody = (text: string) => text.slice(0, text.indexOf('\r\n\r\n') + 4)

export const EXPECTATIONS: readonly RawExchange[] = [
  {
    name: 'a client that waits for the interim response',
    steps: [withoutBody(post(BATCH, IDS, EXPECT)), { untilResponses: 1 }, IDS],
    responses: ['100', '200'],
    connection: 'open',
  },
  {
    name: 'a client that does not wait',
    steps: [post(BATCH, IDS, EXPECT)],
    responses: ['200'],
    connection: 'open',
  },
  {
    name: 'a client that waits, with a body in chunks',
    steps: [postChunked(BATCH, '', EXPECT), { untilResponses: 1 }, `1e\r\n${IDS}\r\n0\r\n\r\n`],
    responses: ['100', '200'],
    connection: 'open',
  },
  {
    name: 'a client that waits twice on one connection',
    steps: [
      withoutBody(post(BATCH, IDS, EXPECT)),
      { untilResponses: 1 },
      IDS,
      { untilResponses: 2 },
      withoutBody(post(BATCH, IDS, EXPECT)),
      { untilResponses: 3 },
      IDS,
    ],
    responses: ['100', '200', '100', '200'],
    connection: 'open',
  },
  {
    name: 'GET with Expect as the second request, with a key',
    steps: [get(LITE) + get(LITE, EXPECT)],
    responses: ['200', '200'],
    connection: 'open',
  },
  {
    name: 'GET with Expect as the second request, without a key',
    steps: [request(`GET ${LITE} HTTP/1.1`) + KEYLESS_GET],
    responses: [UNAUTHORIZED, UNAUTHORIZED],
    connection: 'open',
  },
  {
    name: 'POST with Expect as the second request, with a key',
    steps: [get(LITE) + post(BATCH, IDS, EXPECT)],
    responses: ['200', '200'],
    connection: 'open',
  },
  {
    name: 'POST with Expect as the second request, without a key',
    steps: [get(LITE) + postWithoutKey(BATCH, IDS, EXPECT)],
    responses: ['200', UNAUTHORIZED],
    connection: 'open',
  },
  {
    name: 'Expect on the first of three requests',
    steps: [post(BATCH, IDS, EXPECT) + get(LITE) + get('/nothing')],
    responses: ['200', '200', NOT_FOUND],
    connection: 'open',
  },
  {
    name: 'Expect on every one of four requests',
    steps: [get(LITE, EXPECT) + post(BATCH, IDS, EXPECT) + KEYLESS_GET + post(BATCH, IDS, EXPECT)],
    responses: ['200', '200', UNAUTHORIZED, '200'],
    connection: 'open',
  },
  {
    name: 'a second request that waits for the interim response',
    steps: [post(BATCH, IDS) + withoutBody(post(BATCH, IDS, EXPECT)), { untilResponses: 2 }, IDS],
    responses: ['200', '100', '200'],
    connection: 'open',
  },
  {
    name: 'a second request whose body arrives while the first is still being answered',
    steps: [get(SLOW) + withoutBody(post(BATCH, IDS, EXPECT)), IDS],
    responses: ['200', '200'],
    connection: 'open',
  },
  {
    name: 'a second request that waits while the first is still being answered',
    steps: [get(SLOW) + withoutBody(post(BATCH, IDS, EXPECT)), { untilResponses: 2 }, IDS],
    responses: ['200', '100', '200'],
    connection: 'open',
  },
  {
    name: 'a client without a key that waits: the final response comes instead of the interim one',
    steps: [withoutBody(postWithoutKey(BATCH, IDS, EXPECT))],
    responses: [UNAUTHORIZED],
    connection: 'closed',
  },
  {
    name: 'a client without a key that waits, and a request that the service cannot tell from the body',
    steps: [withoutBody(postWithoutKey(BATCH, IDS, EXPECT)), { untilResponses: 1 }, get(LITE)],
    responses: [UNAUTHORIZED],
    connection: 'closed',
  },
  {
    name: 'a wrong method that waits',
    steps: [withoutBody(post(LITE, IDS, EXPECT))],
    responses: [NOT_ALLOWED],
    connection: 'closed',
  },
  {
    name: 'an unknown path that waits',
    steps: [withoutBody(post('/nothing', IDS, EXPECT))],
    responses: [NOT_FOUND],
    connection: 'closed',
  },
  {
    name: 'a body that is announced as too large and waits',
    steps: [request(`POST ${BATCH} HTTP/1.1`, ['X-API-Key: {KEY}', EXPECT, 'Content-Length: 70000'])],
    responses: ['413 PAYLOAD_TOO_LARGE'],
    connection: 'closed',
  },
  {
    name: 'a malformed body after the interim response',
    steps: [postChunked(BATCH, '', EXPECT), { untilResponses: 1 }, 'zz\r\n'],
    responses: ['100', MALFORMED],
    connection: 'closed',
  },
  {
    name: 'Expect in capital letters',
    steps: [withoutBody(post(BATCH, IDS, 'EXPECT: 100-Continue')), { untilResponses: 1 }, IDS],
    responses: ['100', '200'],
    connection: 'open',
  },
  {
    name: 'Expect in HTTP/1.0, which has no interim responses',
    steps: [request('GET /health HTTP/1.0', [EXPECT])],
    responses: ['200'],
    connection: 'closed',
  },
  {
    name: 'an unknown expectation',
    steps: [get(LITE, 'Expect: miracles') + get(LITE)],
    responses: ['200', '200'],
    connection: 'open',
  },
]
