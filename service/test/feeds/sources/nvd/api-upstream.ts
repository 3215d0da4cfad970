// A test server that behaves like NVD's API, with pages, time windows and errors on demand. It uses the test clock.
import { formatInstant } from '../../../../src/domain/instant.ts'
import { nvdFeed } from '../../../../src/feeds/sources/nvd/feed.ts'
import { behaviours, type Handler, startUpstream } from '../../../support/network/upstream.ts'
import { buildFetchContext, collectDeliveries, fakeTimeDownload, nvdContainer, nvdRecord } from './fixtures.ts'

export interface ApiRequest {
  readonly at: Date
  readonly startIndex: number
  readonly size: number
  readonly window: { readonly from: Date; readonly until: Date } | undefined
  readonly url: string
  readonly key: string | undefined
}

/** Called before the server answers its n-th request (n starts at 1). May change the data or return another answer. */
export type RequestHook = (n: number, request: ApiRequest) => Handler | undefined

const PATH = '/rest/json/cves/2.0'

interface ApiOptions {
  readonly apiKey?: string | null
  /** Maximum number of records per page of the API, whatever page size is requested. */
  readonly pageLimit?: number
}

export async function startNvdApi({ apiKey = null, pageLimit = 2000 }: ApiOptions = {}) {
  const upstream = await startUpstream()
  const { clock, sleep, download } = fakeTimeDownload(upstream.host)
  const requests: ApiRequest[] = []
  const records = new Map<string, Date>()
  let hook: RequestHook = () => undefined

  upstream.serve(PATH, (request, response) => {
    const entry = parseRequest(request, clock.now())
    requests.push(entry)
    const how = hook(requests.length, entry) ?? behaviours.answers(200, buildPage(records, entry, pageLimit))
    return how(request, response)
  })
  const feed = nvdFeed({ route: 'api', feedsUrl: '', apiUrl: `${upstream.url}${PATH}`, apiKey }, sleep)
  const context = (cursor?: unknown) => buildFetchContext({ download, cursor, now: clock.now() })
  return {
    clock,
    requests,
    feed,
    context,
    run: async (cursor?: unknown) => collectDeliveries(feed, await context(cursor)),
    /**
     * Adds an NVD record or modifies an existing one. A modified record moves to the end of the list, which is sorted
     * by time of modification.
     */
    modify: (id: string, at = clock.now()): undefined => {
      records.delete(id)
      records.set(id, at)
    },
    remove: (id: string): undefined => {
      records.delete(id)
    },
    onRequest: (next: RequestHook) => {
      hook = next
    },
  }
}

function parseRequest({ query, headers, path }: Parameters<Handler>[0], at: Date): ApiRequest {
  const [from, until] = ['lastModStartDate', 'lastModEndDate'].map((name) => query.get(name))
  return {
    at,
    startIndex: Number(query.get('startIndex')),
    size: Number(query.get('resultsPerPage')),
    window: from && until ? { from: new Date(from), until: new Date(until) } : undefined,
    url: `${path}?${query.toString()}`,
    key: headers['apikey']?.toString(),
  }
}

function buildPage(
  records: ReadonlyMap<string, Date>,
  { startIndex, size, window }: ApiRequest,
  pageLimit: number,
): string {
  const matching = [...records].filter(([, at]) => !window || (at >= window.from && at <= window.until))
  const page = matching.slice(startIndex, startIndex + Math.min(size, pageLimit))
  return nvdContainer(
    page.map(([id, at]) => nvdRecord(id, { lastModified: formatInstant(at).slice(0, -1) })),
    { startIndex, totalResults: matching.length },
  )
}

export type NvdApi = Awaited<ReturnType<typeof startNvdApi>>

/** Returns the largest number of requests that the server received within any 30 seconds. */
export function countBusiestHalfMinute(requests: readonly ApiRequest[]): number {
  const times = requests.map(({ at }) => at.getTime())
  return Math.max(...times.map((start) => times.filter((time) => time >= start && time < start + 30_000).length))
}

export const cveId = (index: number) => `CVE-2026-${String(10_000 + index)}`

/** Adds NVD records that were modified one second apart, the newest six hours ago. */
export function addRecords(nvd: NvdApi, count: number): void {
  const newest = nvd.clock.now().getTime() - 6 * 3_600_000
  for (let index = 0; index < count; index += 1) nvd.modify(cveId(index), new Date(newest - (count - index) * 1000))
}
