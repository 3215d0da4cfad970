// One function per endpoint: builds the call from the method's parameters and converts the response.
import { mergeBatches, splitIds } from './batch.ts'
import { type Detail, toDetail } from './detail.ts'
import type { components } from './generated/openapi.ts'
import type { CallOptions } from './options.ts'
import {
  createListing,
  type EpssMoverPage,
  type ExploitPage,
  type Listing,
  type Page,
  type RecentPage,
  type SearchPage,
} from './paginate.ts'
import type {
  AliasCves,
  Batch,
  BatchFilters,
  Component,
  Cve,
  EpssMover,
  EpssMoverFilters,
  EpssSeries,
  EpssWindow,
  ExploitEvidence,
  ExploitFilters,
  Facet,
  FacetFilters,
  Facets,
  Field,
  Health,
  KevEntry,
  KevFilters,
  ListedCve,
  ListParameter,
  MatchOptions,
  MatchResult,
  NameKind,
  PriorityContext,
  PriorityPolicy,
  Ranking,
  RecentCve,
  RecentFilters,
  SbomDocument,
  SbomScan,
  ScanFormat,
  ScanOptions,
  SearchedComponent,
  SearchFilters,
  Selection,
  Source,
  Suggestion,
  UnknownName,
} from './records.ts'
import type { Send } from './request.ts'
import { encodeSbom } from './sbom-body.ts'

type Schemas = components['schemas']
type Pagination = Schemas['CveList']['pagination']

export const cvePath = (id: string) => `api/v1/cve/${encodeURIComponent(id)}`

export async function getCve<Name extends Field>(
  send: Send,
  id: string,
  { signal, ...query }: Selection<Name> & CallOptions,
): Promise<Cve<Name>> {
  const { data } = await send<{ readonly cve: Cve<Name> }>({ method: 'GET', path: cvePath(id), query, signal })
  return data.cve
}

/** Sends the calls of a batch one after the other, because an account has a limit on concurrent calls. */
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

export async function matchComponents(
  send: Send,
  components: readonly Component[],
  { signal, ...options }: MatchOptions & CallOptions,
): Promise<MatchResult> {
  const body = { components, ...options }
  const { data } = await send<MatchResult>({ method: 'POST', path: 'api/v1/match', body, signal })
  return data
}

export async function scanSbom<Format extends ScanFormat>(
  send: Send,
  document: SbomDocument,
  { signal, suppress, ...query }: ScanOptions<Format> & CallOptions,
): Promise<SbomScan<Format>> {
  const content = await encodeSbom(document, suppress)
  const { data } = await send<SbomScan<Format>>({ method: 'POST', path: 'api/v1/sbom', query, content, signal })
  return data
}

export async function prioritizeCves(
  send: Send,
  cve_ids: readonly string[],
  { signal, ...context }: PriorityContext & CallOptions,
): Promise<Ranking> {
  const body = { cve_ids, ...context }
  const { data } = await send<Ranking>({ method: 'POST', path: 'api/v1/prioritize', body, signal })
  return data
}

export async function getPolicy(
  send: Send,
  { version, signal }: { readonly version?: PriorityPolicy['version'] } & CallOptions,
): Promise<PriorityPolicy> {
  const query = { version }
  const { data } = await send<Schemas['PriorityPolicy']>({ method: 'GET', path: 'api/v1/policy', query, signal })
  return data.policy
}

export async function findAlias(send: Send, alias: string, { signal }: CallOptions): Promise<AliasCves> {
  const path = `api/v1/alias/${encodeURIComponent(alias)}`
  const { data } = await send<AliasCves>({ method: 'GET', path, signal })
  return data
}

export async function suggestNames(
  send: Send,
  kind: NameKind,
  text: string,
  { limit, signal }: { readonly limit?: number } & CallOptions,
): Promise<readonly Suggestion[]> {
  const query = { of: kind, q: text, limit }
  const { data } = await send<Schemas['Suggestions']>({ method: 'GET', path: 'api/v1/suggest', query, signal })
  return data.suggestions
}

export async function countFacets(
  send: Send,
  facets: readonly Facet[],
  { signal, ...filters }: FacetFilters & CallOptions,
): Promise<Facets> {
  const query = { facets, ...filters }
  const { data } = await send<Facets>({ method: 'GET', path: 'api/v1/cves/facets', query, signal })
  return data
}

export async function listFilters(
  send: Send,
  { name, signal }: { readonly name?: readonly string[] } & CallOptions,
): Promise<readonly ListParameter[]> {
  const query = { name }
  const { data } = await send<Schemas['ListParameters']>({ method: 'GET', path: 'api/v1/filters', query, signal })
  return data.filters
}

