// Types of records and filters. All member names are those in openapi.json.
import type { components, operations } from './generated/openapi.ts'

type Schemas = components['schemas']
export type QueryParameters<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>

/** Request body of a batch. */
type BatchBody = operations['batchCves']['requestBody']['content']['application/json']

type SingleMembers = Schemas['Cve']['cve']
type ListedMembers = Schemas['CveList']['cves'][number]
type BatchMembers = Schemas['CveBatch']['cves'][string]
type RecentMembers = Schemas['RecentCves']['cves'][number]

/** Name of a CVE member that `fields` can select, such as `'cve_id'` or `'epss'`. */
export type Field = NonNullable<QueryParameters<'getCve' | 'recentCves'>['fields']>[number]

/**
 * Member that `include` adds to a CVE: `'acsc'`, `'enrichment'`, `'attack'`, `'priority'`, `'fixes'`, `'aliases'` and
 * `'epss_trend'`; for a single CVE and in a batch also `'configurations'`, `'sources'`, `'exploits'` and
 * `'remediations'`; for a single CVE also `'timeline'`, and for recent CVEs `'events'`. `'kev'` and `'epss'` need no
 * include.
 */
export type Include = NonNullable<QueryParameters<'getCve' | 'recentCves'>['include']>[number]

/** Severity by base score: `'critical'` from 9.0, `'high'` from 7.0, `'medium'` from 4.0, `'low'` above 0.0. */
export type Severity = NonNullable<QueryParameters<'searchCves'>['severity']>[number]

/** Sort order of a search or a batch, such as `'epss_desc'`. */
export type Sort = NonNullable<QueryParameters<'searchCves'>['sort']>

/** Source of a detail record: `'nvd'` and `'cve'` on all plans, other sources only on enterprise plans. */
export type Source = NonNullable<QueryParameters<'getCveDetail'>['vendor']>

/** Members that a CVE has only if there is data for them, or only if `include` names them. */
type OptionalMember =
  | 'tags'
  | 'kev'
  | 'epss'
  | 'acsc'
  | 'acsc_notices'
  | 'attack'
  | 'enrichment'
  | 'configurations'
  | 'sources'
  | 'exploits'
  | 'priority'
  | 'fixes'
  | 'fixes_omitted'
  | 'remediations'
  | 'remediations_omitted'
  | 'aliases'
  | 'events'
  | 'timeline'
  | 'epss_trend'

type DefaultMember = 'cve_id' | 'published' | 'modified' | 'description' | 'severity' | 'status'
type MinimalMember = DefaultMember | 'source_tag' | 'enrichment_status'

/** CVE requested without `fields`: the members `Names` are always present, optional members may be missing. */
type With<Members, Names extends keyof Members> = Required<Pick<Members, Names>> &
  Pick<Members, Extract<keyof Members, OptionalMember>>

/**
 * Keys under which a response contains a field, with the count of the items that it leaves out. In lists of CVEs, the
 * field `acsc` has the key `acsc_notices`.
 */
type ResponseKey<Members, Name> = Name extends keyof Members
  ? Name | (Name extends string ? Extract<`${Name}_omitted`, keyof Members> : never)
  : Name extends 'acsc'
    ? Extract<'acsc_notices', keyof Members>
    : never

/**
 * CVE requested with `fields`: the selected members. If their names are not known at compile time, all are optional.
 */
type Selected<Members, Name extends Field> = Field extends Name
  ? Members
  : Required<Pick<Members, Exclude<ResponseKey<Members, Name>, OptionalMember>>> &
      Pick<Members, Extract<ResponseKey<Members, Name>, OptionalMember>>

type View<Members, Names extends keyof Members, Name extends Field> = [Name] extends [never]
  ? With<Members, Names>
  : Selected<Members, Name>

/** A CVE as {@link Client.cve} returns it. With `fields`, only the selected members. */
export type Cve<Name extends Field = never> = View<
  SingleMembers,
  DefaultMember | 'source_tag' | 'cvss' | 'cpe' | 'references',
  Name
>

/** A CVE as {@link Client.search} lists it. With `fields`, only the selected members. */
export type ListedCve<Name extends Field = never> = View<ListedMembers, DefaultMember | 'cvss', Name>

