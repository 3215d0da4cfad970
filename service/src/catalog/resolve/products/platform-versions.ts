// Reads platform versions. Chip manufacturers name chips as the product, but give the versions of the systems that run
// on them, such as `Android 13.0` or `openWRT 21.02`.
import type { Affected, AffectedRange } from '../../model/claim.ts'
import type { CpeName } from '../../model/source-data.ts'
import type { VersionLimits } from '../versions/version-ranges.ts'

export interface PlatformVersions {
  readonly name: CpeName
  readonly limits: VersionLimits
}

/** Platforms that NVD lists as vulnerable on chips, by the word that CNAs write before the version. */
const PLATFORMS: ReadonlyMap<string, CpeName> = new Map([
  ['android', { part: 'o', vendor: 'google', product: 'android' }],
  ['openwrt', { part: 'o', vendor: 'openwrt', product: 'openwrt' }],
  ['yocto', { part: 'a', vendor: 'linuxfoundation', product: 'yocto' }],
  ['rdk-b', { part: 'a', vendor: 'rdkcentral', product: 'rdk-b' }],
])
const PLATFORM_VERSION = /^(android|openwrt|yocto|rdk-b)[ _-]?v?(\d[a-z\d.]{0,20})$/i

/**
 * Returns undefined if one of the versions is not a platform version. A product with the platform's name has versions
 * of its own.
 */
export function readPlatformVersions({ product, ranges }: Affected): readonly PlatformVersions[] | undefined {
  const affected = ranges.filter((each) => each.isAffected)
  if (affected.length === 0) return undefined
  const versions = affected.map((each) => readRange(each, product))
  return versions.every((each) => each !== undefined) ? versions : undefined
}

function readRange(range: AffectedRange, product: string): PlatformVersions | undefined {
  const { version, lessThan, lessThanOrEqual } = range
  const start = version === null ? undefined : readVersion(version, product)
  if (start === undefined) return undefined
  const last = lessThan ?? lessThanOrEqual
  if (last === null) return { name: start.name, limits: { version: start.version } }
  const end = readVersion(last, product)
  if (end?.name !== start.name) return undefined
  const limit = lessThan === null ? { versionEndIncluding: end.version } : { versionEndExcluding: end.version }
  return { name: start.name, limits: { between: { versionStartIncluding: start.version, ...limit } } }
}

function readVersion(text: string, product: string): { readonly name: CpeName; readonly version: string } | undefined {
  const [, word = '', version = ''] = PLATFORM_VERSION.exec(text) ?? []
  const name = PLATFORMS.get(word.toLowerCase())
  if (name === undefined || product.toLowerCase().includes(word.toLowerCase())) return undefined
  // NVD writes Android 13 as 13.0.
  const isRelease = name.product === 'android' && /^\d+$/.test(version)
  return { name, version: isRelease ? `${version}.0` : version }
}
