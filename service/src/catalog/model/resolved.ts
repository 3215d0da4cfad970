// A CVE merged from the claims of all sources. Every value names its provider and keeps the values that it took
// precedence over.
import type { CveId } from '../../domain/cve-id.ts'
import type { DescribingSource } from '../../domain/source/source.ts'
import type {
  Affected,
  Claim,
  ClaimSource,
  Configuration,
  CpeMatch,
  Exploitation,
  Provider,
  Rating,
  Reference,
  Ssvc,
} from './claim.ts'
import type { Conclusion } from './conclusion.ts'
import type { FixEvidence, FixMember } from './fix-evidence.ts'

export interface Attributed<T> {
  readonly value: T
  readonly by: Provider
  /** Last change of the record that states the value, or the day of the statement. */
  readonly time: string | null
}

export interface Chosen<T> extends Attributed<T> {
  /** Values from other providers, highest precedence first. */
  readonly runnersUp: readonly Attributed<T>[]
}

export interface Resolved {
  readonly cveId: CveId
  /** The first describing source that says something about the CVE (decision C13). */
  readonly sourceTag: DescribingSource
  readonly published: Chosen<Date> | null
  readonly modified: Chosen<Date>
  readonly status: Chosen<string>
  readonly description: Chosen<string> | null
  /** Tags from all sources, such as `disputed` (decision E8), sorted. */
  readonly tags: readonly string[]
  /** Rating for search filters and sorting (decision C3). */
  readonly score: Chosen<Rating> | null
  /** CVSS 3.1, else CVSS 3.0 (decision C4). */
  readonly v3: Chosen<Rating> | null
  readonly v4: Chosen<Rating> | null
  readonly v2: Chosen<Rating> | null
  /** Sorted by CWE number. */
  readonly weaknesses: readonly { readonly id: string; readonly by: readonly Provider[] }[]
  readonly cpe: ResolvedCpe
  /** Configurations from every provider, highest precedence first. A detail record shows those of its own source. */
  readonly cpeCandidates: readonly CpeCandidate[]
  /** Products from every source that names vendors and products. */
  readonly affected: readonly Affected[]
  readonly references: readonly Reference[]
  readonly exploitation: Chosen<Exploitation> | null
  /** CISA's assessment, else another provider's. Older ones are among the runners-up. */
  readonly ssvc: Chosen<Ssvc> | null
  readonly fix: Chosen<FixEvidence> | null
  /** Evidence that sources give for a version which is affected according to a conclusion. */
  readonly doubtedFixes: readonly Attributed<FixEvidence>[]
  /** Every fixed version that its source or one that comes before it calls affected, by each source that names it. */
  readonly doubted: readonly Pick<Fix, 'product' | 'version' | 'by'>[]
  /** Fixes in the structured data of all sources, one per product and branch (decision E36). */
  readonly fixes: readonly Fix[]
  /** Number of fixes beyond those (`limitFixes`). */
  readonly omittedFixes: number
  /** What the service concludes where sources contradict each other. No claim is changed by it. */
  readonly conclusions: readonly Conclusion[]
  /** What each provider contributes to the merged values. */
  readonly parts: {
    readonly tags: readonly Attributed<readonly string[]>[]
    /** Sorted by CWE number. */
    readonly weaknesses: readonly Attributed<readonly string[]>[]
    readonly affected: readonly Attributed<number>[]
    readonly references: readonly Attributed<number>[]
  }
  /** Sources with a record for the CVE, sorted. Only values of the `vendor` parameter occur (decision A12). */
  readonly sources: readonly string[]
  /** Detail records, one per source, are rendered from these. */
  readonly claims: readonly Claim[]
}

/** The fixed version of one branch of one product (decision E36). */
export interface Fix {
  readonly vendor: string
  readonly product: string
  readonly packageUrl: string | null
  /** Package inside the product that the version belongs to. */
  readonly packageName?: string
  /** Leading numbers of the branch's versions, such as `2.12`; null if no source shows a branch. */
  readonly branch: string | null
  readonly version: string
  /** Target software of the CPE name. Absent if the version is for all platforms. */
  readonly platform?: string
  /** Edition of the CPE name. Absent if the version is for all editions. */
  readonly edition?: string
  readonly isCommit: boolean
  readonly by: Provider
  /** Last change of the record that names the version. */
  readonly time: string | null
  /** Member of the source's record that names the version. */
  readonly member: FixMember
  /** The service read the version from a text that names several, or from one about a solution. */
  readonly isDerived?: true
  readonly rank: FixRank
  /** According to a conclusion or to another source, the version is affected. */
  readonly isDoubted: boolean
  /** Sources that list the version as affected: by itself, or before the version here, the last one of a range. */
  readonly contradictedBy: readonly Omit<FixRival, 'member'>[]
  /** Other sources that name the same version. */
  readonly agreeing: readonly Omit<FixRival, 'version'>[]
  /** Other versions that sources name for the same branch, highest precedence first. */
  readonly rivals: readonly FixRival[]
}

/**
 * How close the product is to the CVE: a product that the CVE is about, another one, which may contain it, or a
 * distribution's package of it.
 */
export type FixRank = 'own' | 'other' | 'redistributed'

interface FixRival {
  readonly version: string
  readonly by: Provider
  readonly time: string | null
  readonly member: FixMember
}

export interface CpeCandidate {
  readonly source: ClaimSource
  readonly by: Provider
  /** Time of the record in which the provider names the products. */
  readonly time: string | null
  readonly configurations: readonly Configuration[]
  readonly isDerived: boolean
  /** The provider limits versions only by commits, so its matches cover any version. */
  readonly isByCommit: boolean
}

export interface ResolvedCpe {
  readonly configurations: readonly Configuration[]
  /** Matches from all configurations, without duplicates. */
  readonly matches: readonly CpeMatch[]
  /** Provider of the matches, or of the data from which they were derived. */
  readonly by: Provider | null
  readonly time: string | null
  /** Derived from the vendor, product and versions that a CNA gives. */
  readonly isDerived: boolean
  /** Numbers of matches from the other providers, highest precedence first. */
  readonly runnersUp: readonly (Attributed<number> & Pick<CpeCandidate, 'isDerived'>)[]
}

export interface Techniques {
  /** ATT&CK ids, sorted and without duplicates. */
  readonly ids: readonly string[]
  /** `curated`: people assigned the techniques to this CVE. `derived`: rules did. */
  readonly mapping: 'curated' | 'derived' | null
}
