import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { manners } from '../../support/network/upstream.ts'
import { epssFile, kevFile } from '../small-files.ts'
import { rss } from '../sources/acsc/setup.ts'
import { nvdContainer, nvdRecord, rating } from '../sources/nvd/fixtures.ts'
import { playAll, type Scenario } from './scenarios.ts'
import { ids, nvdRecords, PATHS, scoresOf } from './setup.ts'

const goodKev = kevFile(ids(100), '2026-08-22T00:00:00Z')
/** A file of its own, so that its hash is news. */
const nvdJson = (changes: Record<string, unknown> = {}) =>
  nvdContainer(nvdRecords(200, { lastModified: '2026-08-21T00:00:00.000', ...changes }))

/** Each says something of its own: what says the same over and over is taken for a bomb. */
const flood = Array.from({ length: 25_000 }, (_, index) =>
  nvdRecord(`CVE-2026-${500_000 + index}`, { evaluatorComment: randomBytes(60).toString('hex') }),
)

const forms: Scenario[] = [
  ['half a JSON', 'kev', /end|cut|truncated/i, (w) => w.serve(PATHS.kev, goodKev.slice(0, -200))],
  ['JSON of another kind', 'kev', /vulnerabilities|catalog|title/i, (w) => w.serve(PATHS.kev, { hello: 'world' })],
  [
    'a count that is not the length',
    'kev',
    /it has 101 entries, and its list has 100/,
    (w) => w.serve(PATHS.kev, goodKev.replace('"count":100', '"count":101')),
  ],
  [
    'an empty catalogue',
    'kev',
    /drop 100|empty|no entr|0/i,
    (w) => w.serve(PATHS.kev, kevFile([], '2026-08-22T00:00:00Z')),
  ],
  [
    'a catalogue that lost 3 %',
    'kev',
    /drop 3 of the 100/,
    (w) => w.serve(PATHS.kev, kevFile(ids(97), '2026-08-22T00:00:00Z')),
  ],
  [
    'a catalogue older than ours',
    'kev',
    /We never go back/,
    (w) => w.serve(PATHS.kev, kevFile(ids(100), '2026-08-01T00:00:00Z')),
  ],
  [
    'every member missing',
    'kev',
    /cannot be used/,
    (w) => w.serve(PATHS.kev, goodKev.replaceAll('"dateAdded"', '"added"')),
  ],
  [
    'another version of the format',
    'nvd',
    /version/i,
    (w) => w.serveNvd(nvdContainer(nvdRecords(3), { version: '3.0' })),
  ],
  [
    'fewer records than it says',
    'nvd',
    /totalResults|201|200/i,
    (w) => w.serveNvd(nvdContainer(nvdRecords(200), { totalResults: 201 })),
  ],
  [
    'records without what matters',
    'nvd',
    /cannot be used/,
    (w) => w.serveNvd(nvdContainer(ids(200).map((id) => ({ cve: { id } })))),
  ],
  ['scores of 11.0', 'nvd', /cannot be used/, (w) => w.serveNvd(nvdJson({ metrics: { cvssMetricV31: [rating(11)] } }))],
  [
    'scores of zero, all of them',
    'nvd',
    /200 of its 200 scores are zero/,
    (w) => w.serveNvd(nvdJson({ metrics: { cvssMetricV31: [rating(0)] } })),
  ],
  [
    'dates in the future, all of them',
    'nvd',
    /dated in the future/,
    (w) => w.serveNvd(nvdJson({ lastModified: '2031-01-01T00:00:00.000' })),
  ],
  [
    'a flood of ids that nobody has seen',
    'nvd',
    /it brings 25000 records that nobody has seen/,
    (w) => w.serveNvd(nvdContainer(flood)),
  ],
  [
    'numbers beyond all bounds',
    'nvd',
    /cannot be used/,
    (w) => w.serveNvd(nvdJson({ weight: 7 }).replaceAll('"weight":7', '"weight":1e999')),
  ],
  [
    'nesting beyond all bounds',
    'nvd',
    /cannot be used/,
    (w) => w.serveNvd(nvdJson({ deep: 7 }).replaceAll('"deep":7', `"deep":${'['.repeat(500)}${']'.repeat(500)}`)),
  ],
  [
    'bytes that are no text',
    'nvd',
    /cannot be used/,
    (w) => w.serveNvd(Buffer.from(nvdJson({ odd: '\u00FF' }), 'latin1')),
  ],
  [
    'no first line',
    'epss',
    /model_version|first line/i,
    (w) => w.serve(PATHS.epss, gzipSync('cve,epss,percentile\nCVE-2026-10000,0.1,0.1\n')),
  ],
  [
    'other columns',
    'epss',
    /cve,epss,percentile|column/i,
    (w) =>
      w.serve(PATHS.epss, gzipSync(epssFile(scoresOf(200), '2026-08-22').replace('cve,epss,percentile', 'id,score'))),
  ],
  [
    'scores of an older day',
    'epss',
    /We never go back/,
    (w) => w.serve(PATHS.epss, gzipSync(epssFile(scoresOf(200), '2026-08-01'))),
  ],
  [
    'scores beyond 1',
    'epss',
    /cannot be used/,
    (w) => w.serve(PATHS.epss, gzipSync(epssFile(scoresOf(200), '2026-08-22').replaceAll(',0.0', ',1.2'))),
  ],
  ['no scores', 'epss', /not one score/, (w) => w.serve(PATHS.epss, gzipSync(epssFile({}, '2026-08-22')))],
  [
    'RSS with a document type',
    'acsc',
    /DOCTYPE/i,
    (w) => w.serve(PATHS.acsc, rss([{ slug: 'new' }]).replace('<rss', '<!DOCTYPE rss [<!ENTITY x "y">]><rss')),
  ],
  [
    'a web page instead of RSS',
    'acsc',
    /HTML|RSS/,
    (w) =>
      w.serve(
        PATHS.acsc,
        manners.answers(200, '<html><body>sorry</body></html>', { 'content-type': 'application/xml' }),
      ),
  ],
  ['RSS that is cut short', 'acsc', /cut|end|close/i, (w) => w.serve(PATHS.acsc, rss([{ slug: 'new' }]).slice(0, -40))],
]

await playAll(forms)
