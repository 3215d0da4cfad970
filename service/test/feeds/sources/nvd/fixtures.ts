// NVD in small: records, files and their .meta as it writes them, and what the feed makes of them.
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openDownload } from '../../../../src/feeds/download/open-download.ts'
import type { Download } from '../../../../src/feeds/download.ts'
import { type Delivery, isRejected, type Rejected, type FetchContext } from '../../../../src/feeds/feed.ts'
import { nvdFeed } from '../../../../src/feeds/sources/nvd/feed.ts'
import { atEnd } from '../../../support/cleanup.ts'
import { testClock } from '../../../support/clock.ts'

export const NOW = new Date('2026-08-22T20:00:00Z')

/** One record, with everything that we rely on. */
export function nvdRecord(id: string, changes: Readonly<Record<string, unknown>> = {}): { readonly cve: object } {
  const criteria = 'cpe:2.3:a:examplesoft:teapot:*:*:*:*:*:*:*:*'
  return {
    cve: {
      id,
      sourceIdentifier: 'security@teapot.example',
      published: '2026-08-01T10:15:20.123',
      lastModified: '2026-08-20T09:30:00.907',
      vulnStatus: 'Analyzed',
      cveTags: [],
      descriptions: [{ lang: 'en', value: 'The teapot pours before it is asked to.' }],
      metrics: { cvssMetricV31: [rating(7.5)] },
      weaknesses: [{ source: 'nvd@nist.gov', type: 'Primary', description: [{ lang: 'en', value: 'CWE-20' }] }],
      configurations: [
        {
          nodes: [
            {
              operator: 'OR',
              negate: false,
              cpeMatch: [{ vulnerable: true, criteria, versionEndExcluding: '2.4', matchCriteriaId: 'A1' }],
            },
          ],
        },
      ],
      references: [{ url: 'https://teapot.example/advisories/1', source: 'security@teapot.example' }],
      ...changes,
    },
  }
}

export function rating(
  baseScore: unknown,
  type = 'Primary',
  vectorString = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
) {
  return { source: 'nvd@nist.gov', type, cvssData: { version: '3.1', vectorString, baseScore } }
}

export function nvdContainer(records: readonly unknown[], changes: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    resultsPerPage: records.length,
    startIndex: 0,
    totalResults: records.length,
    format: 'NVD_CVE',
    version: '2.0',
    timestamp: '2026-08-22T14:00:00.6409264',
    vulnerabilities: records,
    ...changes,
  })
}

/** As NVD writes it, with the line ends of Windows. */
export function nvdMeta(json: string, changes: Readonly<Record<string, string | number>> = {}): string {
  const lines = {
    lastModifiedDate: '2026-08-22T14:00:00-04:00',
    size: Buffer.byteLength(json),
    zipSize: gzipSync(json).length + 136,
    gzSize: gzipSync(json).length,
    sha256: createHash('sha256').update(json).digest('hex').toUpperCase(),
    ...changes,
  }
  return Object.entries(lines)
    .map(([name, value]) => `${name}:${value}\r\n`)
    .join('')
}

export async function temporaryFolder(files: Readonly<Record<string, string | Buffer>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vis-nvd-test-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  return folder
}

/** A clock that stands still, except that whoever sleeps moves it on; and a download that goes by it. */
export function patientDownload(host: string) {
  const clock = testClock(NOW.toISOString())
  const sleep = (ms: number): Promise<void> => {
    clock.advance({ seconds: ms / 1000 })
    return Promise.resolve()
  }
  const download = openDownload({
    userAgent: 'a test',
    allowedHosts: [host],
    privateHosts: [host],
    now: clock.now,
    random: () => 0,
    sleep,
  })
  return { clock, sleep, download }
}

const UNREACHABLE: Download = { file: () => Promise.reject(new Error('this test has no network')) }

export async function visitOf(changes: Partial<FetchContext> = {}): Promise<FetchContext & { readonly notices: string[] }> {
  const notices: string[] = []
  return {
    cursor: undefined,
    now: NOW,
    from: undefined,
    download: UNREACHABLE,
    spool: await temporaryFolder(),
    signal: new AbortController().signal,
    notices,
    notice: (sentence) => void notices.push(sentence),
    ...changes,
  }
}

export const nvdFromDirectory = nvdFeed({ route: 'feeds', feedsUrl: '', apiUrl: '', apiKey: null })

type NvdFeed = ReturnType<typeof nvdFeed>

export interface Told extends Omit<Delivery<unknown>, 'records'> {
  /** The ids that became rows. */
  readonly ids: readonly string[]
  readonly rejected: readonly Rejected[]
}

/** What the machine would get to see: the deliveries in their order, read to the end and normalised. */
export async function told(feed: NvdFeed, context: FetchContext): Promise<Told[]> {
  const all: Told[] = []
  for await (const { records, ...delivery } of feed.fetch(context)) {
    const rows: ReturnType<NvdFeed['normalise']>[] = []
    for await (const reading of records(() => {}))
      rows.push(isRejected(reading) ? reading : feed.normalise(reading.raw, context.now))
    const ids = rows.flatMap((row) => (isRejected(row) ? [] : [row.cveId]))
    all.push({ ...delivery, ids, rejected: rows.filter(isRejected) })
  }
  return all
}
