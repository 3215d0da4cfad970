// The common form of GHSA, Red Hat and MSRC data about one CVE. The feeds write it as JSON text and the catalog reads it,
// so that the catalog does not depend on the format of each upstream.

export interface VendorRecord {
  readonly cve_id: string
  /** The source's own advisory ids: `GHSA-…`, `RHSA-2024:6163`, `2024-Aug`. */
  readonly advisories: readonly string[]
  readonly title: string | null
  readonly description: string | null
  /** Publication time such as `2026-08-22T09:30:00Z`. */
  readonly published: string | null
  readonly modified: string
  /** True if the source withdrew the advisory. */
  readonly withdrawn: boolean
  /** Severity by the source's own name: `Important`, `HIGH`. */
  readonly severity: string | null
  readonly scores: readonly VendorScore[]
  /** CWE ids such as `CWE-79`. */
  readonly weaknesses: readonly string[]
  readonly products: readonly VendorProduct[]
  readonly references: readonly VendorReference[]
  /** State of exploitation according to the source; null if the source gives none. */
  readonly exploitation: 'none' | 'poc' | 'active' | null
}

export interface VendorScore {
  readonly vector: string
  /** Score that the source gives; null if the source gives only the vector. */
  readonly base_score: number | null
}

export interface VendorProduct {
  /** Ecosystem of a package (`npm`), or the vendor of another product. */
  readonly vendor: string
  readonly product: string
  readonly status: 'affected' | 'fixed' | 'not_affected' | 'under_investigation'
  /** CPE 2.3 or 2.2 name, if the source gives one. */
  readonly cpe: string | null
  /** Package URL, if the source gives one. */
  readonly purl: string | null
  /** First affected version. Every version is affected if `introduced`, `fixed` and `last_affected` are null. */
  readonly introduced: string | null
  readonly fixed: string | null
  readonly last_affected: string | null
}

export interface VendorReference {
  readonly url: string
  /** Tags by NVD's names: `Vendor Advisory`, `Patch`, `Exploit`, `Mitigation`, `Release Notes`. */
  readonly tags: readonly string[]
}
