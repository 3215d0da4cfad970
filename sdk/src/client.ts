// The client, with one method per endpoint.
import { type AccountMethods, createAccountMethods } from './account-methods.ts'
import { followChanges, listChangedRecords, listChanges, summarizeChanges } from './changes.ts'
import type { Detail } from './detail.ts'
import {
  batchCves,
  countFacets,
  fetchData,
  findAlias,
  getCve,
  getDetail,
  getHealth,
  getPolicy,
  listExploits,
  listFilters,
  listKev,
  matchComponents,
  prioritizeCves,
  recentCves,
  scanSbom,
  searchCves,
  suggestNames,
} from './endpoints.ts'
import { createEpssCalls, type EpssCalls } from './epss.ts'
import { createHistoryCalls, type HistoryCalls } from './history.ts'
import type { CallOptions, ClientOptions, SessionClientOptions } from './options.ts'
import type { ExploitPage, Listing, RecentPage, SearchPage } from './paginate.ts'
import type {
  AliasCves,
  Batch,
  BatchFilters,
  ChangedRecords,
  ChangeFilters,
  ChangePage,
  ChangeSummary,
  Component,
  Cve,
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
  Ping,
  PingLite,
  PriorityContext,
  PriorityPolicy,
  Ranking,
  RecentCve,
  RecentFilters,
  SbomDocument,
  SbomScan,
  ScanFormat,
  ScanOptions,
  SearchFilters,
  Selection,
  Source,
  Suggestion,
  Usage,
} from './records.ts'
import { createSender, createSessionSender, type Send } from './request.ts'
import { createSnapshotMethods, type SnapshotMethods } from './snapshot-methods.ts'
import { createStatisticsCalls, type StatisticsCalls } from './statistics.ts'
import { createTriageMethods, type TriageMethods } from './triage.ts'

