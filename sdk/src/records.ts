// What the service answers, in the words of openapi.json: every name here is one of the wire.
import type { components, operations } from './generated/openapi.ts'

type Schemas = components['schemas']
type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>

/** The body of a request, whose lists may be written by hand as well: `'kev,epss'`. */
type BatchBody = operations['batchCves']['requestBody']['content']['application/json']

type SingleMembers = Schemas['Cve']['cve']
type ListedMembers = Schemas['CveList']['cves'][number]
type BatchMembers = Schemas['CveBatch']['cves'][string]
type RecentMembers = Schemas['RecentCves']['cves'][number]

/** A member of a CVE that `fields` can select, such as `'cve_id'` or `'epss'`. */
export type Field = NonNullable<QueryOf<'getCve'>['fields']>[number]

/** An add-on that `include` can ask for: `'acsc'`, `'enrichment'`, `'attack'`. (`'kev'` and `'epss'` are there anyway.) */
export type Include = NonNullable<QueryOf<'getCve'>['include']>[number]

/** A band of scores: `'critical'` from 9.0, `'high'` from 7.0, `'medium'` from 4.0, `'low'` above 0.0. */
export type Severity = NonNullable<QueryOf<'searchCves'>['severity']>[number]

/** The order of a search or a batch, such as `'epss_desc'`. */
export type Sort = NonNullable<QueryOf<'searchCves'>['sort']>

/** Whose view of a CVE: `'nvd'` and `'cve'` for everybody, the others for enterprise plans. */
export type Source = NonNullable<QueryOf<'getCveDetail'>['vendor']>

/** Present only where there is some, or only when it is asked for. */
type Sometimes = 'kev' | 'epss' | 'acsc' | 'acsc_notices' | 'attack' | 'enrichment'

type Usual = 'cve_id' | 'published' | 'modified' | 'description'
type Minimal = Usual | 'source_tag' | 'severity' | 'status' | 'enrichment_status'

/** These are there, and of the others whatever `include` brings. */
type With<Members, Names extends keyof Members> = Required<Pick<Members, Names>> &
  Pick<Members, Extract<keyof Members, Sometimes>>

/** In lists the field `acsc` has the key `acsc_notices`. */
type KeyOf<Members, Name> = Name extends keyof Members
  ? Name
  : Name extends 'acsc'
    ? Extract<'acsc_notices', keyof Members>
    : never

/** What `fields` leaves: only these. Names that are known at run time only leave everything possible, and nothing sure. */
type Selected<Members, Name extends Field> = Field extends Name
  ? Members
  : Required<Pick<Members, Exclude<KeyOf<Members, Name>, Sometimes>>> &
      Pick<Members, Extract<KeyOf<Members, Name>, Sometimes>>

type View<Members, Names extends keyof Members, Name extends Field> = [Name] extends [never]
  ? With<Members, Names>
  : Selected<Members, Name>

/** A CVE as {@link Client.cve} answers it; with `fields`, only those members. */
export type Cve<Name extends Field = never> = View<
  SingleMembers,
  Usual | 'source_tag' | 'cvss' | 'cpe' | 'references',
  Name
>

/** A CVE as {@link Client.search} lists it; with `fields`, only those members. */
export type ListedCve<Name extends Field = never> = View<ListedMembers, Usual | 'cvss', Name>

/** A CVE as {@link Client.batch} answers it; with `fields`, only those members. */
export type BatchCve<Name extends Field = never> = View<BatchMembers, Minimal, Name>

/** A CVE as {@link Client.recent} lists it; with `fields`, only those members. */
export type RecentCve<Name extends Field = never> = View<RecentMembers, Minimal, Name>

/** An entry of CISA's catalogue of known exploited vulnerabilities. */
export type KevEntry = Schemas['KevList']['kev_entries'][number]

/** What a source knows in full about a CVE. */
export type DetailRecord = Exclude<Schemas['CveDetail'], { status: 'partial' }>

/** What is known where there is no full record. */
export type PartialDetail = Extract<Schemas['CveDetail'], { status: 'partial' }>

/** The plan of the key's account and the credits of this month. */
export type Usage = Schemas['Usage']['usage']

/** How much the service knows. */
export type Stats = Schemas['Stats']['stats']

/** Whether the service and its database are there. */
export type Ping = Schemas['Ping']

/** Whether the service is there, without asking its database. */
export type PingLite = Schemas['PingLite']

/** How large and how old the data is. Needs no key. */
export type Health = Schemas['Health']

/** Which members a CVE shall have. */
export interface Selection<Name extends Field = never> {
  /** Only these members. An add-on must be included and selected. */
  readonly fields?: readonly Name[]
  /** Add-ons beside the usual members. */
  readonly include?: readonly Include[]
}

/** The filters of a search; names and meaning are those of `GET /api/v1/cves`. */
export type SearchFilters<Name extends Field = never> = Omit<QueryOf<'searchCves'>, keyof Selection> & Selection<Name>

/** The filters of the newest CVEs; names and meaning are those of `GET /api/v1/cves/recent`. */
export type RecentFilters<Name extends Field = never> = Omit<QueryOf<'recentCves'>, keyof Selection> & Selection<Name>

/** The filters of the catalogue; names and meaning are those of `GET /api/v1/kev`. */
export type KevFilters = QueryOf<'listKev'>

/** What else can be said about a batch. */
export type BatchFilters<Name extends Field = never> = Selection<Name> & {
  /** Orders the records; default: as asked for. For at most 50 ids. */
  readonly sort?: NonNullable<BatchBody['sort']>
  /** Only these; the others are named in `filtered_out`. */
  readonly severity?: readonly Severity[]
}

/** The answer for many CVEs at once. */
export type Batch<Name extends Field = never> = Omit<Schemas['CveBatch'], 'cves' | 'credits_charged'> & {
  /** By id. Without `sort` in the order asked for. */
  readonly cves: Readonly<Record<string, BatchCve<Name>>>
  /** 35 for every 50 ids that were asked for. */
  readonly credits_charged: number
}
