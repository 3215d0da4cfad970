// The facts about a source.
import type { PurlType } from '../purl/package-types.ts'

type WebAddress = `https://${string}`

/** All packages of a purl type, or those of one distribution, such as `rpm/almalinux`. */
export type PackageSet = PurlType | `${PurlType}/${string}`

export interface SourceDescriptor {
  readonly title: string
  /** Providers of the source's values, by id. */
  readonly providers?: Readonly<Record<string, ProviderNames>>

  /** The database with its publisher, for attributions. */
  readonly work: string
  readonly homepage: WebAddress
  /** The parts of answers that come from the source. */
  readonly gives: string
  readonly terms: Terms
  /** To show with the data, in the source's own words if it prescribes them. */
  readonly notice: string
  /** The part that is stored, if the terms do not allow storing everything. */
  readonly excerpt?: string

  /** Content and place of the data, in Markdown, for docs/feeds.md. */
  readonly content: string
  readonly origin: string

  readonly intervalSeconds: number
  /** How often upstream publishes, if that differs from the interval. */
  readonly intervalNote?: string
  /** Age of the last successful run from which the data set is stale. */
  readonly staleAfterSeconds: number
  /**
   * Longer than the usual pause between releases. Null: upstream states no time or has no schedule, so only runs count.
   */
  readonly maxDataAgeDays: number | null
  /** `/health` is degraded while the data set is stale. */
  readonly isRequired?: true

  /** Callers can ask for the source's own record of a CVE; a vendor's record requires an enterprise plan. */
  readonly ownRecord?: 'public' | 'vendor'
  /**
   * `products`: says which versions of products are affected. `levels`: decides about the level of a CVE. All sources
   * of a kind are needed: each has CVEs that the others lack.
   */
  readonly judges?: 'products' | 'levels'
  /** Packages whose affected versions the source names. One source of a package is enough. */
  readonly packages?: readonly PackageSet[]
  /** OSV's name of the distribution whose packages these are. */
  readonly ecosystem?: string
  /** The source names a distribution's source packages instead of the packages built from them. */
  readonly namesSourcePackages?: true
  /** Form and page of the source's own advisory ids. */
  readonly advisories?: AliasForm
}

/** An advisory database in the OSV format. */
export interface OsvDescriptor extends SourceDescriptor {
  /** For example `go`: the feed is `osv-go`, and the provider `osv:go`. */
  readonly database: string
  /** In the bucket of osv.dev, which has one archive per ecosystem. */
  readonly ecosystem: string
  readonly packages: readonly [PackageSet, ...PackageSet[]]
  readonly advisories: AliasForm & Required<Pick<AliasForm, 'page'>>
  /** AlmaLinux writes CVEs that an update fixes into `related`; distributions that copy single CVEs use `upstream`. */
  readonly cveIdsIn: 'aliases' | 'related' | 'upstream'
  /** Start of the names of NDJSON files in an operator's directory. */
  readonly files: string
}

interface ProviderNames {
  /** Name beside a value. */
  readonly label: string
  /** In a sentence, if it differs. */
  readonly inText?: string
}

interface Terms {
  readonly name: string
  readonly url: WebAddress
}

/** Ids of advisories or of another database. */
export interface AliasForm {
  /** First letters of the ids. */
  readonly name: string
  /** Matches the usual spelling. */
  readonly pattern: RegExp
  readonly example: string
  /** The organisation or database that issues the ids. */
  readonly issuer: string
  /** `{id}` is the encoded id, `{+id}` the id as it is, `{digits}` its digits. Absent if the ids lead to no page. */
  readonly page?: WebAddress
  /** The letters after the first hyphen are in lower case. */
  readonly isLowerCase?: true
  /** Ids in addresses of references are aliases of the CVE. */
  readonly isInAddresses?: true
  /** Other words have the form too, such as `bit-torrent`. */
  readonly isAmbiguous?: true
}
