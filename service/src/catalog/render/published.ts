import type { DocumentColumn } from '../../contract/record/cve-fields.ts'
import type { CveId } from '../../domain/cve-id.ts'
import type { DetailPart } from '../../domain/source/detail-record.ts'
import type { AffectedRow } from '../../record/affected-row.ts'
import type { NamedProduct } from './products.ts'
import type { SearchValues } from './search-values.ts'

export interface Published {
  readonly cveId: CveId
  /** Values for filters, sorting and full-text search. */
  readonly search: SearchValues
  /** Products whose words a text search finds. Sorted, without duplicates. */
  readonly products: readonly NamedProduct[]
  /** Names for filters, facets and suggestions, including those of `products`. Sorted, without duplicates. */
  readonly names: readonly NamedProduct[]
  readonly aliases: readonly Alias[]
  /** Rows for matching, in a fixed order and without duplicates. */
  readonly affected: readonly AffectedRow[]
  readonly fragments: Fragments
  readonly details: readonly PublishedDetail[]
}

/** Another identifier of a CVE, such as `GHSA-jfh8-c2jp-5v3q`. */
export interface Alias {
  readonly alias: string
  /** A feed, or `reference` for an id from a link in the references. */
  readonly source: string
}

/** JSON texts. The API joins those that a request selects. */
export type Fragments = Readonly<Record<DocumentColumn, string>>

export interface PublishedDetail {
  readonly source: string
  /** JSON without `enrichment_metadata`, which depends on earlier publications. */
  readonly record: string
  /** What the record contains. */
  readonly parts: readonly DetailPart[]
}
