import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { behaviours } from '../../support/network/upstream.ts'
import { rss } from '../sources/acsc/documents.ts'
import { nvdContainer, nvdRecord, rating } from '../sources/nvd/fixtures.ts'
import { buildEpssFile, buildKevFile } from '../temporary-files.ts'
import { runScenarios, type Scenario } from './scenarios.ts'
import { buildScores, ids, nvdRecords, PATHS } from './setup.ts'

const goodKev = buildKevFile(ids(100), '2026-08-22T00:00:00Z')
/** Builds an NVD file that differs from the stored file, so that the feed does not skip it as unchanged. */
const nvdJson = (changes: Record<string, unknown> = {}) =>
  nvdContainer(nvdRecords(200, { lastModified: '2026-08-21T00:00:00.000', ...changes }))

/** 25,000 NVD records with random comments, because repetitive records would be rejected as a decompression bomb. */
const manyRecords = Array.from({ length: 25_000 }, (_, index) =>
  nvdRecord(`CVE-2026-${500_000 + index}`, { evaluatorComment: randomBytes(60).toString('hex') }),
)

const forms: Scenario[] = [
  ['JSON of another structure', 'kev', /vulnerabilities|catalog|title/i, (w) => w.serve(PATHS.kev, { hello: 'world' })],
  [
    'a catalog whose count differs from its number of entries',
    'kev',
    /its count is 101, but its list has 100 entries/,
    (w) => w.serve(PATHS.kev, goodKev.replace('"count":100', '"count":101')),
  ],
  [
    'a catalog older than the stored one',
    'kev',
    /older than the stored one/,
    (w) => w.serve(PATHS.kev, buildKevFile(ids(100), '2026-08-01T00:00:00Z')),
  ],
  [
    'a file of another format version',
    'nvd',
    /version/i,
    (w) => w.serveNvd(nvdContainer(nvdRecords(3), { version: '3.0' })),
  ],
  [
    'a file with fewer records than it declares',
    'nvd',
    /totalResults|201|200/i,
    (w) => w.serveNvd(nvdContainer(nvdRecords(200), { totalResults: 201 })),
  ],
  [
    'scores of 11.0',
    'nvd',
    /were rejected|cannot be used/,
    (w) => w.serveNvd(nvdJson({ metrics: { cvssMetricV31: [rating(11)] } })),
  ],
  [
    'only scores of zero',
    'nvd',
    /200 of the 200 scores are zero/,
    (w) => w.serveNvd(nvdJson({ metrics: { cvssMetricV31: [rating(0)] } })),
  ],
  [
    'only dates in the future',
    'nvd',
    /dated in the future/,
    (w) => w.serveNvd(nvdJson({ lastModified: '2031-01-01T00:00:00.000' })),
  ],
  ['25,000 new records', 'nvd', /the delivery has 25000 new records/, (w) => w.serveNvd(nvdContainer(manyRecords))],
  [
    'numbers that overflow',
    'nvd',
    /were rejected|cannot be used/,
    (w) => w.serveNvd(nvdJson({ weight: 7 }).replaceAll('"weight":7', '"weight":1e999')),
  ],
  [
    'records nested 500 levels deep',
    'nvd',
    /were rejected|cannot be used/,
    (w) => w.serveNvd(nvdJson({ deep: 7 }).replaceAll('"deep":7', `"deep":${'['.repeat(500)}${']'.repeat(500)}`)),
  ],
  [
    'bytes that are not UTF-8',
    'nvd',
    /were rejected|cannot be used/,
    (w) => w.serveNvd(Buffer.from(nvdJson({ odd: '\u00FF' }), 'latin1')),
  ],
  [
    'scores without the comment line',
    'epss',
    /model_version|first line/i,
    (w) => w.serve(PATHS.epss, gzipSync('cve,epss,percentile\nCVE-2026-10000,0.1,0.1\n')),
  ],
  [
    'a file with other columns',
    'epss',
    /cve,epss,percentile|column/i,
    (w) =>
      w.serve(
        PATHS.epss,
        gzipSync(buildEpssFile(buildScores(200), '2026-08-22').replace('cve,epss,percentile', 'id,score')),
      ),
  ],
  [
    'scores of an older day',
    'epss',
    /older than the stored one/,
    (w) => w.serve(PATHS.epss, gzipSync(buildEpssFile(buildScores(200), '2026-08-01'))),
  ],
  [
    'a file without scores',
    'epss',
    /contains no scores/,
    (w) => w.serve(PATHS.epss, gzipSync(buildEpssFile({}, '2026-08-22'))),
  ],
  [
    'RSS with a DOCTYPE',
    'acsc',
    /DOCTYPE/i,
    (w) => w.serve(PATHS.acsc, rss([{ slug: 'new' }]).replace('<rss', '<!DOCTYPE rss [<!ENTITY x "y">]><rss')),
  ],
  [
    'an HTML page instead of RSS',
    'acsc',
    /HTML|RSS/,
    (w) =>
      w.serve(
        PATHS.acsc,
        behaviours.answers(200, '<html><body>sorry</body></html>', { 'content-type': 'application/xml' }),
      ),
  ],
]

await runScenarios(forms)
