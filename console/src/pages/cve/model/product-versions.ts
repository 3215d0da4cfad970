// The form in which the page shows affected versions: products, each with ranges, single versions and fixed versions.

interface VersionBound {
  readonly version: string
  readonly isIncluded: boolean
}

export interface VersionRange {
  /**
   * `any`: every version. `unstated`: the source names the product but no version. `words`: it names the versions in
   * words only, so it is unknown which ones are affected.
   */
  readonly kind: 'range' | 'exact' | 'any' | 'unstated' | 'words'
  readonly start?: VersionBound | undefined
  readonly end?: VersionBound | undefined
  /** The version, if the kind is `exact`. */
  readonly version?: string | undefined
  /** False for versions that the source lists as not affected. */
  readonly isAffected: boolean
  /** Editions and platforms that the range is limited to, such as "for windows". */
  readonly limits: readonly string[]
  /** The range starts after its end, so it contains no version. */
  readonly isInverted: boolean
  /** The service built the range from the product name of a source. */
  readonly isDerived: boolean
  /** A derived name that does not occur in NVD's data. */
  readonly isUnmapped: boolean
  /** The source limits the versions only by commits, so the range also covers fixed versions. */
  readonly isByCommits: boolean
  /** The versions are commits, which have no order. */
  readonly isCommit: boolean
  /**
   * The source names versions in a form that is no version, such as a URL. The range has only the limits that could be
   * read.
   */
  readonly isInWords: boolean
  /** The source's text in place of the end. Absent if the record does not repeat it. */
  readonly words?: string | undefined
}

export interface FixedVersion {
  readonly version: string
  readonly isCommit: boolean
  readonly source: string
}

export interface ProductVersions {
  /** Unique within one list. */
  readonly key: string
  readonly vendor: string
  readonly product: string
  /** Type of product, or undefined if the source does not state it. */
  readonly kind?: string | undefined
  readonly packageUrl?: string | undefined
  /** False for a product that must be present but is not vulnerable itself. */
  readonly isVulnerable: boolean
  /** Whether versions that are not listed are affected. */
  readonly isAffectedByDefault: boolean
  readonly ranges: readonly VersionRange[]
  readonly fixes: readonly FixedVersion[]
}

const COMMIT = /^[\da-f]{12,64}$/i

/** Returns whether a version is a commit hash. Requiring twelve hex digits excludes most dates and build numbers. */
export function isCommit(version: string): boolean {
  return COMMIT.test(version) && /[a-f]/i.test(version)
}

export function shortenVersion({ isCommit: isHash }: { isCommit: boolean }, version: string): string {
  return isHash && version.length > 12 ? `${version.slice(0, 12)}…` : version
}

/** Describes a range as text: "from 2.13.0, before 2.15.0". */
export function describeRange(range: VersionRange): string {
  const { kind, start, end, version = '' } = range
  if (kind === 'any') return 'Any version'
  if (kind === 'unstated') return 'No version stated'
  if (kind === 'words') return 'Unknown versions'
  if (kind === 'exact') return shortenVersion(range, version)
  const from = start && `${start.isIncluded ? 'from' : 'after'} ${shortenVersion(range, start.version)}`
  const to = end && `${end.isIncluded ? 'up to' : 'before'} ${shortenVersion(range, end.version)}`
  const unknownEnd = range.isInWords && end === undefined ? 'to an unknown end' : undefined
  const text = [from, to, unknownEnd].filter((each) => each !== undefined).join(', ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** Makes names from different sources comparable: "Palo Alto Networks" and "palo_alto_networks" are the same. */
export function normaliseName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim()
}
