// Requests that never arrive completely. The timeouts are 10 s and 15 s, so these exchanges run only at full size.
import { BATCH, closes, get, LITE, post, type RawExchange, request } from './requests.ts'

const TIMEOUT = '408 REQUEST_TIMEOUT'

export const TIMEOUTS: readonly RawExchange[] = [
  closes('headers that stop in the middle', 'GET /health HTTP/1.1\r\nHost: a\r\nX-A', TIMEOUT),
  closes(
    'headers that stop in the middle after an answered request',
    [get(LITE), { untilResponses: 1 }, 'GET /hea'],
    '200',
    TIMEOUT,
  ),
  closes('a body that stops in the middle', post(BATCH, '{"cve_ids":["CVE-2021-44228"]}').slice(0, -5), TIMEOUT),
  closes(
    'a body that never arrives, for an unknown path that was answered',
    request('POST /nothing HTTP/1.1', ['Content-Length: 10']),
    '404 NOT_FOUND',
  ),
]
