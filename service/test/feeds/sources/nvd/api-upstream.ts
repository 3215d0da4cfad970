// NVD's API in small: it pages, takes windows, and misbehaves when told to. Its time is that of the test.
import { formatInstant } from '../../../../src/domain/instant.ts'
import { nvdFeed } from '../../../../src/feeds/sources/nvd/feed.ts'
import { type Handler, manners, startUpstream } from '../../../support/network/upstream.ts'
import { nvdContainer, nvdRecord, patientDownload, told, visitOf } from './fixtures.ts'

export interface Asked {
  readonly at: Date
  readonly startIndex: number
  readonly size: number
  readonly window: { readonly from: Date; readonly until: Date } | undefined
  readonly url: string
  readonly key: string | undefined
}

/** What happens at the n-th request, counted from 1: another answer, or something behind the scenes. */
export type Interlude = (n: number, asked: Asked) => Handler | undefined

const PATH = '/rest/json/cves/2.0'

interface Habits {
  readonly apiKey?: string | null
  /** However many are asked for, a page has no more than these. */
  readonly pageLimit?: number
}

export async function startNvdApi({ apiKey = null, pageLimit = 2000 }: Habits = {}) {
  const upstream = await startUpstream()
  const { clock, sleep, download } = patientDownload(upstream.host)
  const asked: Asked[] = []
  const held = new Map<string, Date>()
  let interlude: Interlude = () => undefined

  upstream.serve(PATH, (request, response) => {
    const entry = understood(request, clock.now())
    asked.push(entry)
    const how = interlude(asked.length, entry) ?? manners.answers(200, pageOf(held, entry, pageLimit))
    return how(request, response)
  })
  const feed = nvdFeed({ route: 'api', feedsUrl: '', apiUrl: `${upstream.url}${PATH}`, apiKey }, sleep)
  const context = (cursor?: unknown) => visitOf({ download, cursor, now: clock.now() })
  return {
    clock,
    asked,
    feed,
    context,
    run: async (cursor?: unknown) => told(feed, await context(cursor)),
    /** NVD modifies a record, which goes to the end of the list, or gets a new one. */
    modify: (id: string, at = clock.now()): undefined => {
      held.delete(id)
      held.set(id, at)
    },
    remove: (id: string): undefined => {
      held.delete(id)
    },
    at: (way: Interlude) => {
      interlude = way
    },
  }
}

function understood({ query, headers, path }: Parameters<Handler>[0], at: Date): Asked {
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

function pageOf(held: ReadonlyMap<string, Date>, { startIndex, size, window }: Asked, pageLimit: number): string {
  const matching = [...held].filter(([, at]) => !window || (at >= window.from && at <= window.until))
  const records = matching.slice(startIndex, startIndex + Math.min(size, pageLimit))
  return nvdContainer(
    records.map(([id, at]) => nvdRecord(id, { lastModified: formatInstant(at).slice(0, -1) })),
    { startIndex, totalResults: matching.length },
  )
}

export type NvdApi = Awaited<ReturnType<typeof startNvdApi>>

/** The most requests in any half minute. */
export function busiestHalfMinute(asked: readonly Asked[]): number {
  const times = asked.map(({ at }) => at.getTime())
  return Math.max(...times.map((start) => times.filter((time) => time >= start && time < start + 30_000).length))
}

export const cveId = (index: number) => `CVE-2026-${String(10_000 + index)}`

/** So many records, one second apart, the newest of them some hours old. */
export function fill(nvd: NvdApi, count: number): void {
  const newest = nvd.clock.now().getTime() - 6 * 3_600_000
  for (let index = 0; index < count; index += 1) nvd.modify(cveId(index), new Date(newest - (count - index) * 1000))
}
