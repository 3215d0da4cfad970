// A row of catalog.affected: the versions of one product or package that one source calls affected or unaffected. The
// publisher writes these rows and matching reads them.
import { type RawBuilder, sql } from 'kysely'
import type { CopyValue } from '../database/copy-line.ts'
import type { DistributionState } from '../domain/match-words.ts'
import type { SchemeName } from '../domain/version/schemes.ts'

/** `commit` stands for commit hashes, which have no order. */
type VersionScheme = SchemeName | 'commit'

/** A limit is null if it does not exist. */
export interface Limits {
  readonly low: string | null
  readonly isLowIncluded: boolean
  readonly high: string | null
  readonly isHighIncluded: boolean
}

export const UNLIMITED: Limits = { low: null, isLowIncluded: false, high: null, isHighIncluded: false }

/** Prefix of `source` in rows whose product name this service derived. */
export const DERIVED = 'derived:'
export const stripDerived = (source: string) => (source.startsWith(DERIVED) ? source.slice(DERIVED.length) : source)

export interface AffectedName {
  readonly kind: 'cpe' | 'purl'
  /** The CPE vendor, or the purl's type and namespace, such as `maven/org.apache.ant` or `npm`. */
  readonly vendor: string
  /** The CPE product, or the purl's name. */
  readonly product: string
  /** The CPE target software, or the distribution's release; empty for any. */
  readonly target: string
  /** The CPE software edition, or the edition of a CPE 2.2 name; null for any. */
  readonly edition: string | null
}

/** How far a distribution's statement reaches. A member is null or absent if the source does not state it. */
export interface Reach {
  /** RPM module streams of the package, such as `nodejs:20`; empty if the package is in a module but no stream is named. */
  readonly streams?: readonly string[] | null
  /** Newest version that the source knew when it called the package affected. */
  readonly known?: string | null
  /** The distribution's own word, such as `unimportant`. */
  readonly urgency?: string | null
  /** What the distribution does about it, from DISTRIBUTION_STATES. */
  readonly state?: DistributionState | null
  /** Day of a statement without versions, such as `2026-08-22`. */
  readonly statedOn?: string | null
  /** Why the product is not affected, in CSAF's words such as `component_not_present`. */
  readonly justification?: string | null
}

export interface AffectedRow extends AffectedName, Limits, Reach {
  readonly scheme: VersionScheme
  /** Single versions; null for a range. A space and an update, or `-` for no update, may follow a version. */
  readonly versions: readonly string[] | null
  /** The source gives no usable version. */
  readonly isVague: boolean
  readonly isAffected: boolean
  readonly fixed: string | null
  /** Products that must also be present, one from each list. */
  readonly condition: readonly (readonly Requirement[])[] | null
  /** A provider such as `nvd` or `cna:apache`, with the prefix DERIVED if this service derived the product name. */
  readonly source: string
}

/** Leaves out `kind`, which readers already know. */
export interface StoredRow extends Omit<AffectedRow, 'kind'> {
  /** The CVE's key, or the negative key of an advisory without a CVE. */
  readonly subjectKey: string
}

export interface Requirement {
  readonly part: string
  readonly vendor: string
  readonly product: string
  readonly versions?: readonly string[]
  readonly ranges?: readonly RequiredRange[]
}

/** `from` and `through` are included limits, `after` and `before` are excluded ones. */
export interface RequiredRange {
  readonly from?: string
  readonly after?: string
  readonly through?: string
  readonly before?: string
}

export function toRequiredRange({ low, isLowIncluded, high, isHighIncluded }: Limits): RequiredRange {
  return {
    ...(low !== null && (isLowIncluded ? { from: low } : { after: low })),
    ...(high !== null && (isHighIncluded ? { through: high } : { before: high })),
  }
}

/** Members stored in catalog.affected_name, once for all rows with the same name. */
type NameMember = 'kind' | 'vendor' | 'product'

/** Columns in the order of the table. */
const COLUMN_BY_MEMBER = {
  isAffected: 'is_affected',
  isVague: 'is_vague',
  isLowIncluded: 'low_in',
  isHighIncluded: 'high_in',
  scheme: 'scheme',
  source: 'source',
  target: 'target',
  edition: 'edition',
  versions: 'versions',
  low: 'low',
  high: 'high',
  fixed: 'fixed',
  condition: 'condition',
  streams: 'streams',
  known: 'known',
  urgency: 'urgency',
  state: 'state',
  statedOn: 'stated_on',
  justification: 'justification',
} as const satisfies Record<Exclude<keyof AffectedRow, NameMember>, string>

export const AFFECTED_COLUMNS = Object.values(COLUMN_BY_MEMBER)

/** Returns the values of a row to COPY into AFFECTED_COLUMNS. */
export function toAffectedValues(row: AffectedRow): readonly CopyValue[] {
  const values: Record<keyof typeof COLUMN_BY_MEMBER, CopyValue> = {
    ...row,
    isLowIncluded: row.low === null ? null : row.isLowIncluded,
    isHighIncluded: row.high === null ? null : row.isHighIncluded,
    condition: row.condition && JSON.stringify(row.condition),
    streams: row.streams ?? null,
    known: row.known ?? null,
    urgency: row.urgency ?? null,
    state: row.state ?? null,
    statedOn: row.statedOn ?? null,
    justification: row.justification ?? null,
  }
  return MEMBERS.map((member) => values[member])
}

const MEMBERS = Object.keys(COLUMN_BY_MEMBER) as (keyof typeof COLUMN_BY_MEMBER)[]

/** Selects the columns of `affected` under the names of the members. */
export const AFFECTED_MEMBERS: RawBuilder<unknown> = sql.join(
  MEMBERS.map((member) => {
    const column = sql.ref(`affected.${COLUMN_BY_MEMBER[member]}`)
    const isFlagOfLimit = member === 'isLowIncluded' || member === 'isHighIncluded'
    const value = isFlagOfLimit ? sql`${column} is true` : member === 'statedOn' ? sql`${column}::text` : column
    return sql`${value} as ${sql.id(member)}`
  }),
)
