import { type CpeParts, readEdition } from '../../domain/cpe/cpe.ts'
import { ANY, NOT_APPLICABLE, unescapeCpeValue, unescapeLimit } from '../../domain/cpe/cpe-value.ts'
import { parseSeries } from '../../domain/version/version-form.ts'
import { type AffectedName, type Limits, UNLIMITED } from '../../record/affected-row.ts'
import type { CpeMatch } from '../model/claim.ts'
import type { VersionLimits } from '../resolve/versions/version-ranges.ts'
import { parseCpeCached } from '../sources/fields/parse-cpe.ts'

/** Same limit as in catalog.product. */
const MAX_LENGTH = 256

export interface MatchedName extends AffectedName {
  readonly part: string
  readonly version: string
  readonly update: string
}

/** Returns undefined if the vendor or product is missing. */
export function readCriteria(criteria: string): MatchedName | undefined {
  const name = splitPlain(criteria) ?? parseCpeCached(criteria)
  if (name === undefined) return undefined
  const [vendor, product] = [unescapeCpeValue(name.vendor), unescapeCpeValue(name.product)]
  if (vendor === undefined || product === undefined) return undefined
  if (vendor.length > MAX_LENGTH || product.length > MAX_LENGTH) return undefined
  return {
    kind: 'cpe',
    part: name.part,
    vendor,
    product,
    version: name.version,
    update: name.update,
    target: unescapeCpeValue(name.targetSoftware) ?? '',
    edition: readEdition(name),
  }
}

type ReadParts = Pick<
  CpeParts,
  'part' | 'vendor' | 'product' | 'version' | 'update' | 'edition' | 'softwareEdition' | 'targetSoftware'
>

const PART_COUNT = 13
/** Nearly all names are lower case without escapes; splitting them takes a tenth of the time of parsing. */
const PLAIN = /^cpe:2\.3:[aho]:[a-z\d_.*:-]+$/

function splitPlain(criteria: string): ReadParts | undefined {
  if (!PLAIN.test(criteria)) return undefined
  const parts = criteria.split(':')
  if (parts.length !== PART_COUNT) return undefined
  const [, , part = '', vendor = '', product = '', version = '', update = '', edition = ''] = parts
  const [softwareEdition = ANY, targetSoftware = ANY] = parts.slice(9)
  return { part, vendor, product, version, update, edition, softwareEdition, targetSoftware }
}

export interface MatchedVersions {
  readonly version: string | null
  readonly limits: Limits
  readonly isVague: boolean
  /** The end follows from a series, so the source does not call it fixed. */
  readonly endsSeries?: true
}

const ANY_VERSION: MatchedVersions = { version: null, limits: UNLIMITED, isVague: true }

/** A name without a version or limits, or with version `-`, says nothing: NVD writes it if no version is known. */
export function readVersions({ version, update }: MatchedName, match: CpeMatch): MatchedVersions {
  if (match.unknownVersions) return ANY_VERSION
  const limits = readLimits(match)
  const mark = match.endsBranch && { endsSeries: match.endsBranch }
  if (limits !== undefined) return { version: null, limits, isVague: match.inverted === true, ...mark }
  if (version === NOT_APPLICABLE || version === ANY) return ANY_VERSION
  const plain = unescapeCpeValue(version) ?? version
  if (!/(?:^|[^\\])[*?]/.test(version)) return { version: addUpdate(plain, update), limits: UNLIMITED, isVague: false }
  const series = parseSeries(plain)
  if (series?.next === undefined) return ANY_VERSION
  const range = { low: series.first, isLowIncluded: true, high: series.next, isHighIncluded: false }
  return { version: null, limits: range, isVague: false, endsSeries: true }
}

/** Returns, for example, `11.1.2 h1`, or `11.1.2 -` for the release without an update. */
function addUpdate(version: string, update: string): string {
  if (update === ANY) return version
  return `${version} ${unescapeCpeValue(update) ?? NOT_APPLICABLE}`
}

/** Returns undefined if the match has no limits. */
export function readLimits(match: NonNullable<VersionLimits['between']>): Limits | undefined {
  const low = match.versionStartIncluding ?? match.versionStartExcluding
  const high = match.versionEndIncluding ?? match.versionEndExcluding
  if (low === undefined && high === undefined) return undefined
  return {
    low: low === undefined ? null : unescapeLimit(low),
    isLowIncluded: match.versionStartIncluding !== undefined,
    high: high === undefined ? null : unescapeLimit(high),
    isHighIncluded: match.versionEndIncluding !== undefined,
  }
}
