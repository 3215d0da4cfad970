// A claim is one source's data about one CVE, in a form that all sources share. The resolver reads only claims.
import type { DistributionState } from '../../domain/match-words.ts'
import type { CsafStatus } from '../../domain/source/csaf-record.ts'
import type { RemediationKind } from '../../domain/source/remediation.ts'
import type { DescribingSource } from '../../domain/source/source.ts'
import type { TruncatedValue } from '../../domain/source/upstream-limits.ts'
import type { FixEvidence } from './fix-evidence.ts'
import type { RecordSource } from './source-data.ts'

/** KEV entries are claims too, and so is what the other sources say about a CVE without a record in NVD or the CVE List. */
export type ClaimSource = RecordSource | DescribingSource

export interface Claim {
  readonly source: ClaimSource
  /**
   * Provider of values without their own `by`: `nvd`, `anchore`, `ghsa`, `cisa-kev`, or the CNA of a CVE List record.
   */
  readonly provider: Provider
  /** Last content change of the source record; the Unix epoch if it has no date. */
  readonly modified: Date
  readonly published: Date | null
  /** Short name of the CNA that assigned the CVE id. */
  readonly assigner?: string
  /** Advisories behind the claim, such as `RHSA-2024:6163`. */
  readonly advisories?: readonly string[]
  /** Status in NVD's terms, such as `Analyzed` (decision C12). */
  readonly status: string | null
  /** The source's title of the CVE or advisory, if it is not used as the description. */
  readonly title?: string
  readonly description: string | null
  /** Characters in the source's text were lost, even if they were restored by guessing (`repairCharacters`). */
  readonly hasLostCharacters?: true
  /** Tags such as `disputed` (decision E8), possibly repeated. */
  readonly tags: readonly Tag[]
  readonly ratings: readonly Rating[]
  readonly weaknesses: readonly Weakness[]
  /** Keeps the source's AND and OR operators. */
  readonly configurations: readonly Configuration[]
  readonly configurationsBy: Provider
  /** Products identified by vendor and product name instead of by CPE configurations. */
  readonly affected: readonly Affected[]
  /** Unaffected products, unless the source lists unaffected versions among the affected ones. */
  readonly unaffected?: readonly Affected[]
  /** Products whose status the source does not know yet. */
  readonly investigated?: readonly Affected[]
  readonly references: readonly Reference[]
  readonly exploitation: Exploitation | null
  /** In no particular order. */
  readonly ssvc?: readonly Ssvc[]
  /** The first fixed version in structured data. */
  readonly fix: FixEvidence | null
  /** Provider that names the fix; absent if it is `provider`. */
  readonly fixBy?: Provider
  readonly remediations?: readonly Remediation[]
  /** The source's texts about how to fix the problem. */
  readonly solutions?: readonly { readonly text: string; readonly by: Provider }[]
  /** Severity in the source's own words (Red Hat, MSRC, GHSA). */
  readonly severityWord: string | null
  /** Values that were too long upstream (decision E42). */
  readonly truncated?: readonly TruncatedValue[]
}

/** The members of a claim from which the dictionary of product names is learnt. */
export type NamingClaim = Pick<Claim, 'source' | 'modified' | 'status' | 'configurations' | 'affected'>

/** Advice of a publisher for some of its products: a patch, a workaround, a mitigation, or that no fix is planned. */
export interface Remediation {
  readonly kind: RemediationKind
  /** Null if the publisher's terms do not allow serving it. */
  readonly text: string | null
  readonly url: string | null
  readonly by: Provider
  readonly products: readonly RemediedProduct[]
}

export interface RemediedProduct {
  readonly vendor: string
  readonly product: string
  /** A version or a range, as the source writes it; null if it names none. */
  readonly version: string | null
  /** Package URL of the package, without version. */
  readonly packageUrl: string | null
  /** The product that contains this one. */
  readonly within?: string
}

/**
 * Organisation that provided a value: `nvd`, `cisa-adp`, `cna:<name>`, `adp:<name>`, `ghsa`, `redhat`, `msrc`,
 * `anchore`, `cisa-kev`, `eu-kev`, `osv:<database>`, or a vendor that comments on an NVD record (decision C17). One
 * source can contain values from several providers: a CVE List record has containers from its CNA and from CISA, and
 * NVD repeats the CNA's score.
 */
export type Provider = string

export interface Tag {
  readonly name: string
  readonly by: Provider
}

export interface Rating {
  readonly by: Provider
  readonly version: '2.0' | '3.0' | '3.1' | '4.0'
  readonly vector: string
  /** Computed from the vector (decision C5). */
  readonly score: number
  /** Base score that the source itself states. */
  readonly statedScore: number | null
}

export interface Weakness {
  /** Never the placeholders NVD-CWE-noinfo and NVD-CWE-Other. */
  readonly id: string
  readonly by: Provider
}

export interface Configuration {
  readonly operator: 'AND' | 'OR'
  readonly negate: boolean
  readonly nodes: readonly ConfigurationNode[]
}

