// The rows of catalog.affected that name the products of a request.
import type { SchemeName } from '../domain/version/schemes.ts'

export interface AffectedRow {
  /** Key of the CVE; for an advisory without a CVE its negative key. */
  readonly subject_key: string
  readonly vendor: string
  readonly product: string
  readonly is_affected: boolean
  readonly is_vague: boolean
  readonly low_in: boolean | null
  readonly high_in: boolean | null
  readonly scheme: SchemeName | 'commit'
  /** Who says so: `nvd`, `cna:apache`, with the prefix `derived:` for a name that this service derived. */
  readonly source: string
  readonly target: string
  readonly edition: string | null
  /** Single versions; null for a range. */
  readonly versions: readonly string[] | null
  readonly low: string | null
  readonly high: string | null
  readonly fixed: string | null
  /** Each of the lists needs one of its products. */
  readonly condition: readonly (readonly Requirement[])[] | null
}

/** A product that must be present as well, in these versions if there are any. */
export interface Requirement {
  readonly vendor: string
  readonly product: string
  readonly versions?: readonly string[]
  readonly ranges?: readonly RequiredRange[]
}

interface RequiredRange {
  readonly from?: string
  readonly after?: string
  readonly through?: string
  readonly before?: string
}

export const DERIVED = 'derived:'
