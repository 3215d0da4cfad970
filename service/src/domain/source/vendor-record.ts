// The common format for GHSA, Red Hat and MSRC data and for package advisories. Feeds write it as JSON text, so the
// catalog does not depend on each upstream's format.

import type { DistributionState } from '../match-words.ts'
import type { StatedRemediation } from './remediation.ts'

export interface VendorRecord {
  /** Null for an advisory that names no CVE. */
  readonly cve_id: string | null
  /** The source's own ids: `GHSA-…`, `RHSA-2024:6163`, `2024-Aug`. */
  readonly advisories: readonly string[]
  readonly title: string | null
  readonly description: string | null
  /** A time such as `2026-08-22T09:30:00Z`. */
  readonly published: string | null
  readonly modified: string
  readonly withdrawn: boolean
  /** The severity in the source's own words: `Important`, `HIGH`. */
  readonly severity: string | null
  readonly scores: readonly VendorScore[]
  /** CWE ids such as `CWE-79`. */
  readonly weaknesses: readonly string[]
  readonly products: readonly VendorProduct[]
  readonly references: readonly VendorReference[]
  readonly exploitation: 'none' | 'poc' | 'active' | null
  /** Their products are positions in `products`. */
  readonly remediations?: readonly StatedRemediation[]
}

/** An advisory from an OSV database. It may name several CVEs or none. */
export interface AdvisoryRecord extends Omit<VendorRecord, 'cve_id'> {
  /** The database's short name, such as `go`. */
  readonly database: string
  readonly cve_ids: readonly string[]
  /** Ids in other databases, such as `GHSA-…`. */
  readonly aliases: readonly string[]
}

export interface VendorScore {
  readonly vector: string
  readonly base_score: number | null
}

export interface VendorProduct {
  /** A package's ecosystem, such as `npm`, or a product's vendor. */
  readonly vendor: string
  readonly product: string
  readonly status: 'affected' | 'fixed' | 'not_affected' | 'under_investigation'
  readonly cpe: string | null
  /** Has no version; taken from the source, or built from ecosystem and name. */
  readonly purl: string | null
  /** If `introduced`, `fixed` and `last_affected` are all null, every version is affected. */
  readonly introduced: string | null
  readonly fixed: string | null
  readonly last_affected: string | null
  /** The last version before the affected ones; `introduced` is then null. */
  readonly after?: string
  /** The first version after the affected ones, if it does not fix the flaw; `fixed` is then null. */
  readonly before?: string
  /** RPM module streams of the package, such as `nodejs:20`; empty if it is in a module but no stream is named. */
  readonly streams?: readonly string[]
  /** What the distribution does about the flaw in this package. */
  readonly state?: DistributionState
}

export interface VendorReference {
  readonly url: string
  /** NVD's tag names: `Vendor Advisory`, `Patch`, `Exploit`, `Mitigation`, `Release Notes`. */
  readonly tags: readonly string[]
  /** The source does not give the link: the feed builds the address of the advisory's own page from its id. */
  readonly built?: true
}
