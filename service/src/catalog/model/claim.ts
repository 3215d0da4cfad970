// A claim: the data of one source about one CVE, in a format that all sources share. The resolver reads only claims,
// not source records.
import type { TruncatedValue } from '../../domain/source/upstream-limits.ts'
import type { FixEvidence } from './fix-evidence.ts'
import type { RecordSource } from './source-data.ts'

/** Sources of claims: the sources that publish records of CVEs, and KEV, whose entries describe CVEs as well. */
export type ClaimSource = RecordSource | 'kev'

export interface Claim {
  readonly source: ClaimSource
  /**
   * Provider (organisation) of every value in the claim that does not name another provider in `by`: `nvd`, `anchore`,
   * `ghsa`, `cisa-kev`, or the CNA of a CVE List record.
   */
  readonly provider: Provider
  /** Time of the last content change of the source record; the Unix epoch if the source gives no date. */
  readonly modified: Date
  readonly published: Date | null
  /** Short name of the CNA that assigned the CVE id. Absent if the source does not name the CNA. */
  readonly assigner?: string
  /** Ids of the advisories from which the claim comes, such as `RHSA-2024:6163`. Absent for other sources. */
  readonly advisories?: readonly string[]
  /** Status of the CVE under its NVD name, such as `Analyzed` (decision C12); null if the source has no status. */
  readonly status: string | null
  readonly description: string | null
  /** True if characters of the source's text are lost, also if they were restored by guessing (`repairCharacters`). */
  readonly hasLostCharacters?: true
  /** Tags such as `disputed` (decision E8). A tag can occur several times. */
  readonly tags: readonly Tag[]
  readonly ratings: readonly Rating[]
  readonly weaknesses: readonly Weakness[]
  /**
   * CPE configurations with the AND and OR operators of the source. Empty if the source gives no CPE configurations.
   */
  readonly configurations: readonly Configuration[]
  /** Provider (organisation) of the CPE configurations. */
  readonly configurationsBy: Provider
  /** Affected products that the source identifies by vendor and product name instead of by CPE configurations. */
  readonly affected: readonly Affected[]
  /**
   * Products and packages that the source calls not affected, which are not part of `affected`. Absent for sources that
   * list unaffected versions among the affected ones.
   */
  readonly unaffected?: readonly Affected[]
  /** Packages of which the source does not know yet whether they are affected. Absent for sources without such a state. */
  readonly investigated?: readonly Affected[]
  readonly references: readonly Reference[]
  /** State of exploitation, as one of the levels that SSVC defines. */
  readonly exploitation: Exploitation | null
  /** SSVC assessments, in no particular order. Absent if the source publishes none. */
  readonly ssvc?: readonly Ssvc[]
  /** The first fixed version that structured data names; null if the source names none. */
  readonly fix: FixEvidence | null
  /** Provider that names the fixed version. Absent if it is the provider of the claim. */
  readonly fixBy?: Provider
  /**
   * Versions (as keys of `toVersionKey`) that are affected according to another provider and a description, although the
   * claim names them as fixed. Absent without such versions.
   */
  readonly affectedEnds?: ReadonlySet<string>
  /** Texts in which the source describes how to solve the problem. Absent if the source has no such texts. */
  readonly solutions?: readonly { readonly text: string; readonly by: Provider }[]
  /** Severity level under the source's own name (Red Hat, MSRC, GHSA); null for other sources. */
  readonly severityWord: string | null
  /** Values that are truncated, because the source's text or list is too long (decision E42). Absent without any. */
  readonly truncated?: readonly TruncatedValue[]
}

/**
 * Organisation that provided a value: `nvd`, `cisa-adp`, `cna:<name>`, `adp:<name>`, `ghsa`, `redhat`, `msrc`,
 * `anchore`, `cisa-kev`, `eu-kev`, `osv:<database>`, or the name of a vendor that comments an NVD record (decision C17).
 * One source can contain values from several providers: a CVE
 * List record has one container from its CNA and one from CISA, and NVD repeats the CNA's score.
 */
