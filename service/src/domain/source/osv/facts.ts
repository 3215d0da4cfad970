import type { AliasForm, OsvDescriptor } from '../descriptor.ts'

/** Only what differs between the databases. */
export interface OsvFacts
  extends Pick<
    OsvDescriptor,
    | 'work'
    | 'homepage'
    | 'terms'
    | 'notice'
    | 'excerpt'
    | 'content'
    | 'maxDataAgeDays'
    | 'releases'
    | 'supplements'
    | 'hasLargeArchive'
    | 'notices'
  > {
  /** The name within a sentence, if it is not the issuer's. */
  readonly inText?: string
  readonly packages?: OsvDescriptor['packages']
  /** Given only for a distribution: a registry's ecosystem follows from its purl type. */
  readonly ecosystem?: string
  readonly namesSourcePackages?: true
  /** Default: 6 hours. */
  readonly intervalSeconds?: number
  /** If the form has no page, advisories are shown at osv.dev. */
  readonly advisories: AliasForm
  /** Default: `aliases`. */
  readonly cveIdsIn?: OsvDescriptor['cveIdsIn']
  /** Prefix of the names of NDJSON files. Default: the name of the database. */
  readonly files?: string
}
