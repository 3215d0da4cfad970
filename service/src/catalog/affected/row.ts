// A row of catalog.affected: the versions of one product or package that one source calls affected or unaffected.
import type { SchemeName } from '../../domain/version/schemes.ts'

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
  /** Who says so: a provider such as `nvd` or `cna:apache`, with the prefix `derived:` for a name that we derived. */
  readonly source: string
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