export interface ConfigurationNode {
  readonly operator: 'AND' | 'OR'
  readonly negate: boolean
  readonly matches: readonly CpeMatch[]
}

export interface CpeMatch {
  readonly vulnerable: boolean
  readonly criteria: string
  readonly matchCriteriaId?: string
  readonly versionStartIncluding?: string
  readonly versionStartExcluding?: string
  readonly versionEndIncluding?: string
  readonly versionEndExcluding?: string
  /** The range starts after its end. Sources publish such ranges. */
  readonly inverted?: true
  /** The source limits the match only by commits; without them, the match covers any version. */
  readonly byCommits?: true
  /**
   * The source names affected versions, but some of them in a form that is no version, such as a URL: the match has only
   * the limits that can be read, and does not cover all other versions.
   */
  readonly unknownVersions?: true
  /** The first unaffected version after the end, as `changes` of a CNA names it. Not part of a CPE match: not served. */
  readonly fixedAt?: string
  /** The excluded end is the start of the next branch, such as 17 after `16.x`, and no fix. Not served. */
  readonly endsBranch?: true
  /** Derived from the vendor and product, or from a version such as `5.x`, that a source names (decision E6). */
  readonly derived?: true
  /** Derived, and the CPE name does not occur in NVD's configurations (decision E6). */
  readonly unmapped?: true
}

export interface Affected {
  readonly by: Provider
  readonly vendor: string
  readonly product: string
  readonly cpes: readonly string[]
  readonly packageUrl: string | null
  readonly ranges: readonly AffectedRange[]
  /** Systems or architectures to which the source limits the ranges. */
  readonly platforms?: readonly string[]
  /**
   * Whether versions outside the listed ranges are affected; also false if this is unknown. Absent if the source gives
   * neither a default nor versions, or if the ranges list all affected versions.
   */
  readonly isAffectedByDefault?: boolean
  /** Unlisted versions are unaffected, not just unknown. */
  readonly isUnaffectedByDefault?: true
  /**
   * The package URL of the registry and the name under which the source lists the package. Not stated as a package URL,
   * so a record does not show it as one.
   */
  readonly registryPackage?: string
  /** The ranges are those of a package inside the product; the CPE names identify the product. */
  readonly areVersionsOfPackage?: true
  readonly packageName?: string
  /** RPM module streams of the package; empty if it is in a module but no stream is named. */
  readonly streams?: readonly string[]
  /** What the distribution does about the flaw in this package. */
  readonly state?: DistributionState
  /** The product is a distribution (`Fedora 37`) that contains the affected package. */
  readonly isDistribution?: true
  /** Why the product is not affected, in CSAF's words such as `component_not_present`. */
  readonly justification?: string
  /** The source does not say what its name for the product means, so it identifies nothing. */
  readonly isUndefined?: true
  /** Owner of the repository or site that publishes the package, if the source names no vendor. */
  readonly packageOwner?: string
}

/** If `version`, `lessThan` and `lessThanOrEqual` are all null, the range covers every version. */
export interface AffectedRange {
  readonly isAffected: boolean
  /** The first version of the range, or its only one. */
  readonly version: string | null
  /** The range begins after `version`. */
  readonly isVersionExcluded?: true
  readonly lessThan: string | null
  readonly lessThanOrEqual: string | null
  /** The first point at which `changes` says `unaffected`: a version, a commit or the name of a patch. */
  readonly fixedAt?: string
  /** The ends are commits, whose hashes have no order. */
  readonly isCommit?: boolean
  /** A release contains the fix, but its version is not known. */
  readonly isFixedRelease?: true
  /** These versions contain the fix, or the publisher recommends them for fixing the flaw. */
  readonly isFixed?: true
  /** The publisher's status of these versions in a CSAF document. */
  readonly productStatus?: CsafStatus
  /** The source's text, if the limits were read from it. */
  readonly statedText?: string
  /** The range follows from several versions in one text, such as the fixed versions of two branches. */
  readonly isDerived?: true
  /** The source writes several ranges into one text, which says in words where each of them ends. */
  readonly isOneOfText?: true
  /** `lessThan` is the first version of the next branch, in which the flaw is not necessarily fixed. */
  readonly endsBranch?: boolean
}

export interface Reference {
  readonly url: string
  /** The organisation that gave the link (decision C23), or `rules` if the service built it from an advisory's id. */
  readonly by: string
  /** NVD's names for the tags: `Patch`, `Vendor Advisory`, `Exploit`, … */
  readonly tags: readonly string[]
}

export interface Exploitation {
  readonly level: 'none' | 'poc' | 'active'
  readonly by: Provider
  /** Day of the assessment, such as `2026-08-22`. */
  readonly date: string | null
}

/** A value that the assessment does not contain is null. */
export interface Ssvc {
  readonly by: Provider
  /** Day of the assessment, such as `2026-08-22`. */
  readonly date: string | null
  readonly exploitation: Exploitation['level'] | null
  readonly automatable: 'yes' | 'no' | null
  readonly technicalImpact: 'partial' | 'total' | null
}
