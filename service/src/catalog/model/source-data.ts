// The rows of the source tables about one CVE, as read for one publication.
import type { CveId } from '../../domain/cve-id.ts'
import { VENDOR_SOURCES } from '../../domain/source.ts'

/** Sources with records of CVEs: one record per CVE, or several from GHSA. */
export const RECORD_SOURCES = ['nvd', 'cve', 'overrides', ...VENDOR_SOURCES] as const
export type RecordSource = (typeof RECORD_SOURCES)[number]

export interface SourceData {
  readonly cveId: CveId
  /** Records of all sources, in no particular order. */
  readonly records: readonly SourceRecord[]
  readonly kev: KevEntry | null
  readonly notices: readonly AcscNotice[]
  readonly exploits: readonly ExploitItem[]
  /** ATT&CK techniques that curated mappings assign to the CVE. */
  readonly mappings: readonly { readonly techniqueId: string }[]
  readonly epssScore: number | null
}

export interface SourceRecord {
  readonly source: RecordSource
  /** Time of the last content change, as the upstream gives it. */
  readonly modified: Date
  /** JSON text: NVD's `cve` object, the CVE List's record, Anchore's override, or a VendorRecord. */
  readonly record: string
}

export interface KevEntry {
  readonly vendorProject: string
  readonly product: string
  readonly vulnerabilityName: string
  /** Day such as `2021-12-10`. */
  readonly dateAdded: string
  readonly shortDescription: string
  readonly requiredAction: string
  /** Day such as `2021-12-24`. */
  readonly dueDate: string | null
  readonly knownRansomware: boolean
  readonly notes: string | null
  /** Time at which CISA removed the entry; null while the entry is listed. */
  readonly removedAt: Date | null
}

export interface AcscNotice {
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

export interface ExploitItem {
  readonly feed: 'exploitdb' | 'metasploit' | 'nuclei' | 'poc'
  readonly id: string
  readonly title: string
  readonly url: string
  readonly published: string | null
  readonly rank: string | null
}

/** Weaknesses and ATT&CK techniques, which do not depend on a CVE and are read once for many of them. */
export interface ReferenceData {
  /** Names and descriptions by CWE id such as `CWE-79`. */
  readonly weaknesses: ReadonlyMap<string, { readonly name: string; readonly description: string }>
  /** ATT&CK technique ids by CWE id, through CAPEC. Deprecated and removed patterns are left out. */
  readonly techniquesByWeakness: ReadonlyMap<string, readonly string[]>
  /** Ids of techniques that are neither deprecated nor removed. */
  readonly activeTechniques: ReadonlySet<string>
}
