// One CVE as resolved from the claims of all sources. Every value names its provider and the values that it outranked.
import type { CveId } from '../../domain/cve-id.ts'
import type { Affected, Claim, Configuration, CpeMatch, Exploitation, Provider, Rating, Reference } from './claim.ts'

export interface Attributed<T> {
  readonly value: T
  readonly by: Provider
}

export interface Chosen<T> extends Attributed<T> {
  /** Values of lower precedence, in the order of precedence. */
  readonly runnersUp: readonly Attributed<T>[]
}

export interface Resolved {
  readonly cveId: CveId
  /** Source of the leading record (decision C13). */
  readonly sourceTag: 'nvd' | 'cve' | 'kev'
  readonly published: Chosen<Date> | null
  readonly modified: Chosen<Date>
  readonly status: Chosen<string>
  readonly description: Chosen<string> | null
  /** Rating that filters and sorting use (decision C3). */
  readonly score: Chosen<Rating> | null
  /** Rating of CVSS 3.1, else of 3.0 (decision C4). */
  readonly v3: Chosen<Rating> | null
  readonly v4: Chosen<Rating> | null
  readonly v2: Chosen<Rating> | null
  /** Weaknesses in numeric order, each with all providers that named it. */
  readonly weaknesses: readonly { readonly id: string; readonly by: readonly Provider[] }[]
  readonly cpe: ResolvedCpe
  /** Affected products by vendor and product name, from every source that gives some. */
  readonly affected: readonly Affected[]
  readonly references: readonly Reference[]
  readonly exploitation: Chosen<Exploitation> | null
  readonly fix: Chosen<string> | null
  /** Sources that hold a record of the CVE, sorted. Only sources that the `vendor` parameter accepts (decision A12). */
  readonly sources: readonly string[]
  /** Claims that the CVE was resolved from. Detail records are rendered from them. */
  readonly claims: readonly Claim[]
}

export interface ResolvedCpe {
  readonly configurations: readonly Configuration[]
  /** CPE matches of all configurations without duplicates. */
  readonly matches: readonly CpeMatch[]
  /** Provider of the matches, or of the data that they were derived from; null without matches. */
  readonly by: Provider | null
  /** True if we derived the matches from the vendor, product and versions of a CNA. */
  readonly isDerived: boolean
  readonly runnersUp: readonly Attributed<number>[]
}
