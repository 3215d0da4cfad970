import { gzipSync } from 'node:zlib'
import { manners } from '../../support/network/upstream.ts'
import { kevFile } from '../small-files.ts'
import { playAll, type Scenario } from './scenarios.ts'
import { ids, PATHS } from './setup.ts'

const goodKev = kevFile(ids(100), '2026-08-22T00:00:00Z')

const transport: Scenario[] = [
  ['the page is gone', 'kev', /404/, (w) => w.serve(PATHS.kev, manners.answers(404))],
  ['we are forbidden', 'kev', /403/, (w) => w.serve(PATHS.kev, manners.answers(403))],
  ['the server is broken', 'kev', /500.*Tried 4 times/, (w) => w.serve(PATHS.kev, manners.answers(500))],
  ['we are asked to slow down, for ever', 'kev', /429/, (w) => w.serve(PATHS.kev, manners.throttles(429, '7'))],
  ['it is overloaded, for ever', 'kev', /503/, (w) => w.serve(PATHS.kev, manners.throttles(503))],
  [
    'it leads to the cloud’s own metadata',
    'kev',
    /redirect/i,
    (w) => w.serve(PATHS.kev, manners.redirects('http://169.254.169.254/latest/meta-data/')),
  ],
  [
    'it leads elsewhere',
    'kev',
    /redirect/i,
    (w) => w.serve(PATHS.kev, manners.redirects('https://elsewhere.example/', 301)),
  ],
  [
    'nothing changed, though nobody asked',
    'kev',
    /nothing changed, but we have no copy/,
    (w) => w.serve(PATHS.kev, manners.answers(304)),
  ],
  ['a web page with 200', 'kev', /HTML/, (w) => w.serve(PATHS.kev, manners.sendsHtml())],
  [
    'a web page that calls itself JSON',
    'kev',
    /known_exploited|JSON|HTML/,
    (w) => w.serve(PATHS.kev, manners.sendsHtml('application/json')),
  ],
  ['nothing, with 200', 'kev', /empty/i, (w) => w.serve(PATHS.kev, '')],
  [
    'fewer bytes than announced',
    'kev',
    /bytes|ended|cut/i,
    (w) => w.serve(PATHS.kev, manners.claimsLength(goodKev.length + 100, goodKev)),
  ],
  [
    'fewer bytes announced than sent',
    'kev',
    /bytes|JSON|end/i,
    (w) => w.serve(PATHS.kev, manners.claimsLength(goodKev.length - 100, goodKev)),
  ],
  [
    'the line breaks in the middle',
    'kev',
    /Tried 4 times/,
    (w) => w.serve(PATHS.kev, manners.breaksOff(goodKev.slice(0, 500))),
  ],
  ['the connection is reset', 'kev', /Tried 4 times/, (w) => w.serve(PATHS.kev, manners.resets())],
  ['silence', 'kev', /begin to answer/, (w) => w.serve(PATHS.kev, manners.hangs())],
  ['silence after the first bytes', 'kev', /went silent/, (w) => w.serve(PATHS.kev, manners.fallsSilent('{'))],
  ['a drop now and then', 'kev', /bytes in/, (w) => w.serve(PATHS.kev, manners.drips('x', 100))],
  [
    'bytes without end',
    'kev',
    /67,?108,?864|64|more than/i,
    (w) => w.serve(PATHS.kev, manners.sendsWithoutEnd(Buffer.alloc(1_000_000, 32))),
  ],
  [
    'packed, though we asked for it plain',
    'kev',
    /encoding/i,
    (w) => w.serve(PATHS.kev, manners.answers(200, gzipSync(goodKev), { 'content-encoding': 'gzip' })),
  ],
  ['no HTTP at all', 'kev', /could not be downloaded/, (w) => w.serve(PATHS.kev, manners.sendsRaw('220 ready\r\n'))],
]

await playAll(transport)
