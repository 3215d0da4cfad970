// All rows of the source tables about one CVE. They are read when the CVE is published.
import type { CveId } from '../../domain/cve-id.ts'
import { VENDOR_SOURCES } from '../../domain/source/source.ts'
import type { TruncatedValue } from '../../domain/source/upstream-limits.ts'

/**
 * Sources that publish records of CVEs: GHSA and the OSV databases (`osv`) can have several records of a CVE, every other
 * source at most one.
 */
export const RECORD_SOURCES = ['nvd', 'cve', 'overrides', ...VENDOR_SOURCES, 'osv'] as const
export type RecordSource = (typeof RECORD_SOURCES)[number]

export interface SourceData {
  readonly cveId: CveId
  /** Records of the CVE from all sources, in no particular order. */
  readonly records: readonly SourceRecord[]
  readonly kev: KevEntry | null
  readonly euKev: EuKevEntry | null
  readonly notices: readonly AcscNotice[]
  /** Exploits that their publishers list. */
  readonly exploits: readonly ExploitItem[]
  /** Exploits that their publishers listed before and have removed. */
  readonly removedExploits: readonly ExploitItem[]
  /** ATT&CK techniques that curated mappings assign to the CVE. */
  readonly mappings: readonly { readonly techniqueId: string }[]
  /** States of the CVE in packages of Debian. */
  readonly debian: readonly DebianStatus[]
  /** Published EPSS score; null for a CVE without an EPSS score. */
  readonly epssScore: number | null
}

/** State of a CVE in one source package of a Debian release. */
export interface DebianStatus {
  readonly package: string
  /** Code name of the release, such as `bookworm`. */
  readonly release: string
  /** In the tracker's words: `resolved`, `open` or `undetermined`. */
  readonly status: string
  /** First version without the vulnerability; `0` if the release never had it; null without a fix. */
  readonly fixedVersion: string | null
}

export interface SourceRecord {
  readonly source: RecordSource
  /** Time of the last content change of the record, as given by the upstream. */
  readonly modified: Date
  /**
   * JSON text of the record: NVD's `cve` object, the CVE List's record, Anchore's override (correction of an NVD
   * record), a VendorRecord, or an AdvisoryRecord of an OSV database.
   */
  readonly record: string
  /** Values that are truncated, because upstream's text or list is too long (decision E42). Absent without any. */
  readonly truncated?: readonly TruncatedValue[]
}

/** A row of a table with one column per value. */
interface LimitedRow {
  /** True if upstream's text or list is too long and was truncated (decision E42). */
  readonly isTruncated?: boolean
}

export interface KevEntry extends LimitedRow {
  readonly vendorProject: string
  readonly product: string
  readonly vulnerabilityName: string
  /** Day on which CISA added the entry, such as `2021-12-10`. */
  readonly dateAdded: string
  readonly shortDescription: string
  readonly requiredAction: string
  /** Due date of the KEV entry, such as `2021-12-24`. */
  readonly dueDate: string | null
  readonly knownRansomware: boolean
  readonly notes: string | null
  /** CWE ids such as `CWE-79`. */
  readonly cwes: readonly string[]
  /** Time at which CISA removed the KEV entry; null while CISA lists the entry. */
  readonly removedAt: Date | null
}

/** Entry of the EU KEV catalog (decision E23). */
export interface EuKevEntry {
  /** Day on which ENISA added the entry, such as `2026-08-18`; the day of the report if ENISA gives no other day. */
  readonly dateListed: string
  /** Day on which the exploitation was reported. */
  readonly dateReported: string
  /** Day since which a patch exists; null if ENISA names none. */
  readonly patchedSince: string | null
  /** Organisation that reported the exploitation. */
  readonly origin: string
  /** Kinds of exploitation, as ENISA names them. */
  readonly exploitation: readonly string[]
  /** Time of the first import without the entry; null while ENISA lists the entry. */
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
  /**
   * Day on which a feed of the service first stored the item; null for an item of the feed's first load, whose age is
   * unknown.
   */
  readonly firstSeen: string | null
}

/** Weaknesses and ATT&CK techniques. They do not depend on a CVE, so they are read once for many CVEs. */
export interface ReferenceData {
  /** Name and description of each weakness. The map key is a CWE id such as `CWE-79`. */
  readonly weaknesses: ReadonlyMap<string, { readonly name: string; readonly description: string }>
  /** Ids of ATT&CK techniques that are neither deprecated nor removed. */
  readonly activeTechniques: ReadonlySet<string>
  /** Dictionary of the product names that NVD uses (decision E6). */
  readonly productNames?: ProductNames
}

export interface ProductNames {
  /** Returns the names that NVD uses for the product, or undefined if NVD has no name that is known to be the same. */
  find(vendor: string, product: string): readonly FoundName[] | undefined
}

/** Part, vendor and product of a CPE name, as NVD writes them. */
export interface CpeName {
  readonly part: string
  readonly vendor: string
  readonly product: string
}

/** A CPE name for a product, with the version and update at the end of the product's name, such as `15 SP5`. */
export interface FoundName extends CpeName {
  readonly version?: string
  readonly update?: string
}