/** A CVE as {@link Client.batch} returns it. With `fields`, only the selected members. */
export type BatchCve<Name extends Field = never> = View<BatchMembers, MinimalMember, Name>

/** A CVE as {@link Client.recent} lists it. With `fields`, only the selected members. */
export type RecentCve<Name extends Field = never> = View<RecentMembers, MinimalMember, Name>

/** Event that makes a CVE recent, with its type and time: an item of the member `events`. */
export type RecentEvent = Schemas['RecentEvent']

/** A parameter of one or more lists, as {@link Client.filters} describes it. */
export type ListParameter = Schemas['ListParameter']

/** CVSS scores of a CVE, by CVSS version. */
export type Cvss = Schemas['Cvss']

/** One product name and version range in CPE. */
export type CpeMatch = Schemas['CpeMatch']

/** A combination of products that is affected as a whole: an item of the member `configurations`. */
export type Configuration = Schemas['Configuration']

/** Facts derived from all sources together: the member `enrichment`. */
export type Enrichment = NonNullable<Schemas['Enrichment']>

/** The sources of each value of a CVE: the member `sources`. */
export type ValueSources = Schemas['Sources']

/** Statement of one source about a value: an item of `from` and `others` in {@link ValueSources}. */
export interface SourceStatement {
  /** Organisation or data set that states the value, such as `'nvd'` or `'cna:apache'`. */
  readonly source: string
  /** Time of the last change to the source's record that contains the statement. */
  readonly time?: string
  /** Day of the statement, if the source gives a day instead of a time. */
  readonly date?: string
  /** True if the source's text or list was longer than the service stores and was cut. */
  readonly truncated?: true
  /** The value, if it is a text that differs from the record. */
  readonly value?: string
  /** Product to which a fixed version belongs. */
  readonly product?: string
  /** Branch of the product to which a fixed version belongs, such as `'2.12'`. */
  readonly branch?: string
  /** CVSS version of a rating. */
  readonly version?: string
  /** Base score of a rating, computed from its vector. */
  readonly score?: number
  /** CVSS vector string of a rating. */
  readonly vector?: string
  /** Base score that the source states, if it differs from the vector's. */
  readonly stated_score?: number
  /** CWE ids, sorted by number. */
  readonly cwe_list?: readonly string[]
  /** Tags of the CVE, such as `'disputed'`, sorted. */
  readonly tags?: readonly string[]
  /** Number of items that the source states, such as CPE matches or references. */
  readonly count?: number
  /** Present if the service derived the value. */
  readonly derived?: true
  /** Time at which CISA removed the entry from its KEV catalog. */
  readonly removed_at?: string
}

/** How urgent a CVE is and why: the member `priority`. */
export type Priority = Schemas['Priority']

/** The fixed version of one branch of a product: an item of the member `fixes`. */
export type FixedVersion = Schemas['FixedVersion']

/** A publisher's advice, such as a workaround: an item of the member `remediations`. */
export type Remediation = Schemas['Remediation']

/** Level of a priority, from `'P0'` (act now) to `'P4'` (routine); `'unrated'` if nothing is known yet. */
export type Level = NonNullable<Priority['level']>

/** Verdicts on components, as {@link Client.match} returns them. */
export type MatchResult = Schemas['MatchedComponents']

/** A component of a {@link MatchResult}. */
export type MatchedComponent = MatchResult['components'][number]

/** The next version of a package, as a {@link MatchResult} and an {@link SbomScan} plan it. */
export type PlannedFix = MatchResult['fix_plan'][number]

/** A name in the filters `product` or `product_vendor` that no CVE has, with similar names. */
export type UnknownName = Schemas['UnknownName']

/** What is known about the component that a list is filtered by, with `cpe` or `purl`. */
export type SearchedComponent = Schemas['SearchedComponent']
/** Answer format of {@link Client.scanSbom}: verdicts as JSON, or a VEX document. */
export type ScanFormat = NonNullable<QueryParameters<'scanSbom'>['format']>

type ScanMembers = Schemas['SbomScan']

