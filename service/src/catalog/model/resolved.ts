// A resolved CVE: one CVE merged from the claims of all sources (a claim is the data of one source about the CVE).
// Every value names its provider. The values of other providers, which lost to it by precedence, are kept too.
import type { CveId } from '../../domain/cve-id.ts'
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
import type { FixEvidence } from './fix-evidence.ts'

/** Provider of a value that no source states: rules of this service derived it. */
export const RULES = 'rules'

export interface Attributed<T> {
  readonly value: T
  readonly by: Provider
  /** Instant of the last change of the record that states the value, or the day of the statement; null if no date is known. */
  readonly time: string | null
}

export interface Chosen<T> extends Attributed<T> {
  /** Values from other providers that were not chosen because of their lower precedence, highest precedence first. */
  readonly runnersUp: readonly Attributed<T>[]
}

export interface Resolved {
  readonly cveId: CveId
  /**
   * Source that the CVE is attributed to: NVD if it has a record of the CVE, else the CVE List, else KEV (decision
   * C13).
   */
  readonly sourceTag: 'nvd' | 'cve' | 'kev'
  readonly published: Chosen<Date> | null
  readonly modified: Chosen<Date>
  readonly status: Chosen<string>
  readonly description: Chosen<string> | null
  /** Tags such as `disputed` of all sources (decision E8), sorted. */
  readonly tags: readonly string[]
  /** CVSS rating that search filters and sorting use (decision C3). */
  readonly score: Chosen<Rating> | null
  /** CVSS 3.1 rating, or the CVSS 3.0 rating if there is no CVSS 3.1 rating (decision C4). */
  readonly v3: Chosen<Rating> | null
  readonly v4: Chosen<Rating> | null
  readonly v2: Chosen<Rating> | null
  /** Weaknesses in the order of their CWE numbers, each with all providers that named the weakness. */
  readonly weaknesses: readonly { readonly id: string; readonly by: readonly Provider[] }[]
  readonly cpe: ResolvedCpe
  /** CPE configurations of every provider, highest precedence first. The detail records show those of their source. */
  readonly cpeCandidates: readonly CpeCandidate[]
  /** Affected products with vendor and product name, from every source that lists affected products. */
  readonly affected: readonly Affected[]
  readonly references: readonly Reference[]
  readonly exploitation: Chosen<Exploitation> | null
  /** SSVC assessment by CISA, else by another provider. Older assessments are among the runners-up. */
  readonly ssvc: Chosen<Ssvc> | null
  readonly fix: Chosen<FixEvidence> | null
  /** Fixed versions that structured data of any source names, without duplicates. */
  readonly fixes: readonly Fix[]
  /** The share of each provider in the merged values: its tags and weaknesses, and its numbers of products and references. */
  readonly parts: {
    readonly tags: readonly Attributed<readonly string[]>[]
    /** Weaknesses in the order of their CWE numbers. */
    readonly weaknesses: readonly Attributed<readonly string[]>[]
    readonly affected: readonly Attributed<number>[]
    readonly references: readonly Attributed<number>[]
  }
  /**
   * Names of the sources that have a record of the CVE, sorted. Contains only sources that the `vendor` parameter
   * accepts (decision A12).
   */
  readonly sources: readonly string[]
  /**
   * The claims (the data of each source about the CVE) from which the CVE was merged. The detail records of the CVE,
   * one per source, are rendered from them.
   */
  readonly claims: readonly Claim[]
}

/** A version of a product or package that contains a fix. */
export interface Fix {
  readonly vendor: string
  readonly product: string
  readonly packageUrl: string | null
  /** Package inside the product to which the version belongs. Absent if the version is one of the product. */
  readonly packageName?: string
  readonly version: string
  /** Platform to which the version belongs (target software of the CPE name). Absent if the version is for all platforms. */
  readonly platform?: string
  /** True if `version` is a commit. */
  readonly isCommit: boolean
  readonly by: Provider
}

export interface CpeCandidate {
  readonly source: ClaimSource
  readonly by: Provider
  /** Time of the record in which the provider names products. */
  readonly time: string | null
  readonly configurations: readonly Configuration[]
  readonly isDerived: boolean
  /** True if the provider gives only commits, so that its matches cover any version. */
  readonly isByCommit: boolean
}

export interface ResolvedCpe {
  readonly configurations: readonly Configuration[]
  /** CPE matches of all configurations, without duplicates. */
  readonly matches: readonly CpeMatch[]
  /** Provider of the CPE matches, or of the data that the matches were derived from; null if there are no matches. */
  readonly by: Provider | null
  readonly time: string | null
  /** True if the service derived the CPE matches from the vendor, product and versions that a CNA gives. */
  readonly isDerived: boolean
  /** Numbers of CPE matches of the other providers, highest precedence first. */
  readonly runnersUp: readonly (Attributed<number> & Pick<CpeCandidate, 'isDerived'>)[]
}

export interface Techniques {
  /** ATT&CK technique ids, sorted and without duplicates. */
  readonly ids: readonly string[]
  /** Whether people assigned the techniques to this CVE or rules derived them; null without techniques. */
  readonly mapping: 'curated' | 'derived' | null
}
