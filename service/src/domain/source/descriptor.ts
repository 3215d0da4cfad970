// What the service knows about a source: a feed, its data set, and the advisories that it issues.
import type { PurlType } from '../purl/package-types.ts'

type WebAddress = `https://${string}`

/** Packages that a source knows: all of a purl type, or those of one distribution, such as `rpm/almalinux`. */
export type PackageSet = PurlType | `${PurlType}/${string}`

export interface SourceDescriptor {
  /** Title of the data set for people. */
  readonly title: string
  /** Names of the providers that the source's values have in answers, by their ids. */
  readonly providers?: Readonly<Record<string, ProviderNames>>

  /** Full name of the database with its publisher, for attributions. */
  readonly work: string
  readonly homepage: WebAddress
  /** The parts of answers that come from the source. */
  readonly gives: string
  readonly terms: Terms
  /** Notice to show with the data, in the source's own words if it prescribes them. */
  readonly notice: string
  /** The part of the data that is stored, if the terms of the source do not allow storing all of it. */
  readonly excerpt?: string

  /** Content and place of the data, in Markdown, for docs/feeds.md. */
  readonly content: string
  readonly origin: string

  readonly intervalSeconds: number
  /** How often upstream publishes, if that differs from the interval. */
  readonly intervalNote?: string
  /** Age of the last successful run from which the data set counts as stale. */
  readonly staleAfterSeconds: number
  /**
   * Maximum age of the newest stored release or record, longer than the usual pause between two releases. Null: upstream
   * states no time, or has no schedule of releases, so only the age of the last run counts.
   */
  readonly maxDataAgeDays: number | null
  /** True if `/health` is degraded while the data set is stale. */
  readonly isRequired?: true

  /** Callers can ask for the source's own record of a CVE; a vendor's record requires an enterprise plan. */
  readonly ownRecord?: 'public' | 'vendor'
  /**
   * `products`: says which versions of products are affected. `levels`: decides about the level of a CVE. All sources of
   * a kind are needed: each has CVEs that the others lack.
   */
  readonly judges?: 'products' | 'levels'
  /** Packages of which the source says which versions are affected. One source of a package is enough. */
  readonly packages?: readonly PackageSet[]
  /** Name in the OSV format of the distribution whose packages are `packages`. */
  readonly ecosystem?: string
  /** True if the source names the source packages of a distribution instead of the packages built from them. */
  readonly namesSourcePackages?: true
  /** Ids of the source's own advisories. */
  readonly advisories?: AliasForm
}

/** An advisory database in the OSV format. */
export interface OsvDescriptor extends SourceDescriptor {
  /** Short name, such as `go`: the feed is called `osv-go`, and its values name the provider `osv:go`. */
  readonly database: string
  /** Name of the ecosystem in the bucket of osv.dev, which has one archive per ecosystem. */
  readonly ecosystem: string
  readonly packages: readonly [PackageSet, ...PackageSet[]]
  readonly advisories: AliasForm & Required<Pick<AliasForm, 'page'>>
  /**
   * Member that lists the CVEs. AlmaLinux writes the CVEs that an update fixes into `related`; distributions that copy
   * single CVEs write them into `upstream`.
   */
  readonly cveIdsIn: 'aliases' | 'related' | 'upstream'
  /** Start of the names of NDJSON files in an operator's directory. */
  readonly files: string
}

interface ProviderNames {
  /** Name of the provider beside a value. */
  readonly label: string
  /** Name in a sentence, if it is another one. */
  readonly inText?: string
}

interface Terms {
  readonly name: string
  readonly url: WebAddress
}

/** Form of the ids of advisories or of another database. */
export interface AliasForm {
  /** First letters of the ids. */
  readonly name: string
  /** Matches the usual spelling. */
  readonly pattern: RegExp
  readonly example: string
  /** Organisation or database that issues the ids. */
  readonly issuer: string
  /**
   * Address of an advisory's page. `{id}` is replaced by the encoded id, `{+id}` by the id as it is, and `{digits}` by its
   * digits. Absent if the ids do not lead to a page.
   */
  readonly page?: WebAddress
  /** True if the letters after the first hyphen are in lower case. */
  readonly isLowerCase?: true
  /** True if addresses of references contain ids of the form, which are then aliases of the CVE. */
  readonly isInAddresses?: true
  /** True if other words have the form too, such as `bit-torrent`. */
  readonly isAmbiguous?: true
}