/** A client for the service, created by {@link createClient}. Its methods do not use `this`: pass them as functions. */
export interface Client
  extends AccountMethods,
    EpssCalls,
    HistoryCalls,
    StatisticsCalls,
    SnapshotMethods,
    TriageMethods {
  /**
   * Returns one CVE. Costs `PRICES.getCve` credits. An unknown id rejects with a {@link VisError} with code
   * `NOT_FOUND` and is free.
   *
   * ```ts
   * const cve = await client.cve('CVE-2021-44228', { include: ['attack'] })
   * console.log(cve.description, cve.cvss.v3_1?.baseScore, cve.kev?.dueDate, cve.attack?.techniques)
   * ```
   */
  cve<const Name extends Field = never>(id: string, options?: Selection<Name> & CallOptions): Promise<Cve<Name>>

  /**
   * Returns any number of CVEs. Sends 50 ids per call and costs `PRICES.batchCves` credits per call.
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
   * Returns for up to 100 components, in one call, which CVEs affect their versions, according to whom, and which
   * version to upgrade to. A component that no complete and current database judges is `not_covered`, never
   * `not_affected`; `COVERAGE_GAPS` of `vis-sdk/vocabulary` explains its `coverage_gap`.
   *
   * ```ts
   * const { components, fix_plan, overview } = await client.match(
   *   [
   *     { ref: 'web', cpe: 'cpe:2.3:a:apache:http_server:2.4.59:*:*:*:*:*:*:*' },
   *     { purl: 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1' },
   *   ],
   *   { priority_max: 'P2' },
   * )
   * for (const { ref, verdict, coverage_gap, matches } of components)
   *   console.log(ref, verdict, coverage_gap, matches.map(({ id, statement }) => `${id}: ${statement.text}`))
   * for (const { from_version, to_version, remains } of fix_plan) console.log(from_version, to_version, remains)
   * console.log(overview.by_verdict.affected, overview.by_verdict.not_covered)
   * ```
   */
  match(components: readonly Component[], options?: MatchOptions & CallOptions): Promise<MatchResult>

  /**
   * Returns for every component of an SBOM which CVEs affect its version, as {@link Client.match} does for single
   * components. The document is CycloneDX or SPDX as JSON, with at most 5,000 components and 10 MiB. Costs
   * `PRICES.scanSbom` credits. With a VEX `format`, the answer has a VEX document in `document` instead of
   * `components` and `fix_plan`.
   *
   * ```ts
   * const response = await fetch('https://example.org/sbom.json')
   * const { sbom, components, gate } = await client.scanSbom(await response.text(), { fail_on: 'P1' })
   * console.log(sbom.components_read, gate?.result, gate?.findings)
   * for (const { interpreted_as, matches } of components)
   *   for (const { id, statement } of matches) console.log(id, interpreted_as.product, statement.text)
   * ```
   */
  scanSbom<const Format extends ScanFormat = 'json'>(
    document: SbomDocument,
    options?: ScanOptions<Format> & CallOptions,
  ): Promise<SbomScan<Format>>

  /**
   * Lists the changes after a position of the change log, oldest first: `'start'`, `'now'`, or `next_since` of the
   * last page. With `wait`, the service answers as soon as there is a change. Costs `PRICES.listChanges` credits. A
   * {@link VisError} with the code `GONE` means that the log cannot continue from the position.
   *
   * ```ts
   * const { changes, next_since } = await client.changes('start', { types: ['kev_added'] })
   * for (const { cve_id, diff } of changes) console.log(cve_id, diff['kev.dueDate']?.new)
   * console.log(next_since)
   * ```
   */
  changes(since: string, filters?: ChangeFilters & CallOptions): Promise<ChangePage>

  /** Counts the changes between two positions, by type and cause. Costs `PRICES.summarizeChanges` credits. */
  changeSummary(since: string, options?: { readonly until?: string } & CallOptions): Promise<ChangeSummary>

  /**
   * Returns the current records of the CVEs that changed after a position, each once. Costs
   * `PRICES.listChangedRecords` credits. To keep a copy, replace each record, and store `next_since` in the same
   * transaction.
   */
  changedRecords(since: string, options?: { readonly limit?: number } & CallOptions): Promise<ChangedRecords>

  /**
   * Follows the change log forever: yields each page with changes and waits for the next one. Store a page's
   * `next_since` after you have processed the page, and continue from it after a restart.
   *
   * ```ts
   * for await (const { changes, next_since } of client.followChanges('now', { types: ['kev_added'] }))
   *   console.log(changes.map(({ cve_id }) => cve_id), next_since)
   * ```
   */
  followChanges(since: string, filters?: Omit<ChangeFilters, 'wait'> & CallOptions): AsyncIterable<ChangePage>

  /**
   * Ranks at most 500 CVEs by urgency, with the reasons for each level. Costs `PRICES.prioritize` credits for any
   * number of ids. `context` describes the affected systems, and `items` describes them for single ids.
   *
   * ```ts
   * const { ranked, by_level } = await client.prioritize(['CVE-2021-44228', 'CVE-2014-0160'], {
   *   context: { exposure: 'internal' },
   *   items: [{ cve_id: 'CVE-2014-0160', exposure: 'exposed', ref: 'edge-proxy' }],
   * })
   * for (const { cve_id, priority } of ranked) console.log(priority.level, cve_id, priority.reasons[0])
   * console.log(by_level.P0)
   * ```
   */
  prioritize(ids: readonly string[], options?: PriorityContext & CallOptions): Promise<Ranking>

  /**
   * Returns the rules that determine the levels `P0` to `P4`: the current version, or an older one. Free of charge.
   *
   * ```ts
   * const { version, levels } = await client.policy()
   * console.log(version, levels.map(({ level, title }) => `${level}: ${title}`))
   * ```
   */
  policy(options?: { readonly version?: PriorityPolicy['version'] } & CallOptions): Promise<PriorityPolicy>

  /**
   * Lists CVEs that match all filters. Costs `PRICES.searchCves` credits per page.
   *
   * ```ts
   * for await (const cve of client.search({ severity: ['critical'], kev: true, sort: 'epss_desc', limit: 100 })) {
   *   console.log(cve.cve_id, cve.epss?.score)
   * }
   * ```
   *
   * With `cpe` or `purl`, the list contains the CVEs that affect this component. Read a page's `component` as well: it
   * says whether the service knows the product and can compare its version.
   *
   * ```ts
   * const { items, component } = await client.search({ purl: 'pkg:npm/lodash@4.17.20' }).page()
   * console.log(component?.verdict, items.map(({ cve_id }) => cve_id))
   * ```
   */
  search<const Name extends Field = never>(
    filters?: SearchFilters<Name> & CallOptions,
  ): Listing<ListedCve<Name>, SearchPage<ListedCve<Name>>>

  /**
   * Counts up to 5 facets of a search exactly; null stands for no value. Costs `PRICES.facetCves` credits.
   *
   * ```ts
   * const { facets, total } = await client.facets(['severity', 'cwe'], { product_vendor: ['fortinet'] })
   * for (const { value, count } of facets.cwe ?? []) console.log(value, count)
   * ```
   */
  facets(facets: readonly Facet[], filters?: FacetFilters & CallOptions): Promise<Facets>

  /**
   * Suggests names of products, vendors, weaknesses, assigners or techniques that begin with a text or resemble it. Free
   * of charge.
   *
   * ```ts
   * const names = await client.suggest('product', 'fortois')
   * console.log(names[0]?.vendor, names[0]?.value)
   * ```
   */
  suggest(
    kind: NameKind,
    text: string,
    options?: { readonly limit?: number } & CallOptions,
  ): Promise<readonly Suggestion[]>

  /**
   * Returns the CVEs that an advisory covers, such as `GHSA-jfh8-c2jp-5v3q` or `RHSA-2024:4312`. Costs
   * `PRICES.getAlias` credits. An unknown id rejects with a {@link VisError} with code `NOT_FOUND` and is free.
   *
   * ```ts
   * const { cve_ids } = await client.alias('GHSA-jfh8-c2jp-5v3q')
   * ```
   */
  alias(alias: string, options?: CallOptions): Promise<AliasCves>

  /**
   * Describes every parameter of every list, or those with the given names: meaning, type, allowed values and examples.
   * Free of charge.
   *
   * ```ts
   * for (const { name, allowed, examples } of await client.filters()) console.log(name, allowed ?? examples)
   * ```
   */
  filters(options?: { readonly name?: readonly string[] } & CallOptions): Promise<readonly ListParameter[]>

  /**
   * Lists recently published or modified CVEs, newest first. An addition to or a removal from a KEV catalog and an
   * ACSC notice count as modifications, dated when the service first published them. Costs
   * `PRICES.recentCves` credits per page.
   *
   * ```ts
   * for await (const cve of client.recent({ hours: 6, type: 'published' })) console.log(cve.cve_id, cve.severity)
   * ```
   */
  recent<const Name extends Field = never>(
    filters?: RecentFilters<Name> & CallOptions,
  ): Listing<RecentCve<Name>, RecentPage<RecentCve<Name>>>

  /**
   * Lists CISA's catalog of known exploited vulnerabilities, newest first. Costs `PRICES.listKev` credits per page.
   *
   * ```ts
   * for await (const entry of client.kev({ ransomware: true })) console.log(entry.cveId, entry.dueDate)
   * ```
   */
  kev(filters?: KevFilters & CallOptions): Listing<KevEntry>

  /**
   * Returns one source's record of a CVE, or the reason why there is no full record. Costs
   * `PRICES.getCveDetail` credits, or none if the source has no record of the CVE.
   *
   * ```ts
   * const detail = await client.detail('CVE-2021-44228', { vendor: 'cve' })
   * if (detail.kind === 'full') console.log(detail.record.metrics.exploitability.evidence)
   * else console.log(detail.message)
   * ```
   */
  detail(id: string, options?: { readonly vendor?: Source } & CallOptions): Promise<Detail>

  /**
   * Lists the evidence that a CVE is or can be exploited, strongest first. Costs `PRICES.listExploits` credits per
   * page.
   *
   * ```ts
   * const { summary, items } = await client.exploits('CVE-2021-44228').page()
   * console.log(summary.maturity, summary.first_public, summary.counts.repository, items[0]?.url)
   * ```
   */
  exploits(id: string, filters?: ExploitFilters & CallOptions): Listing<ExploitEvidence, ExploitPage>

  /**
   * Returns the plan of the key's account and the credits of this month. Free of charge.
   *
   * ```ts
   * const { credits_remaining, reset_at } = await client.usage()
   * ```
   */
  usage(options?: CallOptions): Promise<Usage>

  /** Checks the service, its database and the key. Free of charge. */
  ping(options?: CallOptions): Promise<Ping>

  /** Checks the service and the key without the database, for frequent checks. Free of charge. */
  pingLite(options?: CallOptions): Promise<PingLite>

  /**
   * Returns the size and age of each data set: the age of the last import (`age_seconds`) and of the newest upstream data
   * in it (`data_age_seconds`). Neither needs nor sends the key.
   */
  health(options?: CallOptions): Promise<Health>
}

