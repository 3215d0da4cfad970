import { gzipSync } from 'node:zlib'
import { manners } from '../../support/network/upstream.ts'
import { epssFile } from '../small-files.ts'
import { cveRecord, fullList, zip } from '../sources/cve-list/fixtures.ts'
import { nvdContainer } from '../sources/nvd/fixtures.ts'
import { playAll, type Scenario } from './scenarios.ts'
import { nvdRecords, PATHS, scoresOf } from './setup.ts'

const goodEpss = gzipSync(epssFile(scoresOf(200), '2026-08-22'))
const bomb = gzipSync(Buffer.concat([Buffer.from(epssFile({}, '2026-08-22')), Buffer.alloc(50_000_000, '\n')]))
/** A file of its own, so that its hash is news. */
const nvdJson = () => nvdContainer(nvdRecords(200, { lastModified: '2026-08-21T00:00:00.000' }))

const packing: Scenario[] = [
  [
    'a gzip that is cut short',
    'epss',
    /cut short|truncated|end/i,
    (w) => w.serve(PATHS.epss, goodEpss.subarray(0, goodEpss.length - 20)),
  ],
  [
    'a gzip with a wrong checksum',
    'epss',
    /damaged|check|corrupt/i,
    (w) => w.serve(PATHS.epss, Buffer.concat([goodEpss.subarray(0, -8), Buffer.alloc(4), goodEpss.subarray(-4)])),
  ],
  ['a gzip in a gzip', 'epss', /again|twice|gzip/i, (w) => w.serve(PATHS.epss, gzipSync(goodEpss))],
  [
    'a gzip with something behind it',
    'epss',
    /damaged/,
    (w) => w.serve(PATHS.epss, Buffer.concat([goodEpss, Buffer.from('and more')])),
  ],
  ['a bomb: a thousand times its size', 'epss', /100 times its size/, (w) => w.serve(PATHS.epss, bomb)],
  ['a web page as .gz', 'epss', /HTML|web page|gzip/i, (w) => w.serve(PATHS.epss, '<html>sorry</html>')],
  ['another hash than announced', 'nvd', /SHA-256/, (w) => w.serveNvd(nvdJson(), { sha256: 'A'.repeat(64) })],
  ['another size than announced', 'nvd', /size|bytes/i, (w) => w.serveNvd(nvdJson(), { size: 17 })],
  [
    'a .meta that is a web page',
    'nvd',
    /meta/i,
    (w) => w.serve(PATHS.nvdMeta, manners.answers(200, '<html>sorry</html>', { 'content-type': 'text/plain' })),
  ],
  ['no .meta', 'nvd', /404/, (w) => w.serve(PATHS.nvdMeta, manners.answers(404))],
  [
    'a zip whose entries climb out of it',
    'cve',
    /\.\.|name|path/i,
    (w) => w.serveCveList(zip({ '../../etc/passwd.json': '{}' }), 21),
  ],
  [
    'a zip that is cut short',
    'cve',
    /zip|archive|end/i,
    (w) => w.serveCveList(fullList(cveRecord('CVE-2026-10000')).subarray(0, 200), 21),
  ],
  ['a zip that is a web page', 'cve', /zip|archive/i, (w) => w.serveCveList(Buffer.from('<html>sorry</html>'), 21)],
]

await playAll(packing)
