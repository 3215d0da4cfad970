// What one source says of one CVE, in our words. Every source is read into this form; resolving sees no other.
import type { RecordSource } from './source-data.ts'

export interface Statement {
  readonly source: RecordSource
  /** Who speaks wherever nothing else is said: `nvd`, `anchore`, `ghsa`, of the CVE List its CNA. */
  readonly speaker: Speaker
  /** The epoch where the source gives no date. */
  readonly modified: Date
  readonly published: Date | null
  /** In NVD's words (decision C12), where the source has any. */
  readonly status: string | null
  readonly description: string | null
  readonly ratings: readonly Rating[]
  readonly weaknesses: readonly Weakness[]
  /** AND and OR as the source has them, for matching. Empty: it says nothing in CPE. */
  readonly configurations: readonly Configuration[]
  /** Whose they are. */
  readonly configurationsBy: Speaker
  /** Affected products in other words than CPE. */
  readonly affected: readonly Affected[]
  readonly references: readonly Reference[]
  /** How far exploitation has come, in SSVC's words. */
  readonly exploitation: Exploitation | null
  /** What names a fixed version, such as `versionEndExcluding` of a match or `lessThan` of a CNA; null: nothing does. */
  readonly fix: string | null
  /** Only where the source gave a severity word of its own (Red Hat, MSRC, GHSA). */
  readonly severityWord: string | null
}

/**
 * Who speaks: `nvd`, `cisa-adp`, `cna:<name>`, `adp:<name>`, `ghsa`, `redhat`, `msrc`, `anchore` (decision C17). Within a
 * source several may: a record of the CVE List has a part of its CNA and one of CISA, NVD repeats the score of a CNA.
 */
export type Speaker = string

export interface Rating {
  readonly by: Speaker
  /** NVD's own word where it has one: NVD's own analysis is Primary. */
  readonly isPrimary: boolean
  readonly version: '2.0' | '3.0' | '3.1' | '4.0'
  readonly vector: string
  /** Computed from the vector (decision C5). */
  readonly score: number
  /** What the source said; null where it gave the vector alone. */
  readonly statedScore: number | null
}

export interface Weakness {
  /** As `CWE-79`; never NVD-CWE-noinfo or -Other. */
  readonly id: string
  readonly by: Speaker
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
  readonly by: Speaker
  readonly vendor: string
  readonly product: string
  readonly cpes: readonly string[]
  readonly packageUrl: string | null
  readonly ranges: readonly AffectedRange[]
  /**
   * Every version that no range speaks of is affected as well. False: it is said not to be, or nothing is known of it.
   * Absent: nothing is said of versions, or the ranges are all there is.
   */
  readonly isAffectedByDefault?: boolean
  /** Not of the product that the CPE names mean, but of a package that is a part of it. */
  readonly areVersionsOfPackage?: true
}

export interface AffectedRange {
  readonly isAffected: boolean
  /** Both ends as said; all null: every version. */
  readonly version: string | null
  readonly lessThan: string | null
  readonly lessThanOrEqual: string | null
  /** They are commits, which have no order that could be told from their names. */
  readonly isCommit?: boolean
}

export interface Reference {
  readonly url: string
  /** An organisation's name, where it is known (decision C23). */
  readonly by: string
  /** In NVD's words: `Patch`, `Vendor Advisory`, `Exploit`, … */
  readonly tags: readonly string[]
}

export interface Exploitation {
  readonly level: 'none' | 'poc' | 'active'
  readonly by: Speaker
  /** As `2026-08-22`; null where it is not said. */
  readonly date: string | null
}
