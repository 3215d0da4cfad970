// The header Expect: when the interim response (100) is sent, and what follows it.
import {
  BATCH,
  closes,
  get,
  IDS,
  keepsOpen,
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
  keepsOpen(
    'a client that waits for the interim response',
    [withoutBody(post(BATCH, IDS, EXPECT)), { untilResponses: 1 }, IDS],
    '100',
    '200',
  ),
  keepsOpen('a client that does not wait', post(BATCH, IDS, EXPECT), '200'),
  keepsOpen(
    'a client that waits, with a body in chunks',
    [postChunked(BATCH, '', EXPECT), { untilResponses: 1 }, `1e\r\n${IDS}\r\n0\r\n\r\n`],
    '100',
    '200',
  ),
  keepsOpen(
    'a client that waits twice on one connection',
    [
      withoutBody(post(BATCH, IDS, EXPECT)),
      { untilResponses: 1 },
      IDS,
      { untilResponses: 2 },
      withoutBody(post(BATCH, IDS, EXPECT)),
      { untilResponses: 3 },
      IDS,
    ],
    '100',
    '200',
    '100',
    '200',
  ),
  keepsOpen('GET with Expect as the second request, with a key', get(LITE) + get(LITE, EXPECT), '200', '200'),
  keepsOpen(
    'GET with Expect as the second request, without a key',
    request(`GET ${LITE} HTTP/1.1`) + KEYLESS_GET,
    UNAUTHORIZED,
    UNAUTHORIZED,
  ),
  keepsOpen('POST with Expect as the second request, with a key', get(LITE) + post(BATCH, IDS, EXPECT), '200', '200'),
  keepsOpen(
    'POST with Expect as the second request, without a key',
    get(LITE) + postWithoutKey(BATCH, IDS, EXPECT),
    '200',
    UNAUTHORIZED,
  ),
  keepsOpen(
    'Expect on the first of three requests',
    post(BATCH, IDS, EXPECT) + get(LITE) + get('/nothing'),
    '200',
    '200',
    NOT_FOUND,
  ),
  keepsOpen(
    'Expect on every one of four requests',
    get(LITE, EXPECT) + post(BATCH, IDS, EXPECT) + KEYLESS_GET + post(BATCH, IDS, EXPECT),
    '200',
    '200',
    UNAUTHORIZED,
    '200',
  ),
  keepsOpen(
    'a second request that waits for the interim response',
    [post(BATCH, IDS) + withoutBody(post(BATCH, IDS, EXPECT)), { untilResponses: 2 }, IDS],
    '200',
    '100',
    '200',
  ),
  keepsOpen(
    'a second request whose body arrives while the first is still being answered',
    [get(SLOW) + withoutBody(post(BATCH, IDS, EXPECT)), IDS],
    '200',
    '200',
  ),
  keepsOpen(
    'a second request that waits while the first is still being answered',
    [get(SLOW) + withoutBody(post(BATCH, IDS, EXPECT)), { untilResponses: 2 }, IDS],
    '200',
    '100',
    '200',
  ),
  closes(
    'a client without a key that waits: the final response comes instead of the interim one',
    withoutBody(postWithoutKey(BATCH, IDS, EXPECT)),
    UNAUTHORIZED,
  ),
  closes(
    'a client without a key that waits, and a request that the service cannot tell from the body',
    [withoutBody(postWithoutKey(BATCH, IDS, EXPECT)), { untilResponses: 1 }, get(LITE)],
    UNAUTHORIZED,
  ),
  closes('a wrong method that waits', withoutBody(post(LITE, IDS, EXPECT)), NOT_ALLOWED),
  closes('an unknown path that waits', withoutBody(post('/nothing', IDS, EXPECT)), NOT_FOUND),
  closes(
    'a body that is announced as too large and waits',
    request(`POST ${BATCH} HTTP/1.1`, ['X-API-Key: {KEY}', EXPECT, 'Content-Length: 70000']),
    '413 PAYLOAD_TOO_LARGE',
  ),
  closes(
    'a malformed body after the interim response',
    [postChunked(BATCH, '', EXPECT), { untilResponses: 1 }, 'zz\r\n'],
    '100',
    MALFORMED,
  ),
  keepsOpen(
    'Expect in capital letters',
    [withoutBody(post(BATCH, IDS, 'EXPECT: 100-Continue')), { untilResponses: 1 }, IDS],
    '100',
    '200',
  ),
  closes('Expect in HTTP/1.0, which has no interim responses', request('GET /health HTTP/1.0', [EXPECT]), '200'),
  keepsOpen('an unknown expectation', get(LITE, 'Expect: miracles') + get(LITE), '200', '200'),
]
