// What a vendor or a database of advisories says of one CVE, in one form: GHSA, Red Hat and MSRC each write in their own,
// and the catalog must not need to know them. Feeds write it as JSON text, the catalog reads it.

export interface VendorRecord {
  readonly cve_id: string
  /** What the source calls its advisory: `GHSA-…`, `RHSA-2024:6163`, `2024-Aug`. */
  readonly advisories: readonly string[]
  readonly title: string | null
  readonly description: string | null
  /** As `2026-08-22T09:30:00Z`. */
  readonly published: string | null
  readonly modified: string
  /** The source has taken it back: it speaks of nothing any more. */
  readonly withdrawn: boolean
  /** The source's own word: `Important`, `HIGH`. */
  readonly severity: string | null
  readonly scores: readonly VendorScore[]
  /** As `CWE-79`. */
  readonly weaknesses: readonly string[]
  readonly products: readonly VendorProduct[]
  readonly references: readonly VendorReference[]
  /** The source says that it is exploited, or that an exploit is public; null: it does not say. */
  readonly exploitation: 'none' | 'poc' | 'active' | null
}

export interface VendorScore {
  readonly vector: string
  /** As the source has it; null where it gives the vector alone. */
  readonly base_score: number | null
}

export interface VendorProduct {
  /** An ecosystem for packages (`npm`), the vendor otherwise. */
  readonly vendor: string
  readonly product: string
  readonly status: 'affected' | 'fixed' | 'not_affected' | 'under_investigation'
  /** CPE 2.3 or 2.2, or a package URL, where the source gives one. */
  readonly cpe: string | null
  readonly purl: string | null
  /** Whichever of them the source names; all null: every version. */
  readonly introduced: string | null
  readonly fixed: string | null
  readonly last_affected: string | null
}

export interface VendorReference {
  readonly url: string
  /** In NVD's words where they fit: `Vendor Advisory`, `Patch`, `Exploit`, `Mitigation`, `Release Notes`. */
  readonly tags: readonly string[]
}
