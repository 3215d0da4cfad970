// A row of catalog.affected: the versions of one product or package that one source calls affected or unaffected. The
// publisher writes these rows and matching reads them.
import { type RawBuilder, sql } from 'kysely'
import type { CopyValue } from '../database/copy-line.ts'
import type { SchemeName } from '../domain/version/schemes.ts'

/** Scheme by which versions are compared; `commit` for hashes, which have no order. */
type VersionScheme = SchemeName | 'commit'

/** Limits of a range of versions. A limit that is null does not exist. */
export interface Limits {
  readonly low: string | null
  readonly isLowIncluded: boolean
  readonly high: string | null
  readonly isHighIncluded: boolean
}

export const UNLIMITED: Limits = { low: null, isLowIncluded: false, high: null, isHighIncluded: false }

/** Prefix of the source of a row whose name this service derived. */
export const DERIVED = 'derived:'

export interface AffectedName {
  readonly kind: 'cpe' | 'purl'
  /** CPE vendor, or type and namespace of the purl, such as `maven/org.apache.ant` or `npm`. */
  readonly vendor: string
  /** CPE product, or name of the purl. */
  readonly product: string
  /** CPE target software, or release of a distribution; empty for any. */
  readonly target: string
  /** CPE software edition; null for any. */
  readonly edition: string | null
}

export interface AffectedRow extends AffectedName, Limits {
  readonly scheme: VersionScheme
  /** Single versions; null for a range. An update follows its version after a blank, `-` for no update. */
  readonly versions: readonly string[] | null
  /** True if the source gives no usable version. */
  readonly isVague: boolean
  readonly isAffected: boolean
  readonly fixed: string | null
  /** Products that must be present as well: each of the lists needs one of its products. Null without a condition. */
  readonly condition: readonly (readonly Requirement[])[] | null
  /** Who says so: a provider such as `nvd` or `cna:apache`, after DERIVED for a name that this service derived. */
  readonly source: string
}

/** A row as matching reads it. The caller knows the kind of the name. */
export interface StoredRow extends Omit<AffectedRow, 'kind'> {
  /** Key of the CVE; for an advisory without a CVE its negative key. */
  readonly subjectKey: string
}

/** A product that must be present, in these versions if there are any. */
export interface Requirement {
  readonly part: string
  readonly vendor: string
  readonly product: string
  readonly versions?: readonly string[]
  readonly ranges?: readonly RequiredRange[]
}

/** Limits of a required product, under the names that NVD uses. */
export interface RequiredRange {
  readonly from?: string
  readonly after?: string
  readonly through?: string
  readonly before?: string
}

/** Members that catalog.affected_name has instead, once for all rows of a name. */
type NameMember = 'kind' | 'vendor' | 'product'

/** Columns of the other members, in the order of the table. */
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
} as const satisfies Record<Exclude<keyof AffectedRow, NameMember>, string>

export const AFFECTED_COLUMNS = Object.values(COLUMN_BY_MEMBER)

/** Returns what COPY writes into AFFECTED_COLUMNS. */
export function toAffectedValues(row: AffectedRow): readonly CopyValue[] {
  const values: Record<keyof typeof COLUMN_BY_MEMBER, CopyValue> = {
    ...row,
    isLowIncluded: row.low === null ? null : row.isLowIncluded,
    isHighIncluded: row.high === null ? null : row.isHighIncluded,
    condition: row.condition && JSON.stringify(row.condition),
  }
  return MEMBERS.map((member) => values[member])
}

// The cast is safe: Object.keys returns the keys of the table as plain strings.
const MEMBERS = Object.keys(COLUMN_BY_MEMBER) as (keyof typeof COLUMN_BY_MEMBER)[]

/** The columns of `affected` under the names of the members. */
export const AFFECTED_MEMBERS: RawBuilder<unknown> = sql.join(
  MEMBERS.map((member) => {
    const column = sql.ref(`affected.${COLUMN_BY_MEMBER[member]}`)
    const isFlagOfLimit = member === 'isLowIncluded' || member === 'isHighIncluded'
    return sql`${isFlagOfLimit ? sql`${column} is true` : column} as ${sql.id(member)}`
  }),
)
