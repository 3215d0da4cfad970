// Everything that the source tables say of one CVE, as it was read for one publication.
import type { CveId } from '../../domain/cve-id.ts'

/** Who keeps one record per CVE, or several (GHSA). */
export const RECORD_SOURCES = ['nvd', 'cve', 'overrides', 'ghsa', 'redhat', 'msrc'] as const
export type RecordSource = (typeof RECORD_SOURCES)[number]

export interface Facts {
  readonly cveId: CveId
  /** In no particular order. */
  readonly records: readonly RecordFact[]
  readonly kev: KevFact | null
  readonly notices: readonly NoticeFact[]
  readonly exploits: readonly ExploitFact[]
  /** What people found, by the id of the technique. */
  readonly mappings: readonly { readonly techniqueId: string }[]
  readonly epssScore: number | null
}

export interface RecordFact {
  readonly source: RecordSource
  /** Upstream's own time of the last change of its content. */
  readonly modified: Date
  /** JSON text: of NVD the `cve` object, of the CVE List the record, of Anchore the override, of vendors a VendorRecord. */
  readonly record: string
}

export interface KevFact {
  readonly vendorProject: string
  readonly product: string
  readonly vulnerabilityName: string
  /** Days are text as `2021-12-10`. */
  readonly dateAdded: string
  readonly shortDescription: string
  readonly requiredAction: string
  readonly dueDate: string | null
  readonly knownRansomware: boolean
  readonly notes: string | null
  /** Null while it is in the catalogue. */
  readonly removedAt: Date | null
}

export interface NoticeFact {
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

export interface ExploitFact {
  readonly feed: 'exploitdb' | 'metasploit' | 'nuclei' | 'poc'
  readonly id: string
  readonly title: string
  readonly url: string
  readonly published: string | null
  readonly rank: string | null
}

/** What is known regardless of any CVE, read once for many of them. */
export interface Knowledge {
  /** By id, as `CWE-79`. */
  readonly weaknesses: ReadonlyMap<string, { readonly name: string; readonly description: string }>
  /** CWE id → ids of ATT&CK techniques, through CAPEC; only patterns and techniques that are in use. */
  readonly techniquesOfWeakness: ReadonlyMap<string, readonly string[]>
  /** Techniques that are neither withdrawn nor gone. */
  readonly activeTechniques: ReadonlySet<string>
}
