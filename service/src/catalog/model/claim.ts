// The data of one source about one CVE, in one form for all sources. The resolver reads only this form.
import type { RecordSource } from './source-data.ts'

export interface Claim {
  readonly source: RecordSource
  /** Provider of every value that has no `by` of its own: `nvd`, `anchore`, `ghsa`, or the CNA of a CVE List record. */
  readonly provider: Provider
  /** Time of the last content change; the epoch if the source gives no date. */
  readonly modified: Date
  readonly published: Date | null
  /** Status by NVD's names (decision C12); null if the source has no status. */
  readonly status: string | null
  readonly description: string | null
  readonly ratings: readonly Rating[]
  readonly weaknesses: readonly Weakness[]
  /** Configurations with the source's AND and OR, for matching. Empty if the source gives no CPE configurations. */
  readonly configurations: readonly Configuration[]
  /** Provider of the configurations. */
  readonly configurationsBy: Provider
  /** Affected products by vendor and product name instead of CPE. */
  readonly affected: readonly Affected[]
  readonly references: readonly Reference[]
  /** State of exploitation by SSVC's levels. */
  readonly exploitation: Exploitation | null
  /** Text that names a fixed version, such as `versionEndExcluding 2.1` or `lessThan 2.1`; null if no version is named. */
  readonly fix: string | null
  /** Severity level by the source's own name (Red Hat, MSRC, GHSA); null for other sources. */
  readonly severityWord: string | null
}

/**
 * Organisation that provided a value: `nvd`, `cisa-adp`, `cna:<name>`, `adp:<name>`, `ghsa`, `redhat`, `msrc`, `anchore`
 * (decision C17). One source can have values of several providers: a CVE List record has a container of its CNA and one
 * of CISA, and NVD repeats the CNA's score.
 */
export type Provider = string

export interface Rating {
  readonly by: Provider
  /** True for a rating that NVD marks as Primary, which is NVD's own analysis. */
  readonly isPrimary: boolean
  readonly version: '2.0' | '3.0' | '3.1' | '4.0'
  readonly vector: string
  /** Base score computed from the vector (decision C5). */
  readonly score: number
  /** Base score that the source gives; null if the source gives only the vector. */
  readonly statedScore: number | null
}

export interface Weakness {
  /** CWE id such as `CWE-79`. NVD-CWE-noinfo and NVD-CWE-Other are left out. */
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
}

export interface Affected {
  readonly by: Provider
  readonly vendor: string
  readonly product: string
  readonly cpes: readonly string[]
  readonly packageUrl: string | null
  readonly ranges: readonly AffectedRange[]
  /**
   * Whether versions outside the ranges are affected. False if the source lists them as unaffected or unknown.
   * Absent if the source gives no default and no versions, or if the ranges are complete.
   */
  readonly isAffectedByDefault?: boolean
  /** True if the versions are those of a package inside the product that the CPE names mean. */
  readonly areVersionsOfPackage?: true
}

/** A range with `version`, `lessThan` and `lessThanOrEqual` all null covers every version. */
export interface AffectedRange {
  readonly isAffected: boolean
  /** First version of the range, or the only version if the range has no end. */
  readonly version: string | null
  readonly lessThan: string | null
  readonly lessThanOrEqual: string | null
  /** True if the ends are commits, whose order cannot be derived from their names. */
  readonly isCommit?: boolean
}

export interface Reference {
  readonly url: string
  /** Name of the organisation that gave the link, if it is known (decision C23). */
  readonly by: string
  /** Tags by NVD's names: `Patch`, `Vendor Advisory`, `Exploit`, … */
  readonly tags: readonly string[]
}

export interface Exploitation {
  readonly level: 'none' | 'poc' | 'active'
  readonly by: Provider
  /** Day of the assessment such as `2026-08-22`; null if the source gives no date. */
  readonly date: string | null
}
