// Builds invented NVD records, files and .meta files, and runs the NVD feed without a database.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { openDownload } from '../../../../src/feeds/download/open-download.ts'
import type { Download } from '../../../../src/feeds/download.ts'
import { type Delivery, type FetchContext, isRejected, type Rejected } from '../../../../src/feeds/feed.ts'
import { nvdFeed } from '../../../../src/feeds/sources/nvd/feed.ts'
import { createTestClock } from '../../../support/clock.ts'
import { type Files, writeTemporaryDirectory } from '../../temporary-files.ts'

export const NOW = new Date('2026-08-22T20:00:00Z')

/** Builds an NVD record with every member that the NVD feed uses. */
export function nvdRecord(id: string, changes: Readonly<Record<string, unknown>> = {}): { readonly cve: object } {
  const criteria = 'cpe:2.3:a:brightwell:formserver:*:*:*:*:*:*:*:*'
  return {
    cve: {
      id,
      sourceIdentifier: 'security@brightwell.example',
      published: '2026-08-01T10:15:20.123',
      lastModified: '2026-08-20T09:30:00.907',
      vulnStatus: 'Analyzed',
      cveTags: [],
      descriptions: [{ lang: 'en', value: 'The form server writes past the end of a buffer.' }],
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
      references: [{ url: 'https://brightwell.example/advisories/1', source: 'security@brightwell.example' }],
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

/** Builds a .meta file with the CRLF line endings that NVD uses. */
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

export const temporaryFolder = (files: Files = {}) => writeTemporaryDirectory(files)

/** Opens a download client for tests. Where the real client would wait, it only advances the test clock. */
export function fakeTimeDownload(host: string) {
  const clock = createTestClock(NOW.toISOString())
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

export async function buildFetchContext(
  changes: Partial<FetchContext> = {},
): Promise<FetchContext & { readonly notices: string[] }> {
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

export const directoryFeed = nvdFeed({ route: 'feeds', feedsUrl: '', apiUrl: '', apiKey: null })

type NvdFeed = ReturnType<typeof nvdFeed>

export interface CollectedDelivery extends Omit<Delivery<unknown>, 'records'> {
  /** Ids of the valid records, which were converted to database rows. */
  readonly ids: readonly string[]
  readonly rejected: readonly Rejected[]
}

/** Runs a feed, reads and normalises all records of its deliveries (files or API pages), and returns the deliveries. */
export async function collectDeliveries(feed: NvdFeed, context: FetchContext): Promise<CollectedDelivery[]> {
  const all: CollectedDelivery[] = []
  for await (const { records, ...delivery } of feed.fetch(context)) {
    const rows: ReturnType<NvdFeed['normalise']>[] = []
    for await (const reading of records(() => {}))
      rows.push(isRejected(reading) ? reading : feed.normalise(reading.raw, context.now))
    const ids = rows.flatMap((row) => (isRejected(row) ? [] : [row.cveId]))
    all.push({ ...delivery, ids, rejected: rows.filter(isRejected) })
  }
  return all
}
