// A published CVE: its search columns, the JSON text of each member, and its detail records.
import type { DocumentColumn } from '../../contract/record/cve-fields.ts'
import type { CveId } from '../../domain/cve-id.ts'
import type { AffectedRow } from '../../record/affected-row.ts'
import type { NamedProduct } from './products.ts'
import type { SearchValues } from './search-values.ts'

export interface Published {
  readonly cveId: CveId
  /** Values of the CVE that search filters, sorting and full-text search use. */
  readonly search: SearchValues
  /** Vulnerable products, sorted and without duplicates. */
  readonly products: readonly NamedProduct[]
  /** Other identifiers of the CVE, sorted and without duplicates. */
  readonly aliases: readonly Alias[]
  /** Affected and unaffected versions by source, for matching; in a fixed order and without duplicates. */
  readonly affected: readonly AffectedRow[]
  readonly fragments: Fragments
  readonly details: readonly PublishedDetail[]
}

/** Another identifier of a CVE, such as `GHSA-jfh8-c2jp-5v3q`. */
export interface Alias {
  readonly alias: string
  /** Source that names the identifier: a feed, or `reference` for a link in the references. */
  readonly source: string
}

/**
 * JSON text of each stored member of the CVE record. The API joins the members that a request selects to a response.
 */
export type Fragments = Readonly<Record<DocumentColumn, string>>

export interface PublishedDetail {
  readonly source: string
  /**
   * JSON text of the detail record without the member `enrichment_metadata`, which depends on earlier publications of
   * the CVE.
   */
  readonly record: string
}
