// A source's statement about the versions of a product, word for word from its raw record.

/** A range as the source writes it. Every member holds the source's own text. */
export interface StatedRange {
  readonly status: 'affected' | 'unaffected' | 'unknown'
  /** A single version, or a text that may name several versions and ranges. */
  readonly only: string | null
  readonly from: string | null
  readonly after: string | null
  readonly before: string | null
  readonly through: string | null
  /** Versions at which the CNA says that the status changes to unaffected. */
  readonly changes: readonly string[]
}

/** What one source says about one product. */
export interface Statement {
  /** The source record: `nvd`, `cve`, `overrides`, `ghsa`, `osv`, `redhat`, `msrc` or `debian`. */
  readonly record: string
  /** For example `nvd`, `cna:apache` or `osv:pypa`; ANY_CNA in NVD's copy of a CNA's statement. */
  readonly provider: string
  /** Keys of the product's CPE names and package URL, from name-keys.ts. */
  readonly names: readonly string[]
  readonly vendor: string
  readonly product: string
  readonly purl: string | null
  /** The distribution's release, such as `bookworm`; null if the source names none. */
  readonly release: string | null
  readonly ranges: readonly StatedRange[]
  /** Versions in the CPE names of a product, which some CNAs give instead of ranges. */
  readonly versionsInNames: readonly string[]
  /** CNAs write conditions and sentences into version members. */
  readonly isProse: boolean
  /** Without an end, every later version is affected. In a CNA's record, it is a single version. */
  readonly isOpenEnded: boolean
  readonly isAffectedByDefault: boolean
  readonly isUnaffectedByDefault: boolean
  /** The source says that it does not know whether the product is affected. */
  readonly isUnknownByDefault: boolean
}

/** The source of the service's own conclusions. */
export const RULES = 'rules'

/** NVD identifies CNAs by e-mail address or UUID, and only a table of the first reader has their names. */
export const ANY_CNA = 'cna:*'

export const NO_RANGE: StatedRange = {
  status: 'affected',
  only: null,
  from: null,
  after: null,
  before: null,
  through: null,
  changes: [],
}

export function isSaidBy({ provider }: Pick<Statement, 'provider'>, source: string): boolean {
  return provider === source || (provider === ANY_CNA && source.startsWith('cna:'))
}
