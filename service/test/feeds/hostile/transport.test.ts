import { gzipSync } from 'node:zlib'
import { behaviours } from '../../support/network/upstream.ts'
import { buildKevFile } from '../temporary-files.ts'
import { runScenarios, type Scenario } from './scenarios.ts'
import { ids, PATHS } from './setup.ts'

const goodKev = buildKevFile(ids(100), '2026-08-22T00:00:00Z')

const transport: Scenario[] = [
  ['status 404', 'kev', /404/, (w) => w.serve(PATHS.kev, behaviours.answers(404))],
  ['status 403', 'kev', /403/, (w) => w.serve(PATHS.kev, behaviours.answers(403))],
  ['status 500', 'kev', /500.*Tried 4 times/, (w) => w.serve(PATHS.kev, behaviours.answers(500))],
  ['status 429 in every attempt', 'kev', /429/, (w) => w.serve(PATHS.kev, behaviours.throttles(429, '7'))],
  ['status 503 in every attempt', 'kev', /503/, (w) => w.serve(PATHS.kev, behaviours.throttles(503))],
  [
    'a redirect to a cloud metadata service',
    'kev',
    /redirect/i,
    (w) => w.serve(PATHS.kev, behaviours.redirects('http://169.254.169.254/latest/meta-data/')),
  ],
  [
    'a redirect to another host',
    'kev',
    /redirect/i,
    (w) => w.serve(PATHS.kev, behaviours.redirects('https://elsewhere.example/', 301)),
  ],
  [
    'status 304 to an unconditional request',
    'kev',
    /answered 304 Not Modified to an unconditional request/,
    (w) => w.serve(PATHS.kev, behaviours.answers(304)),
  ],
  ['an HTML page with status 200', 'kev', /HTML/, (w) => w.serve(PATHS.kev, behaviours.sendsHtml())],
  [
    'an HTML page with the content type of JSON',
    'kev',
    /known_exploited|JSON|HTML/,
    (w) => w.serve(PATHS.kev, behaviours.sendsHtml('application/json')),
  ],
  ['an empty response with status 200', 'kev', /empty/i, (w) => w.serve(PATHS.kev, '')],
  [
    'fewer bytes than announced',
    'kev',
    /bytes|ended|cut/i,
    (w) => w.serve(PATHS.kev, behaviours.claimsLength(goodKev.length + 100, goodKev)),
  ],
  [
    'more bytes than announced',
    'kev',
    /bytes|JSON|end/i,
    (w) => w.serve(PATHS.kev, behaviours.claimsLength(goodKev.length - 100, goodKev)),
  ],
  [
    'a response that breaks off',
    'kev',
    /Tried 4 times/,
    (w) => w.serve(PATHS.kev, behaviours.breaksOff(goodKev.slice(0, 500))),
  ],
  ['a connection reset', 'kev', /Tried 4 times/, (w) => w.serve(PATHS.kev, behaviours.resets())],
  ['no response', 'kev', /start to respond/, (w) => w.serve(PATHS.kev, behaviours.hangs())],
  ['no data after the first byte', 'kev', /sent nothing for/, (w) => w.serve(PATHS.kev, behaviours.fallsSilent('{'))],
  ['one byte every 100 ms', 'kev', /bytes in/, (w) => w.serve(PATHS.kev, behaviours.drips('x', 100))],
  [
    'an endless response',
    'kev',
    /67,?108,?864|64|more than/i,
    (w) => w.serve(PATHS.kev, behaviours.sendsWithoutEnd(Buffer.alloc(1_000_000, 32))),
  ],
  [
    'an unrequested content encoding',
    'kev',
    /encoding/i,
    (w) => w.serve(PATHS.kev, behaviours.answers(200, gzipSync(goodKev), { 'content-encoding': 'gzip' })),
  ],
  [
    'a response that is not HTTP',
    'kev',
    /could not be downloaded/,
    (w) => w.serve(PATHS.kev, behaviours.sendsRaw('220 ready\r\n')),
  ],
]

await runScenarios(transport)
