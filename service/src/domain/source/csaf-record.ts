// What a CSAF document says about one CVE, as the feeds store it. The parts that all CVEs of a document share are stored
// once.
import type { StatedRemediation } from './remediation.ts'
import type { VendorReference, VendorScore } from './vendor-record.ts'

/** The document's own facts. */
export interface CsafHead {
  readonly id: string
  readonly title: string | null
  /** The document's version, such as `1.2.0`. */
  readonly version: string
  /** The page of the advisory; null if the document names none. */
  readonly url: string | null
  readonly published: string | null
  readonly modified: string
  /** The severity in the publisher's own words. */
  readonly severity: string | null
}

export interface CsafProduct {
  /** The full name that the document gives, such as `RT430: all versions prior to 08A06`. */
  readonly name: string
  readonly vendor?: string
  readonly product?: string
  /** A version, or the text of a version range such as `vers:generic/<10.1.15`. */
  readonly version?: string
  readonly is_range?: true
  readonly cpe?: string
  readonly purl?: string
  /** The product that contains this one, or on which it is installed. */
  readonly within?: CsafProduct
  /** The document's product tree does not define the product; its name is its id. */
  readonly is_undefined?: true
}

export const CSAF_STATUSES = [
  'first_affected',
  'first_fixed',
  'fixed',
  'known_affected',
  'known_not_affected',
  'last_affected',
  'recommended',
  'under_investigation',
] as const

export type CsafStatus = (typeof CSAF_STATUSES)[number]

/** Products are positions in the document's list. */
export interface CsafStatement {
  readonly title: string | null
  readonly description: string | null
  readonly published: string | null
  /** Ids that the publisher gives the vulnerability, such as its bug numbers. */
  readonly ids: readonly string[]
  readonly scores: readonly VendorScore[]
  /** CWE ids such as `CWE-79`. */
  readonly weaknesses: readonly string[]
  readonly statuses: Readonly<Partial<Record<CsafStatus, readonly number[]>>>
  readonly justifications: readonly { readonly label: string; readonly products: readonly number[] }[]
  readonly remediations: readonly StatedRemediation[]
  readonly references: readonly VendorReference[]
  readonly exploitation: 'active' | null
}
