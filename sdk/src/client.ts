// The client: one method per endpoint.
import type { Detail } from './detail.ts'
import { batchCves, fetchData, getCve, getDetail, getHealth, listKev, recentCves, searchCves } from './endpoints.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import type { Listing, RecentPage } from './paginate.ts'
import type {
  Batch,
  BatchFilters,
  Cve,
  Field,
  Health,
  KevEntry,
  KevFilters,
  ListedCve,
  Ping,
  PingLite,
  RecentCve,
  RecentFilters,
  SearchFilters,
  Selection,
  Source,
  Stats,
  Usage,
} from './records.ts'
import { sender } from './request.ts'

/** Every call of the service. Made by {@link createClient}; its methods may be passed around without it. */
export interface Client {
  /**
   * One CVE. Costs 5 credits; an unknown id is a {@link VisError} with code `NOT_FOUND` and costs nothing.
   *
   * ```ts
   * const cve = await client.cve('CVE-2021-44228', { include: ['attack'] })
   * console.log(cve.description, cve.cvss.v3_1?.baseScore, cve.kev?.dueDate, cve.attack?.techniques)
   * ```
   */
  cve<const Name extends Field = never>(id: string, options?: Selection<Name> & CallOptions): Promise<Cve<Name>>

  /**
   * Any number of CVEs, 50 in a call. Costs 35 credits a call.
   *
   * ```ts
   * const { cves, not_found } = await client.batch(['CVE-2021-44228', 'CVE-2014-0160'])
   * console.log(cves['CVE-2021-44228']?.severity, not_found)
   * ```
   */
  batch<const Name extends Field = never>(
    ids: readonly string[],
    options?: BatchFilters<Name> & CallOptions,
  ): Promise<Batch<Name>>

  /**
   * CVEs that pass all filters. Costs 1 credit a page.
   *
   * ```ts
   * for await (const cve of client.search({ severity: ['critical'], kev: true, sort: 'epss_desc', limit: 100 })) {
   *   console.log(cve.cve_id, cve.epss?.score)
   * }
   * ```
   */
  search<const Name extends Field = never>(filters?: SearchFilters<Name> & CallOptions): Listing<ListedCve<Name>>

  /**
   * What was published or modified lately, newest first. Costs 2 credits a page.
   *
   * ```ts
   * for await (const cve of client.recent({ hours: 6, type: 'published' })) console.log(cve.cve_id, cve.severity)
   * ```
   */
  recent<const Name extends Field = never>(
    filters?: RecentFilters<Name> & CallOptions,
  ): Listing<RecentCve<Name>, RecentPage<RecentCve<Name>>>

  /**
   * CISA's catalogue of known exploited vulnerabilities, newest first. Costs 1 credit a page.
   *
   * ```ts
   * for await (const entry of client.kev({ ransomware: true })) console.log(entry.cveId, entry.dueDate)
   * ```
   */
  kev(filters?: KevFilters & CallOptions): Listing<KevEntry>

  /**
   * What one source knows about a CVE, in full where there is a full record. Costs 5 credits.
   *
   * ```ts
   * const detail = await client.detail('CVE-2021-44228', { vendor: 'cve' })
   * if (detail.kind === 'full') console.log(detail.record.metrics.exploitability.evidence)
   * else console.log(detail.message)
   * ```
   */
  detail(id: string, options?: { readonly vendor?: Source } & CallOptions): Promise<Detail>

  /**
   * The plan of the key's account and the credits of this month. Free of charge.
   *
   * ```ts
   * const { credits_remaining, reset_at } = await client.usage()
   * ```
   */
  usage(options?: CallOptions): Promise<Usage>

  /** How many CVEs, KEV entries, scores and notices there are, and how new they are. Costs half a credit. */
  stats(options?: CallOptions): Promise<Stats>

  /** Whether the service, its database and the key are good. Free of charge. */
  ping(options?: CallOptions): Promise<Ping>

  /** The same without the database, for whoever asks often. Free of charge. */
  pingLite(options?: CallOptions): Promise<PingLite>

  /** How large and how old the data is. Needs no key, and does not send it. */
  health(options?: CallOptions): Promise<Health>
}

/**
 * A client of one service with one key. It holds no connection and needs no closing.
 *
 * ```ts
 * import { createClient } from '@vis/sdk'
 *
 * const client = createClient({ url: 'http://127.0.0.1:3000', apiKey: 'vis_live_…' })
 * const cve = await client.cve('CVE-2021-44228')
 * ```
 */
export function createClient(options: ClientOptions): Client {
  const send = sender(options)
  return {
    cve: (id, options = {}) => getCve(send, id, options),
    batch: (ids, options = {}) => batchCves(send, ids, options),
    search: (filters = {}) => searchCves(send, filters),
    recent: (filters = {}) => recentCves(send, filters),
    kev: (filters = {}) => listKev(send, filters),
    detail: (id, options = {}) => getDetail(send, id, options),
    usage: async ({ signal } = {}) => (await fetchData<{ usage: Usage }>(send, 'api/v1/usage', signal)).usage,
    stats: async ({ signal } = {}) => (await fetchData<{ stats: Stats }>(send, 'api/v1/stats', signal)).stats,
    ping: ({ signal } = {}) => fetchData<Ping>(send, 'api/v1/ping', signal),
    pingLite: ({ signal } = {}) => fetchData<PingLite>(send, 'api/v1/ping-lite', signal),
    health: ({ signal } = {}) => getHealth(send, signal),
  }
}
