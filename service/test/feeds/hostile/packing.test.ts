import { gzipSync } from 'node:zlib'
import { behaviours } from '../../support/network/upstream.ts'
import { buildCveRecord, buildFullList, buildZip } from '../sources/cve-list/fixtures.ts'
import { nvdContainer } from '../sources/nvd/fixtures.ts'
import { buildEpssFile } from '../temporary-files.ts'
import { runScenarios, type Scenario } from './scenarios.ts'
import { buildScores, nvdRecords, PATHS } from './setup.ts'

const goodEpss = gzipSync(buildEpssFile(buildScores(200), '2026-08-22'))
const bomb = gzipSync(Buffer.concat([Buffer.from(buildEpssFile({}, '2026-08-22')), Buffer.alloc(50_000_000, '\n')]))
/** Builds an NVD file that differs from the stored file, so that the feed does not skip it as unchanged. */
const nvdJson = () => nvdContainer(nvdRecords(200, { lastModified: '2026-08-21T00:00:00.000' }))

const packing: Scenario[] = [
  [
    'a gzip file with a wrong checksum',
    'epss',
    /damaged|check|corrupt/i,
    (w) => w.serve(PATHS.epss, Buffer.concat([goodEpss.subarray(0, -8), Buffer.alloc(4), goodEpss.subarray(-4)])),
  ],
  ['a gzip file inside a gzip file', 'epss', /again|twice|gzip/i, (w) => w.serve(PATHS.epss, gzipSync(goodEpss))],
  [
    'a gzip file with text after its end',
    'epss',
    /damaged/,
    (w) => w.serve(PATHS.epss, Buffer.concat([goodEpss, Buffer.from('and more')])),
  ],
  ['a decompression bomb of a thousand times its size', 'epss', /100 times its size/, (w) => w.serve(PATHS.epss, bomb)],
  [
    'a file with another hash than announced',
    'nvd',
    /SHA-256/,
    (w) => w.serveNvd(nvdJson(), { sha256: 'A'.repeat(64) }),
  ],
  ['a file with another size than announced', 'nvd', /size|bytes/i, (w) => w.serveNvd(nvdJson(), { size: 17 })],
  [
    'an HTML page as .meta file',
    'nvd',
    /meta/i,
    (w) => w.serve(PATHS.nvdMeta, behaviours.answers(200, '<html>sorry</html>', { 'content-type': 'text/plain' })),
  ],
  ['no .meta file', 'nvd', /404/, (w) => w.serve(PATHS.nvdMeta, behaviours.answers(404))],
  [
    'a zip file with entries that lead out of it',
    'cve',
    /\.\.|name|path/i,
    (w) => w.serveCveList(buildZip({ '../../etc/passwd.json': '{}' }), 21),
  ],
  [
    'a truncated zip file',
    'cve',
    /zip|archive|end/i,
    (w) => w.serveCveList(buildFullList(buildCveRecord('CVE-2026-10000')).subarray(0, 200), 21),
  ],
  ['an HTML page as a zip file', 'cve', /zip|archive/i, (w) => w.serveCveList(Buffer.from('<html>sorry</html>'), 21)],
]

await runScenarios(packing)
