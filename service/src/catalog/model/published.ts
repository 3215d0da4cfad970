// A CVE as it is published: the columns that searches use, finished fragments of JSON, and its detail records.
import type { CveId } from '../../domain/cve-id.ts'

export interface Published {
  readonly cveId: CveId
  readonly columns: PublishedColumns
  readonly fragments: Fragments
  readonly details: readonly PublishedDetail[]
}

/** What filters and sorts read. */
export interface PublishedColumns {
  readonly published: Date | null
  readonly modified: Date
  readonly score: number | null
  readonly status: string
  readonly isEnriched: boolean
  readonly hasExploit: boolean
  readonly inKev: boolean
  readonly hasNotice: boolean
  readonly hasReference: boolean
  readonly cpeCount: number
  readonly attackVector: 'network' | 'adjacent' | 'local' | 'physical' | null
  readonly hasPatch: boolean
  readonly sources: readonly string[]
  /** What full text search looks through. */
  readonly text: string
}

/** JSON text, one for each member of an answer; every shape of an answer joins some of them. */
export interface Fragments {
  readonly source_tag: string
  readonly published: string
  readonly modified: string
  readonly description: string
  /** A number or null: the one score. */
  readonly severity: string
  readonly status: string
  readonly enrichment_status: string
  readonly cvss: string
  readonly cpe: string
  readonly references: string
  /** As in single answers, and as in lists. */
  readonly acsc: string
  readonly acsc_notices: string
  /** The array of techniques alone. */
  readonly techniques: string
  /** Without `enriched_at`, which depends on what was published before; or null. */
  readonly enrichment: string
}

export interface PublishedDetail {
  readonly source: string
  /** Without `enrichment_metadata`, which depends on what was published before. */
  readonly record: string
}
