// The common format of GHSA, Red Hat and MSRC data about one CVE, and of advisories for packages. The feeds write a
// VendorRecord as JSON text and the catalog reads it, so that the catalog does not depend on the format of each upstream.

export interface VendorRecord {
  /** Null for an advisory that names no CVE. */
  readonly cve_id: string | null
  /** Advisory ids that the data source assigned: `GHSA-…`, `RHSA-2024:6163`, `2024-Aug`. */
  readonly advisories: readonly string[]
  readonly title: string | null
  readonly description: string | null
  /** Publication time of the advisory, such as `2026-08-22T09:30:00Z`. */
  readonly published: string | null
  readonly modified: string
  /** True if the data source withdrew the advisory. */
  readonly withdrawn: boolean
  /** Severity level under the name that the data source uses: `Important`, `HIGH`. */
  readonly severity: string | null
  readonly scores: readonly VendorScore[]
  /** CWE ids of the weaknesses, such as `CWE-79`. */
  readonly weaknesses: readonly string[]
  readonly products: readonly VendorProduct[]
  readonly references: readonly VendorReference[]
  /** State of exploitation according to the data source; null if the data source gives none. */
  readonly exploitation: 'none' | 'poc' | 'active' | null
}

/** An advisory of a database in OSV format. One advisory may name several CVEs or none. */
export interface AdvisoryRecord extends Omit<VendorRecord, 'cve_id'> {
  /** Short name of the database, such as `go`. */
  readonly database: string
  readonly cve_ids: readonly string[]
  /** Ids of the same vulnerability in other databases, such as `GHSA-…`. */
  readonly aliases: readonly string[]
}

export interface VendorScore {
  readonly vector: string
  /** CVSS base score that the data source gives; null if the data source gives only the vector. */
  readonly base_score: number | null
}

export interface VendorProduct {
  /** Ecosystem of a package, such as `npm`, or the vendor of a product that is not a package. */
  readonly vendor: string
  readonly product: string
  readonly status: 'affected' | 'fixed' | 'not_affected' | 'under_investigation'
  /** CPE 2.3 or 2.2 name of the product, if the data source gives one. */
  readonly cpe: string | null
  /** Package URL (purl) of the product without a version, from the data source or built from ecosystem and name. */
  readonly purl: string | null
  /**
   * First affected version of the product. If `introduced`, `fixed` and `last_affected` are all null, every version is
   * affected.
   */
  readonly introduced: string | null
  readonly fixed: string | null
  readonly last_affected: string | null
}

export interface VendorReference {
  readonly url: string
  /** Tags under their NVD names: `Vendor Advisory`, `Patch`, `Exploit`, `Mitigation`, `Release Notes`. */
  readonly tags: readonly string[]
}