/** Verdicts on the components of an SBOM, or a VEX document about them, as {@link Client.scanSbom} returns them. */
export type SbomScan<Format extends ScanFormat = 'json'> = Omit<ScanMembers, 'components' | 'fix_plan' | 'document'> &
  Required<Pick<ScanMembers, Format extends 'json' ? 'components' | 'fix_plan' : 'document'>>
/** A page of the change log, as {@link Client.changes} returns it. */
export type ChangePage = Schemas['ChangeList']

/** One change to a CVE or to all CVEs. */
export type Change = ChangePage['changes'][number]

/** Numbers of changes, as {@link Client.changeSummary} returns them. */
export type ChangeSummary = Schemas['ChangeSummary']

/** Records that changed, as {@link Client.changedRecords} returns them. */
export type ChangedRecords = Schemas['ChangedRecordList']

/** A CVE with its whole record, or `gone: true`: an item of {@link ChangedRecords} and {@link Client.readSnapshot}. */
export type ChangedRecord = ChangedRecords['records'][number]

/** Every record of the catalog at one position in the change log, as {@link Client.snapshots} lists it. */
export type Snapshot = Schemas['Snapshot']

/** CVEs ranked by urgency, as {@link Client.prioritize} returns them. */
export type Ranking = Schemas['RankedCves']

/** A CVE in a {@link Ranking}. */
export type RankedCve = Ranking['ranked'][number]

/** Rules that determine the levels, as {@link Client.policy} returns them. */
export type PriorityPolicy = Schemas['PriorityPolicy']['policy']

/** Entry in CISA's catalog of known exploited vulnerabilities. */
export type KevEntry = Schemas['KevList']['kev_entries'][number]

/** A source's full record of a CVE. */
export type DetailRecord = Exclude<Schemas['CveDetail'], { status: 'partial' }>

/** Response of the detail endpoint if there is no full record. */
export type PartialDetailResponse = Extract<Schemas['CveDetail'], { status: 'partial' }>

/** Plan of the key's account, and this month's credits. */
export type Usage = Schemas['Usage']['usage']

/** Health of the service and its database. */
export type Ping = Schemas['Ping']

/** Health of the service without its database. */
export type PingLite = Schemas['PingLite']

/** Size and age of the data. Available without a key. */
export type Health = Schemas['Health']

/** Evidence that a CVE is or can be exploited. `maturity` is what this item alone shows. */
export type ExploitEvidence = Schemas['ExploitEvidence']

/** How mature the exploits for a CVE are, and how much evidence there is. */
export type ExploitSummary = Omit<Schemas['ExploitList'], 'evidence' | 'pagination'>

/** EPSS scores of a CVE over time, as {@link Client.epssSeries} returns them. */
export type EpssSeries = Schemas['EpssSeries']

/** CVE whose EPSS score moved, as {@link Client.epssMovers} lists it. */
export type EpssMover = Schemas['EpssMover']

/** One page of `GET /api/v1/epss/movers`. */
export type EpssMovers = Schemas['EpssMovers']

/** Record of a CVE as of the end of a day, as {@link Client.cveAsOf} returns it. */
export type CveAsOf = Schemas['CveAsOf']

/** Event before the change log begins, as {@link Client.cveHistory} returns it on the last page. */
export type EarlierEvent = Schemas['EarlierEvent']

/** Entry that is or was in the KEV catalog, as {@link Client.kevHistory} lists it. */
export type KevHistoryEntry = Schemas['KevHistoryEntry']

/** CVEs that an advisory covers, as {@link Client.alias} returns them. */
export type AliasCves = Schemas['AliasCves']

/** A name that occurs in CVEs, as {@link Client.suggest} returns it. */
export type Suggestion = Schemas['Suggestion']

/** Type of name that {@link Client.suggest} returns. */
export type NameKind = QueryParameters<'suggest'>['of']

/** Counts of the values in a search, as {@link Client.facets} returns them. */
export type Facets = Schemas['CveFacets']

/** Name of a facet, such as `'severity'` or `'product_vendor'`. */
export type Facet = QueryParameters<'facetCves'>['facets'][number]

/** Options that select which members a CVE record in a response contains. */
export interface Selection<Name extends Field = never> {
  /** Members to return; default: all. A member that `include` adds must be in `include` as well. */
  readonly fields?: readonly Name[]
  /** Members to return in addition to the default members. */
  readonly include?: readonly Include[]
}

