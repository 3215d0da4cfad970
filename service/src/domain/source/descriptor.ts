// Describes what the service needs to know about a source.
import type { PurlType } from '../purl/package-types.ts'

type WebAddress = `https://${string}`

/** All packages of a purl type, or those of one distribution, such as `rpm/almalinux`. */
export type PackageSet = PurlType | `${PurlType}/${string}`

export interface SourceDescriptor {
  readonly title: string
  /** The providers of the source's values, by id. */
  readonly providers?: Readonly<Record<string, ProviderNames>>

  /** The database and its publisher, for attributions. */
  readonly work: string
  readonly homepage: WebAddress
  /** The parts of responses that come from the source. */
  readonly gives: string
  readonly terms: Terms
  /** The notice to show with the data, in the source's own words if it prescribes them. */
  readonly notice: string
  /** The part that is stored, if the terms do not allow storing everything. */
  readonly excerpt?: string

  /** What the data contains and where it comes from, in Markdown, for docs/feeds.md. */
  readonly content: string
  readonly origin: string

  readonly intervalSeconds: number
  /** How often upstream publishes, if that differs from the interval. */
  readonly intervalNote?: string
  /** The data set is stale if its last successful run is older than this. */
  readonly staleAfterSeconds: number
  /**
   * Longer than the usual interval between releases. Data without a date of its own is as old as its delivery. Null if
   * upstream has no schedule; then only the age of the last run decides staleness.
   */
  readonly maxDataAgeDays: number | null
  /** `/health` is degraded while the data set is stale. */
  readonly isRequired?: true

  /** Callers can request the source's own record of a CVE; a vendor's record requires an enterprise plan. */
  readonly ownRecord?: 'public' | 'vendor'
  /**
   * `products`: states which products are affected. `levels`: helps decide the level of a CVE. All sources with the same
   * value are needed, because each has CVEs or products that the others lack.
   */
  readonly judges?: readonly ('products' | 'levels')[]
  /** The packages whose affected versions the source names. */
  readonly packages?: readonly PackageSet[]
  /**
   * The source that covers these packages as a whole. This one only adds to it: without this one, a judgement is still
   * complete.
   */
  readonly supplements?: string
  /**
   * The releases of the distribution that the source assesses, as `findRelease` writes them. Packages of other releases
   * are not covered. Absent if the packages belong to no distribution.
   */
  readonly releases?: readonly string[]
  /** OSV's name for the distribution whose packages these are. */
  readonly ecosystem?: string
  /** The source names a distribution's source packages instead of the packages built from them. */
  readonly namesSourcePackages?: true
  /** Form and web page of the source's own advisory ids. */
  readonly advisories?: AliasForm
}

/** An advisory database in the OSV format. */
export interface OsvDescriptor extends SourceDescriptor {
  /** Short name of the database: for `go`, the feed is `osv-go` and the provider is `osv:go`. */
  readonly database: string
  /** The ecosystem's name in the bucket of osv.dev, which has one archive per ecosystem. */
  readonly ecosystem: string
  /**
   * Absent for a database that gives ids and judges nothing, because another source judges the packages. Only ids, dates
   * and links are then stored.
   */
  readonly packages?: readonly [PackageSet, ...PackageSet[]]
  readonly advisories: AliasForm & Required<Pick<AliasForm, 'page'>>
  /** AlmaLinux lists the CVEs that an update fixes in `related`; distributions that copy single CVEs use `upstream`. */
  readonly cveIdsIn: 'aliases' | 'related' | 'upstream'
  /**
   * Matches ids of notices, each about the updates for several CVEs. Which package has which flaw follows from the
   * database's records of single CVEs.
   */
  readonly notices?: RegExp
  /** The archive needs larger limits than the other databases' archives. */
  readonly hasLargeArchive?: true
  /** Prefix of the names of NDJSON files in an operator's directory. */
  readonly files: string
}

/** A database of advisories kept as files in a repository on GitHub. */
export interface RepositoryDescriptor extends SourceDescriptor {
  /** The advisories are about packages that were made to do harm, not about flaws. */
  readonly reports?: 'malicious'
  /** The archive needs larger limits than the other repositories' archives. */
  readonly hasLargeArchive?: true
  /** Owner and name. */
  readonly repository: string
  readonly branch: string
  /** Matches the path of an advisory in the repository; the group is the advisory's name. */
  readonly path: RegExp
  readonly packages: readonly [PackageSet, ...PackageSet[]]
}

/** A database in the form of Alpine's `secdb`. */
export interface SecdbDescriptor extends SourceDescriptor {
  /** The documents are below this address. */
  readonly base: WebAddress
  readonly documents: readonly string[]
  /** The ecosystem's name in the OSV format, in which a release follows: `Alpine:v3.23`. */
  readonly ecosystem: string
  /** The database's page about a CVE; `{id}` is the CVE id. */
  readonly page?: WebAddress
}

/** A publisher of CSAF documents. */
export interface CsafDescriptor extends SourceDescriptor {
  /**
   * A vendor writes about its own products, and ranks like a CNA there. A coordinator repeats what many vendors say.
   */
  readonly role: 'vendor' | 'coordinator'
  /** The terms allow serving the texts; otherwise only facts and links are served. */
  readonly mayQuote?: true
  readonly ownRecord: 'vendor'
  /** Prefix of the names of files in an operator's directory. */
  readonly files: string
  /**
   * The address of the publisher's `provider-metadata.json` and the page where it was read. Absent if it could not be
   * confirmed; the feed then reads only files, unless an operator sets an address.
   */
  readonly metadata?: ProviderMetadata
}

interface ProviderMetadata {
  readonly url: WebAddress
  /** The page where the address was read. */
  readonly page: WebAddress
  /** Hosts of the lists and documents, besides that of the address. */
  readonly hosts?: readonly string[]
  /**
   * OpenPGP keys that are trusted, by fingerprint in upper case, with a page that names it and that the publisher's own
   * server does not serve.
   */
  readonly keys?: readonly { readonly fingerprint: string; readonly page: WebAddress }[]
}

interface ProviderNames {
  /** The name shown next to a value. */
  readonly label: string
  /** The name within a sentence, if it differs. */
  readonly inText?: string
}

interface Terms {
  readonly name: string
  readonly url: WebAddress
}

/** The form of ids of advisories or of another database. */
export interface AliasForm {
  /** The letters with which the ids start. */
  readonly name: string
  /** Matches ids in their usual spelling. */
  readonly pattern: RegExp
  /** An id in the sample; the advisory is about a single CVE, unless the issuer's usually are about several. */
  readonly example: string
  /** The organisation or database that issues the ids. */
  readonly issuer: string
  /** `{id}` is the encoded id, `{+id}` the unencoded id, `{digits}` its digits. Absent if the ids have no web page. */
  readonly page?: WebAddress
  /** The letters after the first hyphen are in lower case, or those of the whole id. */
  readonly isLowerCase?: true | 'whole'
  /** Other words have the same form, such as `bit-torrent`. */
  readonly isAmbiguous?: true
}
