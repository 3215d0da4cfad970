// What the forms of the databases have in common.
import type { VendorProduct } from '../../../domain/source/vendor-record.ts'

/** The content of an advisory's file. */
export interface RepositoryAdvisory {
  readonly title: string | null
  readonly isWithdrawn?: boolean
  /** Null if the advisory names none, or several. */
  readonly cve: string | null
  /** Ids in other databases. */
  readonly aliases: readonly string[]
  readonly published: Date | null
  /** The newest date in the file; null without one. */
  readonly modified: Date | null
  readonly products: readonly VendorProduct[]
  readonly urls: readonly string[]
}

/** Returns the reason for which the advisory cannot be used. */
export type ReadAdvisory = (raw: unknown) => RepositoryAdvisory | string
