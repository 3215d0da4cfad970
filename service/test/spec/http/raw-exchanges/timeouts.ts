// Requests that never arrive completely. The timeouts are 10 s and 15 s, so these exchanges run only at full size.
import { BATCH, get, LITE, post, type RawExchange, request } from './requests.ts'

const TIMEOUT = '408 REQUEST_TIMEOUT'

export const TIMEOUTS: readonly RawExchange[] = [
  {
    name: 'headers that stop in the middle',
    steps: ['GET /health HTTP/1.1\r\nHost: a\r\nX-A'],
    responses: [TIMEOUT],
    connection: 'closed',
  },
  {
    name: 'headers that stop in the middle after an answered request',
    steps: [get(LITE), { untilResponses: 1 }, 'GET /hea'],
    responses: ['200', TIMEOUT],
    connection: 'closed',
  },
  {
    name: 'a body that stops in the middle',
    steps: [post(BATCH, '{"cve_ids":["CVE-2021-44228"]}').slice(0, -5)],
    responses: [TIMEOUT],
    connection: 'closed',
  },
  {
    name: 'a body that never arrives, for an unknown path that was answered',
    steps: [request('POST /nothing HTTP/1.1', ['Content-Length: 10'])],
    responses: ['404 NOT_FOUND'],
    connection: 'closed',
  },
]
