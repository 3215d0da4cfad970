// From the parameters of a method to a call, and from its answer to what the method promises.
import { mergeBatches, splitIds } from './batch.ts'
import { type Detail, detailOf } from './detail.ts'
import type { components } from './generated/openapi.ts'
import type { CallOptions } from './options.ts'
import { type Listing, listing, type Page, type RecentPage } from './paginate.ts'
import type {
  Batch,
  BatchFilters,
  Cve,
  Field,
  Health,
  KevEntry,
  KevFilters,
  ListedCve,
  RecentCve,
  RecentFilters,
  SearchFilters,
  Selection,
  Source,
} from './records.ts'
import type { Send } from './request.ts'

type Schemas = components['schemas']
type Pagination = Schemas['CveList']['pagination']

const cvePath = (id: string) => `api/v1/cve/${encodeURIComponent(id)}`

export async function getCve<Name extends Field>(
  send: Send,
  id: string,
  { signal, ...query }: Selection<Name> & CallOptions,
): Promise<Cve<Name>> {
  const { data } = await send<{ readonly cve: Cve<Name> }>({ method: 'GET', path: cvePath(id), query, signal })
  return data.cve
}

/** One call after the other: many at once would count against the account's calls in flight. */
export async function batchCves<Name extends Field>(
  send: Send,
  ids: readonly string[],
  { signal, ...filters }: BatchFilters<Name> & CallOptions,
): Promise<Batch<Name>> {
  const batches: Batch<Name>[] = []
  for (const cve_ids of splitIds(ids, filters.sort !== undefined)) {
    const body = { cve_ids, ...filters }
    const { data } = await send<Batch<Name>>({ method: 'POST', path: 'api/v1/cve/batch', body, signal })
    batches.push(data)
  }
  return mergeBatches(batches, ids.length)
}

interface CvePage<Record> {
  readonly cves: readonly Record[]
  readonly pagination: Pagination
}

export function searchCves<Name extends Field>(
  send: Send,
  filters: SearchFilters<Name> & CallOptions,
): Listing<ListedCve<Name>> {
  return listFrom<CvePage<ListedCve<Name>>, Page<ListedCve<Name>>>({
    send,
    path: 'api/v1/cves',
    filters,
    toPage: ({ cves, pagination }) => pageOf(cves, pagination),
  })
}

export function recentCves<Name extends Field>(
  send: Send,
  filters: RecentFilters<Name> & CallOptions,
): Listing<RecentCve<Name>, RecentPage<RecentCve<Name>>> {
  return listFrom<CvePage<RecentCve<Name>> & Omit<Schemas['RecentCves'], 'cves'>, RecentPage<RecentCve<Name>>>({
    send,
    path: 'api/v1/cves/recent',
    filters,
    toPage: ({ cves, pagination, lookback_period, total_found }) => ({
      ...pageOf(cves, pagination),
      lookbackPeriod: lookback_period,
      totalFound: total_found,
    }),
  })
}

export function listKev(send: Send, filters: KevFilters & CallOptions): Listing<KevEntry> {
  return listFrom<Schemas['KevList'], Page<KevEntry>>({
    send,
    path: 'api/v1/kev',
    filters,
    toPage: ({ kev_entries, pagination }) => pageOf(kev_entries, pagination),
  })
}

interface ListWanted<Data, PageOf> {
  readonly send: Send
  readonly path: string
  readonly filters: CallOptions & { readonly after?: string }
  readonly toPage: (data: Data) => PageOf
}

function listFrom<Data, PageOf extends Page<unknown>>({
  send,
  path,
  filters,
  toPage,
}: ListWanted<Data, PageOf>): Listing<PageOf['items'][number], PageOf> {
  const { signal, ...query } = filters
  return listing(async (after) => {
    const { data } = await send<Data>({ method: 'GET', path, query: { ...query, after }, signal })
    return toPage(data)
  }, filters.after)
}

function pageOf<Item>(items: readonly Item[], { limit, hasMore, nextCursor, totalEstimate }: Pagination): Page<Item> {
  return { items, limit, hasMore, nextCursor, totalEstimate }
}

export async function getDetail(
  send: Send,
  id: string,
  { vendor, signal }: { readonly vendor?: Source } & CallOptions,
): Promise<Detail> {
  const path = `${cvePath(id)}/detail`
  const { data, headers } = await send<Schemas['CveDetail']>({ method: 'GET', path, query: { vendor }, signal })
  return detailOf(data, headers.get('X-Blob-Status'))
}

export async function fetchData<Data>(send: Send, path: string, signal: AbortSignal | undefined): Promise<Data> {
  const { data } = await send<Data>({ method: 'GET', path, signal })
  return data
}

export async function getHealth(send: Send, signal: AbortSignal | undefined): Promise<Health> {
  const { data } = await send<Health>({ method: 'GET', path: 'health', isPublic: true, signal })
  return data
}