interface CvePage<Item> {
  readonly cves: readonly Item[]
  readonly pagination: Pagination
  readonly component?: SearchedComponent
  readonly did_you_mean?: readonly UnknownName[]
}

export function searchCves<Name extends Field>(
  send: Send,
  filters: SearchFilters<Name> & CallOptions,
): Listing<ListedCve<Name>, SearchPage<ListedCve<Name>>> {
  return listPages<CvePage<ListedCve<Name>>, SearchPage<ListedCve<Name>>>({
    send,
    path: 'api/v1/cves',
    filters,
    convert: ({ cves, pagination, component, did_you_mean = [] }) => ({
      ...toPage(cves, pagination),
      component,
      unknownNames: did_you_mean,
    }),
  })
}

export function recentCves<Name extends Field>(
  send: Send,
  filters: RecentFilters<Name> & CallOptions,
): Listing<RecentCve<Name>, RecentPage<RecentCve<Name>>> {
  return listPages<CvePage<RecentCve<Name>> & Omit<Schemas['RecentCves'], 'cves'>, RecentPage<RecentCve<Name>>>({
    send,
    path: 'api/v1/cves/recent',
    filters,
    convert: ({ cves, pagination, component, did_you_mean = [], lookback_period, total_found }) => ({
      ...toPage(cves, pagination),
      lookbackPeriod: lookback_period,
      totalFound: total_found,
      component,
      unknownNames: did_you_mean,
    }),
  })
}

export function listKev(send: Send, filters: KevFilters & CallOptions): Listing<KevEntry> {
  return listPages<Schemas['KevList'], Page<KevEntry>>({
    send,
    path: 'api/v1/kev',
    filters,
    convert: ({ kev_entries, pagination }) => toPage(kev_entries, pagination),
  })
}

export function listExploits(
  send: Send,
  id: string,
  filters: ExploitFilters & CallOptions,
): Listing<ExploitEvidence, ExploitPage> {
  return listPages<Schemas['ExploitList'], ExploitPage>({
    send,
    path: `${cvePath(id)}/exploits`,
    filters,
    convert: ({ evidence, pagination, ...summary }) => ({ ...toPage(evidence, pagination), summary }),
  })
}

export async function getEpssSeries(
  send: Send,
  id: string,
  { signal, ...query }: EpssWindow & CallOptions,
): Promise<EpssSeries> {
  const { data } = await send<EpssSeries>({ method: 'GET', path: `${cvePath(id)}/epss`, query, signal })
  return data
}

export function listEpssMovers(send: Send, filters: EpssMoverFilters & CallOptions): Listing<EpssMover, EpssMoverPage> {
  return listPages<Schemas['EpssMovers'], EpssMoverPage>({
    send,
    path: 'api/v1/epss/movers',
    filters,
    convert: ({ movers, pagination, window }) => ({ ...toPage(movers, pagination), window }),
  })
}

interface ListRequest<Data, ItemPage> {
  readonly send: Send
  readonly path: string
  readonly filters: CallOptions & { readonly after?: string }
  readonly convert: (data: Data) => ItemPage
}

export function listPages<Data, ItemPage extends Page<unknown>>({
  send,
  path,
  filters,
  convert,
}: ListRequest<Data, ItemPage>): Listing<ItemPage['items'][number], ItemPage> {
  const { signal, ...query } = filters
  return createListing(async (after) => {
    const { data } = await send<Data>({ method: 'GET', path, query: { ...query, after }, signal })
    return convert(data)
  }, filters.after)
}

export function toPage<Item>(
  items: readonly Item[],
  { limit, hasMore, nextCursor, totalEstimate }: Pagination,
): Page<Item> {
  return { items, limit, hasMore, nextCursor, totalEstimate }
}

export async function getDetail(
  send: Send,
  id: string,
  { vendor, signal }: { readonly vendor?: Source } & CallOptions,
): Promise<Detail> {
  const path = `${cvePath(id)}/detail`
  const { data, headers } = await send<Schemas['CveDetail']>({ method: 'GET', path, query: { vendor }, signal })
  return toDetail(data, headers.get('X-Blob-Status'))
}

export async function fetchData<Data>(send: Send, path: string, signal: AbortSignal | undefined): Promise<Data> {
  const { data } = await send<Data>({ method: 'GET', path, signal })
  return data
}

export async function getHealth(send: Send, signal: AbortSignal | undefined): Promise<Health> {
  const { data } = await send<Health>({ method: 'GET', path: 'health', isPublic: true, signal })
  return data
}