/**
 * Creates a client for one service with one key. The client holds no connection, so there is nothing to close.
 *
 * ```ts
 * import { createClient } from 'vis-sdk'
 *
 * const client = createClient({ url: 'http://127.0.0.1:3000', apiKey: 'vis_live_…' })
 * const cve = await client.cve('CVE-2021-44228')
 * ```
 */
export function createClient(options: ClientOptions): Client {
  return createMethods(createSender(options))
}

/**
 * Creates a client for a page that the service itself serves, such as its web console. The client sends the session
 * cookie of the page instead of an API key. It works only in a browser, and only for the page's own origin.
 *
 * ```ts
 * import { createSessionClient } from 'vis-sdk'
 *
 * const client = createSessionClient({ url: `${location.origin}/console` })
 * const cve = await client.cve('CVE-2021-44228')
 * ```
 */
export function createSessionClient(options: SessionClientOptions): Client {
  return createMethods(createSessionSender(options))
}

function createMethods(send: Send): Client {
  return {
    cve: (id, options = {}) => getCve(send, id, options),
    batch: (ids, options = {}) => batchCves(send, ids, options),
    match: (components, options = {}) => matchComponents(send, components, options),
    scanSbom: (document, options = {}) => scanSbom(send, document, options),
    changes: (since, filters = {}) => listChanges(send, since, filters),
    changeSummary: (since, options = {}) => summarizeChanges(send, since, options),
    changedRecords: (since, options = {}) => listChangedRecords(send, since, options),
    followChanges: (since, filters = {}) => followChanges(send, since, filters),
    ...createSnapshotMethods(send),
    prioritize: (ids, options = {}) => prioritizeCves(send, ids, options),
    policy: (options = {}) => getPolicy(send, options),
    search: (filters = {}) => searchCves(send, filters),
    facets: (facets, filters = {}) => countFacets(send, facets, filters),
    suggest: (kind, text, options = {}) => suggestNames(send, kind, text, options),
    alias: (alias, options = {}) => findAlias(send, alias, options),
    filters: (options = {}) => listFilters(send, options),
    recent: (filters = {}) => recentCves(send, filters),
    kev: (filters = {}) => listKev(send, filters),
    detail: (id, options = {}) => getDetail(send, id, options),
    exploits: (id, filters = {}) => listExploits(send, id, filters),
    ...createEpssCalls(send),
    ...createHistoryCalls(send),
    usage: async ({ signal } = {}) => (await fetchData<{ usage: Usage }>(send, 'api/v1/usage', signal)).usage,
    ...createAccountMethods(send),
    ...createStatisticsCalls(send),
    ...createTriageMethods(send),
    ping: ({ signal } = {}) => fetchData(send, 'api/v1/ping', signal),
    pingLite: ({ signal } = {}) => fetchData(send, 'api/v1/ping-lite', signal),
    health: ({ signal } = {}) => getHealth(send, signal),
  }
}
