// Plays NVD's API of changes: pages, windows of time, and errors on demand. It uses the test clock.
import { formatInstant } from '../../../../src/domain/instant.ts'
import { nvdHistoryFeed } from '../../../../src/feeds/sources/nvd/history/feed.ts'
import { behaviours, type Handler, startUpstream } from '../../../support/network/upstream.ts'
import { fakeTimeDownload } from './fixtures.ts'

export interface PlayedChange {
  readonly cveId: string
  readonly cveChangeId: string
  readonly created: string
  readonly eventName: string
  readonly sourceIdentifier: string
  readonly details: readonly object[]
}

const PATH = '/rest/json/cvehistory/2.0'

export function changeId(number: number): string {
  return `${String(number).padStart(8, '0')}-21F7-4043-A28B-8242B587EDD3`
}

export function playedChange(number: number, changes: Partial<PlayedChange> = {}): PlayedChange {
  return {
    cveId: `CVE-2024-${1000 + (number % 50)}`,
    cveChangeId: changeId(number),
    eventName: 'CVE Modified',
    sourceIdentifier: 'nvd@nist.gov',
    created: '2026-08-20T10:00:00.123',
    details: [{ action: 'Added', type: 'CWE', newValue: `NIST CWE-${number}` }],
    ...changes,
  }
}

export const historyPage = (changes: readonly PlayedChange[], startIndex = 0, totalResults = changes.length) =>
  JSON.stringify({
    resultsPerPage: changes.length,
    startIndex,
    totalResults,
    format: 'NVD_CVEHistory',
    version: '2.0',
    timestamp: '2026-08-22T16:00:00.000',
    cveChanges: changes.map((change) => ({ change })),
  })

interface Options {
  readonly pagesPerRun?: number
  /** Maximum number of changes on a page, whatever size is requested. */
  readonly pageLimit?: number
}

export async function startHistoryApi({ pagesPerRun = 1000, pageLimit = 5000 }: Options = {}) {
  const upstream = await startUpstream()
  const { clock, sleep, download } = fakeTimeDownload(upstream.host)
  const requests: { readonly from: string; readonly until: string; readonly startIndex: number; readonly at: Date }[] =
    []
  const changes: PlayedChange[] = []
  let hook: (n: number) => Handler | undefined = () => undefined
  upstream.serve(PATH, (request, response) => {
    const { query } = request
    const [from = '', until = ''] = ['changeStartDate', 'changeEndDate'].map((name) => query.get(name) ?? '')
    const [startIndex, size] = [Number(query.get('startIndex')), Number(query.get('resultsPerPage'))]
    requests.push({ from, until, startIndex, at: clock.now() })
    const matching = changes
      .filter(
        ({ created }) => `${created}Z` >= formatInstant(new Date(from)) && new Date(`${created}Z`) <= new Date(until),
      )
      .toSorted((a, b) => (a.created < b.created ? -1 : 1))
    const page = matching.slice(startIndex, startIndex + Math.min(size, pageLimit))
    const how = hook(requests.length) ?? behaviours.answers(200, historyPage(page, startIndex, matching.length))
    return how(request, response)
  })
  return {
    clock,
    requests,
    changes,
    download,
    feed: nvdHistoryFeed({ apiUrl: `${upstream.url}${PATH}`, apiKey: null, pagesPerRun }, sleep),
    onRequest: (next: (n: number) => Handler | undefined) => {
      hook = next
    },
  }
}
