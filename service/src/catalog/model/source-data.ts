// All rows in the source tables about one CVE.
import type { CveId } from '../../domain/cve-id.ts'
import type { HeldSince } from '../../domain/priority/epss-rule.ts'
import { VENDOR_SOURCES } from '../../domain/source/source.ts'
import type { TruncatedValue } from '../../domain/source/upstream-limits.ts'

/**
 * GHSA, the OSV databases (`osv`) and publishers of CSAF documents can have several records for a CVE, every other source
 * at most one.
 */
export const RECORD_SOURCES = ['nvd', 'cve', 'overrides', ...VENDOR_SOURCES, 'osv'] as const
export type RecordSource = (typeof RECORD_SOURCES)[number]

export interface SourceData {
  readonly cveId: CveId
  /** In no particular order. */
  readonly records: readonly SourceRecord[]
  readonly kev: KevEntry | null
  readonly euKev: EuKevEntry | null
  readonly notices: readonly AcscNotice[]
  readonly exploits: readonly ExploitItem[]
  /** Exploits that their publishers no longer list. */
  readonly removedExploits: readonly ExploitItem[]
  /** Techniques that curated mappings assign to the CVE. */
  readonly mappings: readonly { readonly techniqueId: string }[]
  readonly debian: readonly DebianStatus[]
  /** Published EPSS score. */
  readonly epssScore: number | null
  /** The EPSS thresholds that the CVE holds. */
  readonly epssHeld: HeldSince
}

/** The CVE for which a record is read. */
export interface Subject {
  readonly cveId: CveId
  /**
   * Neither NVD nor the CVE List has the CVE: the texts, dates and ratings that OSV databases and Anchore repeat from
   * there are read only for such a CVE.
   */
  readonly isUnlisted: boolean
}

/** Status of a CVE in one source package of a Debian release. */
export interface DebianStatus {
  readonly package: string
  /** Code name such as `bookworm`. */
  readonly release: string
  /** The tracker's words: `resolved`, `open` or `undetermined`. */
  readonly status: string
  /** `0` if the release never had the vulnerability; null if there is no fix. */
  readonly fixedVersion: string | null
  /** Newest version in the release's repositories, if no version is fixed. */
  readonly knownVersion?: string | null
  readonly urgency?: string | null
  /** The tracker's words: `no-dsa`, `postponed` or `ignored`. */
  readonly decision?: string | null
  /** False for an id that is only reserved: the tracker has no text about it. */
  readonly isDescribed: boolean
}

export interface SourceRecord {
  readonly source: RecordSource
  /** Last content change according to upstream. */
  readonly modified: Date
  /**
   * JSON text: NVD's `cve` object, a CVE List record, Anchore's override of an NVD record, a VendorRecord, an
   * AdvisoryRecord, or what a CSAF document says about a CVE (`readCsafRecords`).
   */
  readonly record: string
  /** Values that were too long upstream (decision E42). */
  readonly truncated?: readonly TruncatedValue[]
}

interface LimitedRow {
  /** The upstream text or list was too long (decision E42). */
  readonly isTruncated?: boolean
}

export interface KevEntry extends LimitedRow {
  readonly vendorProject: string
  readonly product: string
  readonly vulnerabilityName: string
  /** Day such as `2021-12-10`. */
  readonly dateAdded: string
  readonly shortDescription: string
  readonly requiredAction: string
  readonly dueDate: string | null
  readonly knownRansomware: boolean
  readonly notes: string | null
  readonly cwes: readonly string[]
  /** Null while CISA lists the entry. */
  readonly removedAt: Date | null
}

/** An entry in the EU KEV catalog (decision E23). */
export interface EuKevEntry {
  readonly vendorProject: string
  readonly product: string
  /** For example `2026-08-18`; the day of the report if ENISA gives no other. */
  readonly dateListed: string
  readonly dateReported: string
  /** First day on which a patch was available. */
  readonly patchedSince: string | null
  /** Organisation that reported the exploitation. */
  readonly origin: string
  /** Types of exploitation, in ENISA's words. */
  readonly exploitation: readonly string[]
  /** Time of the first import without the entry; null while it is listed. */
  readonly removedAt: Date | null
}

export interface AcscNotice extends LimitedRow {
  readonly id: string
  readonly title: string
  readonly type: string
  readonly priority: string | null
  readonly published: Date
  readonly updated: Date | null
  readonly url: string
  readonly summary: string | null
  readonly affectedProducts: readonly string[]
}

export interface ExploitItem extends LimitedRow {
  readonly feed: 'exploitdb' | 'metasploit' | 'nuclei' | 'poc'
  readonly id: string
  readonly title: string
  readonly url: string
  readonly published: string | null
  readonly rank: string | null
  /** When a feed first stored the item; null for items from the feed's first load, whose age is unknown. */
  readonly firstSeen: string | null
}

/** Data that does not depend on a CVE, so it is read once for many CVEs. */
export interface ReferenceData {
  /** Name and description of each weakness by its CWE id. */
  readonly weaknesses: ReadonlyMap<string, { readonly name: string; readonly description: string }>
  /** Techniques that are neither deprecated nor removed. */
  readonly activeTechniques: ReadonlySet<string>
  /** The product names that NVD uses (decision E6). */
  readonly productNames?: ProductNames
}

export interface ProductNames {
  /** Returns NVD's names for the product, or undefined if none is known to mean the same product. */
  find(vendor: string, product: string): readonly FoundName[] | undefined
  /** Returns NVD's vendor of which the given name is the company name, such as `oracle` for `Oracle Corporation`. */
  findVendor(companyName: string): string | undefined
}

/** Parts of a CPE name as NVD writes them. */
export interface CpeName {
  readonly part: string
  readonly vendor: string
  readonly product: string
}

/** Version and update come from the end of the product's name, such as `15 SP5`. */
export interface FoundName extends CpeName {
  readonly version?: string
  readonly update?: string
}