/** Filters of a search, with the names and meaning of `GET /api/v1/cves`. */
export type SearchFilters<Name extends Field = never> = Omit<QueryParameters<'searchCves'>, 'fields'> &
  Pick<Selection<Name>, 'fields'>

/** Filters of the search whose values are counted, and the number of values per facet (`facet_size`). */
export type FacetFilters = Omit<QueryParameters<'facetCves'>, 'facets'>

/** Filters for recent CVEs, with the names and meaning of `GET /api/v1/cves/recent`. */
export type RecentFilters<Name extends Field = never> = Omit<QueryParameters<'recentCves'>, 'fields'> &
  Pick<Selection<Name>, 'fields'>

/** Filters for the KEV catalog, with the names and meaning of `GET /api/v1/kev`. */
export type KevFilters = QueryParameters<'listKev'>

/** Page size and start of a list of changes, with the names and meaning of `GET /api/v1/cve/{cve-id}/history`. */
export type HistoryFilters = QueryParameters<'listCveHistory'>

/** Filter for the KEV history, with the names and meaning of `GET /api/v1/kev/history`. */
export type KevHistoryFilters = QueryParameters<'listKevHistory'>

/** Page size and start of a list of evidence, with the names and meaning of `GET /api/v1/cve/{cve-id}/exploits`. */
export type ExploitFilters = QueryParameters<'listExploits'>

/** First and last day of a series, with the names and meaning of `GET /api/v1/cve/{cve-id}/epss`. */
export type EpssWindow = QueryParameters<'getEpssSeries'>

/** Window, direction and filters of a list of movers, with the names and meaning of `GET /api/v1/epss/movers`. */
export type EpssMoverFilters = QueryParameters<'listEpssMovers'>

/** Filters for changes, with the names and meaning of `GET /api/v1/changes`. */
export type ChangeFilters = Omit<QueryParameters<'listChanges'>, 'since'>

type MatchBody = operations['match']['requestBody']['content']['application/json']

/** A product or package in use, named by exactly one of `cpe`, `purl` and `product`, with its version. */
export type Component = MatchBody['components'][number]

/** Which matches are listed, and hits that have already been judged (`suppress`). */
export type MatchOptions = Omit<MatchBody, 'components'>

/**
 * A software bill of materials in CycloneDX JSON (1.4 to 1.7), SPDX JSON (2.3) or SPDX JSON-LD (3.0): as an object, as
 * JSON text, or as the bytes of that text, which may be compressed with gzip.
 */
export type SbomDocument = object | string | Uint8Array | ArrayBuffer

/** Which matches are listed, the answer format, the level that fails, and hits that have already been judged. */
export type ScanOptions<Format extends ScanFormat = 'json'> = Omit<QueryParameters<'scanSbom'>, 'format'> & {
  /** Answer format. Default: `'json'`. */
  readonly format?: Format
  /** Hits that have already been judged: a list as for {@link Client.match}, or an OpenVEX document as an object. */
  readonly suppress?:
    | MatchOptions['suppress']
    | { readonly '@context': string; readonly statements: readonly unknown[] }
}

/**
 * Exposure and mission of the affected systems, for all ids and for single ones (`items`), and the number of results.
 */
export type PriorityContext = Omit<operations['prioritize']['requestBody']['content']['application/json'], 'cve_ids'>

/** Filters, fields and sort order of a batch. */
export type BatchFilters<Name extends Field = never> = Selection<Name> & {
  /** Sort order of the records; default: the order of the ids. Allowed only for up to 50 ids. */
  readonly sort?: NonNullable<BatchBody['sort']>
  /** Severities to return. CVEs with a different severity are listed in `filtered_out`. */
  readonly severity?: readonly Severity[]
}

/** Result of a batch. */
export type Batch<Name extends Field = never> = Omit<Schemas['CveBatch'], 'cves' | 'credits_charged'> & {
  /** CVEs by id, in the order of the request unless `sort` is set. */
  readonly cves: Readonly<Record<string, BatchCve<Name>>>
  /** Credits charged: the price of each call of at most 50 distinct ids. */
  readonly credits_charged: number
}