export type Provider = string

export interface Tag {
  /** Name such as `disputed`. */
  readonly name: string
  readonly by: Provider
}

export interface Rating {
  readonly by: Provider
  readonly version: '2.0' | '3.0' | '3.1' | '4.0'
  readonly vector: string
  /** CVSS base score that the service computes from the vector (decision C5). */
  readonly score: number
  /** CVSS base score that the source gives; null if the source gives only the vector. */
  readonly statedScore: number | null
}

export interface Weakness {
  /** CWE id such as `CWE-79`. The placeholders NVD-CWE-noinfo and NVD-CWE-Other are left out. */
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
  /** True if no version can lie in the range, because its start is after its end. Sources publish such ranges. */
  readonly inverted?: true
  /** True if the source limits the match by commits only, so that the match without them covers any version. */
  readonly byCommits?: true
  /** True if the service derived the match from the vendor and product that a source names (decision E6). */
  readonly derived?: true
  /** True for a derived match whose CPE name does not occur in NVD's configurations (decision E6). */
  readonly unmapped?: true
}

export interface Affected {
  readonly by: Provider
  readonly vendor: string
  readonly product: string
  readonly cpes: readonly string[]
  readonly packageUrl: string | null
  readonly ranges: readonly AffectedRange[]
  /**
   * Whether product versions outside the listed ranges are affected. False if the source calls unlisted versions
   * unaffected or unknown. Absent if this is not known because the source gives neither a default nor versions, or not
   * needed because the ranges list all affected versions.
   */
  readonly isAffectedByDefault?: boolean
  /** True if the source calls unlisted versions unaffected. Absent if it calls them affected or unknown. */
  readonly isUnaffectedByDefault?: true
  /**
   * True if the version ranges are those of a package inside the product, while the CPE names identify the product
   * itself.
   */
  readonly areVersionsOfPackage?: true
  /** Name of that package. Absent if the versions are those of the product. */
  readonly packageName?: string
  /** True if the product is a distribution (`Fedora 37`) that contains the affected package. */
  readonly isDistribution?: true
  /** Owner of the repository or site that publishes the package. Stands for the vendor if the source names none. */
  readonly packageOwner?: string
}

/**
 * A range of affected or unaffected versions. If `version`, `lessThan` and `lessThanOrEqual` are all null, the range
 * covers every version.
 */
export interface AffectedRange {
  readonly isAffected: boolean
  /** First version of the range, or the only version if the range has no end. */
  readonly version: string | null
  readonly lessThan: string | null
  readonly lessThanOrEqual: string | null
  /** Place of the first change to `unaffected` (member `changes`): a version, a commit or the name of a patch. */
  readonly fixedAt?: string
  /** True if the range starts and ends at commits, whose order cannot be derived from their names. */
  readonly isCommit?: boolean
  /** True for a release that contains the fix, but whose version is not known. */
  readonly isFixedRelease?: true
  /** True if `lessThan` is the first version of the next branch, in which the flaw need not be fixed. */
  readonly endsBranch?: boolean
}

export interface Reference {
  readonly url: string
  /** Name of the organisation that gave the link, if the name is known (decision C23). */
  readonly by: string
  /** Tags under their NVD names: `Patch`, `Vendor Advisory`, `Exploit`, … */
  readonly tags: readonly string[]
}

export interface Exploitation {
  readonly level: 'none' | 'poc' | 'active'
  readonly by: Provider
  /** Day of the exploitation assessment, such as `2026-08-22`; null if the source gives no date. */
  readonly date: string | null
}

/** An SSVC assessment. A value is null if the assessment does not contain it. */
export interface Ssvc {
  readonly by: Provider
  /** Day of the assessment, such as `2026-08-22`; null if the source gives no date. */
  readonly date: string | null
  readonly exploitation: Exploitation['level'] | null
  readonly automatable: 'yes' | 'no' | null
  readonly technicalImpact: 'partial' | 'total' | null
}
