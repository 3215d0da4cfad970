// Recognises versions of a platform that a CNA gives as the versions of a device: manufacturers of chips name the chips as
// the product, and the versions of the systems that run on them, such as `Android 13.0` or `openWRT 21.02`.
import type { Affected } from '../model/claim.ts'
import type { CpeName } from '../model/source-data.ts'

export interface PlatformVersion {
  readonly name: CpeName
  readonly version: string
}

/** Platforms that NVD lists as vulnerable on chips, by the word that CNAs write before the version. */
const PLATFORMS: ReadonlyMap<string, CpeName> = new Map([
  ['android', { part: 'o', vendor: 'google', product: 'android' }],
  ['openwrt', { part: 'o', vendor: 'openwrt', product: 'openwrt' }],
  ['yocto', { part: 'a', vendor: 'linuxfoundation', product: 'yocto' }],
  ['rdk-b', { part: 'a', vendor: 'rdkcentral', product: 'rdk-b' }],
])
const PLATFORM_VERSION = /^(android|openwrt|yocto|rdk-b)[ _-]?v?(\d[\w.]{0,20})$/i

/**
 * Returns the affected versions of platforms, or undefined if a version is not that of a platform. A product with the name
 * of the platform has versions of its own.
 */
export function readPlatformVersions({ product, ranges }: Affected): readonly PlatformVersion[] | undefined {
  const affected = ranges.filter((each) => each.isAffected)
  if (affected.length === 0) return undefined
  const versions = affected.map(({ version, lessThan, lessThanOrEqual }) =>
    version === null || lessThan !== null || lessThanOrEqual !== null ? undefined : readVersion(version, product),
  )
  return versions.every((each) => each !== undefined) ? versions : undefined
}

function readVersion(text: string, product: string): PlatformVersion | undefined {
  const [, word = '', version = ''] = PLATFORM_VERSION.exec(text) ?? []
  const name = PLATFORMS.get(word.toLowerCase())
  if (name === undefined || product.toLowerCase().includes(word.toLowerCase())) return undefined
  // NVD writes Android 13 as 13.0.
  return { name, version: /^\d+$/.test(version) ? `${version}.0` : version }
}
