// Builds CPE matches from the CPE names given with a product, or from its vendor and product name.
import { buildCpe, type CpeParts, formatCpe, type ProductName } from '../../../domain/cpe/cpe.ts'
import { ANY, escapeCpeValue, unescapeCpeValue } from '../../../domain/cpe/cpe-value.ts'
import { isCommitHash } from '../../../domain/version/version-form.ts'
import { compareVersions, isInvertedRange } from '../../../domain/version/version-order.ts'
import type { Affected, CpeMatch } from '../../model/claim.ts'
import type { FoundName, ProductNames } from '../../model/source-data.ts'
import { parseCpeCached } from '../../sources/fields/parse-cpe.ts'
import { ANY_VERSION, toVersionLimits, type VersionLimits } from '../versions/version-ranges.ts'
import { findModels, type Models } from './models-as-versions.ts'
import { type PlatformVersions, readPlatformVersions } from './platform-versions.ts'
import { toVendorKey } from './product-name-keys.ts'
import { splitProducts } from './product-names.ts'
import { limitToVersionInName } from './version-in-name.ts'

export interface BuiltMatches {
  readonly matches: readonly CpeMatch[]
  /** Systems that are affected only when they run on one of the devices. */
  readonly onDevices?: readonly MatchesOnDevices[]
  /** All products are limited only by commits, so the matches cover any version. */
  readonly isByCommit: boolean
}

interface MatchesOnDevices {
  readonly systems: readonly CpeMatch[]
  readonly devices: readonly CpeMatch[]
}

/**
 * A CPE name without a version gets the limits of its product. A product that is limited only by commits matches any
 * version, unless another entry gives its versions. Versions of a platform on a device limit the platform, not the
 * device.
 */
export function toCpeMatches(affected: readonly Affected[]): BuiltMatches {
  const byVersion: CpeMatch[] = []
  const byCommit: CpeMatch[] = []
  const bySystems = new Map<string, MatchesOnDevices>()
  for (const each of affected) {
    const names = each.cpes.flatMap((text) => parseCpeCached(text) ?? []).filter(hasProduct)
    if (names.length === 0) continue
    const platforms = readPlatformVersions(each)
    if (platforms !== undefined) {
      addDevices(bySystems, names, platforms)
      continue
    }
    const limits = toVersionLimits(each)
    const isByCommit = limits.length === 0 && each.ranges.some((range) => range.isAffected && range.isCommit)
    const isOnly = names.every(({ version }) => version === names[0]?.version)
    for (const name of names) {
      if (isByCommit) {
        const open = { ...name, version: ANY, update: ANY }
        byCommit.push({ ...buildLimitedMatch(open, ANY_VERSION), byCommits: true })
      } else byVersion.push(...applyLimits(name, limits, isOnly, each.product))
    }
  }
  const others = byCommit.length === 0 ? byCommit : dropKnownProducts(byCommit, byVersion)
  // Several CPE names for one product can result in equal matches.
  const matches = [...new Map([...byVersion, ...others].map((each) => [JSON.stringify(each), each])).values()]
  const onDevices = [...bySystems.values()]
  const isByCommit = byVersion.length === 0 && onDevices.length === 0
  return { matches, isByCommit, ...(onDevices.length > 0 && { onDevices }) }
}

/** Devices that run the same systems are merged. Their names stay as the source gives them. */
function addDevices(
  bySystems: Map<string, MatchesOnDevices>,
  names: readonly CpeParts[],
  platforms: readonly PlatformVersions[],
): void {
  const systems = deriveSystems(platforms)
  const key = JSON.stringify(systems)
  const devices = names.map((name) => ({ ...buildMatch(formatCpe(name), ANY_VERSION), vulnerable: false }))
  bySystems.set(key, { systems, devices: [...(bySystems.get(key)?.devices ?? []), ...devices] })
}

function dropKnownProducts(matches: readonly CpeMatch[], others: readonly CpeMatch[]): readonly CpeMatch[] {
  const known = new Set(others.map(({ criteria }) => readProductKey(criteria)))
  return matches.filter(({ criteria }) => !known.has(readProductKey(criteria)))
}

function hasProduct({ product }: CpeParts): boolean {
  return unescapeCpeValue(product) !== undefined
}

export function readProductKey(criteria: string): string {
  const { part = '', vendor = '', product = '' } = parseCpeCached(criteria) ?? {}
  return `${part}:${vendor}:${product}`
}

/**
 * A CPE name without a version gets the limits of its product. A name with a version usually matches only that version,
 * or nothing if no version of the product is affected. But the name was derived from the product's ranges if its
 * version is an end of one of them, or if it is the only version in the product's CPE names and is listed or inside a
 * range: then the matches cover all ranges. CPE names with several versions list the affected versions one by one.
 */
function applyLimits(
  name: CpeParts,
  limits: readonly VersionLimits[],
  isOnlyVersion: boolean,
  product: string,
): readonly CpeMatch[] {
  const version = unescapeCpeValue(name.version)
  if (version === undefined) return limits.map((each) => buildLimitedMatch(toOtherVersion(name, version, each), each))
  if (isCommitHash(version)) return limits.map((each) => buildLimitedMatch({ ...name, version: ANY }, each))
  const isRelease = unescapeCpeValue(name.update) === undefined
  const mayBeInside = isOnlyVersion && isRelease && !isBranchInName(version, product)
  if (limits.some((each) => isEnd(version, each) || (mayBeInside && isInside(version, each)))) {
    const open = { ...name, version: ANY, update: ANY }
    return limits.map((each) => buildLimitedMatch(open, each))
  }
  const areReleases = isRelease && limits.every(({ update }) => update === undefined)
  if (isOnlyVersion && areReleases && limits.some((each) => each.version?.toLowerCase() === version))
    return limits.map((each) => buildLimitedMatch(toOtherVersion({ ...name, version: ANY }, version, each), each))
  return limits.length === 0 ? [] : [buildMatch(formatCpe(name), ANY_VERSION)]
}

/** The update in a CPE name belongs to the version in it: `12.0:-` says nothing about 13.0. */
function toOtherVersion(name: CpeParts, own: string | undefined, { version }: VersionLimits): CpeParts {
  return version === undefined || version.toLowerCase() === own ? name : { ...name, update: ANY }
}

function buildLimitedMatch(name: CpeParts, limits: VersionLimits): CpeMatch {
  const open = limits.between === undefined ? name.version : ANY
  const version = limits.version === undefined ? open : escapeCpeValue(limits.version.toLowerCase())
  const update = limits.update === undefined ? name.update : escapeCpeValue(limits.update.toLowerCase())
  return buildMatch(formatCpe({ ...name, version, update }), limits)
}

function isEnd(version: string, { between }: VersionLimits): boolean {
  return between !== undefined && Object.values(between).some((each) => each.toLowerCase() === version)
}

/** A version without a dot can be the release that the range's builds belong to, such as 15 for builds before 35979. */
function isInside(version: string, { between }: VersionLimits): boolean {
  const end = between?.versionEndIncluding ?? between?.versionEndExcluding
  if (between === undefined || end === undefined || version.includes('.') !== end.includes('.')) return false
  if (!version.includes('.') && version.length !== end.length) return false
  const start = between.versionStartIncluding ?? between.versionStartExcluding ?? '0'
  const [fromStart, toEnd] = [compareVersions(start, version), compareVersions(version, end)]
  return fromStart !== undefined && fromStart <= 0 && toEnd !== undefined && toEnd <= 0
}

/**
 * True for 8.0.0 in `.NET 8.0`. Microsoft starts the ranges of such products at 1.0.0, although older branches are
 * separate products, or gives file versions.
 */
function isBranchInName(version: string, product: string): boolean {
  const branch = version.split('.', 2).join('.')
  return product.split(/[ /]/).some((word) => word === version || word === branch)
}

/** NVD uses the part `o` (operating system) for firmware. */
const FIRMWARE = /\bfirmware\b/i

/**
 * A product's versions take precedence over its commits; a product with only commits gets one match for any version.
 */
export function deriveMatches(affected: readonly Affected[], productNames: ProductNames | undefined): BuiltMatches {
  const products = Map.groupBy(affected, ({ vendor, product }) => `${vendor}\n${product}`)
  let isByCommit = products.size > 0
  const onDevices: MatchesOnDevices[] = []
  const matches = [...products.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const platforms = group.map(readPlatformVersions)
    if (platforms.every((each) => each !== undefined)) {
      isByCommit = false
      const both = deriveOnDevices(nameDevice(first, productNames), platforms.flat())
      // Without a vendor, the device has no name, and a configuration without a device could never match.
      if (both.devices.length > 0) onDevices.push(both)
      return []
    }
    const models = group.map((each) => findModels(each, productNames))
    if (models.every((each) => each !== undefined)) {
      isByCommit = false
      return models.flatMap((each) => deriveModels(each, first.vendor))
    }
    const named = group.flatMap(toVersionLimits)
    const isByCommitAlone = named.length === 0 && group.every(({ ranges }) => ranges.some((each) => each.isAffected))
    isByCommit &&= isByCommitAlone
    const names = group.some(isOfRegistry) ? namePackage(first, productNames) : nameProduct(first, productNames)
    if (!isByCommitAlone) return named.flatMap((each) => deriveMatch(names, each))
    return deriveMatch(names, ANY_VERSION).map((each) => ({ ...each, byCommits: true as const }))
  })
  return { matches, isByCommit, ...(onDevices.length > 0 && { onDevices }) }
}

/** Uses NVD's names for the product, else the source's words, unless these name a package of a registry. */
export function listProductCriteria(affected: Affected, productNames?: ProductNames): readonly string[] {
  const named = isOfRegistry(affected) ? namePackage(affected, productNames) : nameProduct(affected, productNames)
  return deriveMatch(named, ANY_VERSION).map(({ criteria }) => criteria)
}

/** The source names a package of a registry, which its package URL identifies. */
export function isOfRegistry({ packageUrl, registryPackage }: Affected): boolean {
  return (packageUrl ?? registryPackage) !== undefined
}

function deriveModels({ names, unknown }: Models, vendor: string): readonly CpeMatch[] {
  const unmapped = unknown.map((product) => toProductName(vendor, product))
  return [
    ...deriveMatch({ names: names.map(toKnownName), isUnmapped: false }, ANY_VERSION),
    ...deriveMatch({ names: unmapped, isUnmapped: true }, ANY_VERSION),
  ]
}

/** Builds the matches as NVD writes them: the system is vulnerable, and the device is a condition. */
function deriveOnDevices(device: NamedProduct, platforms: readonly PlatformVersions[]): MatchesOnDevices {
  const devices = deriveMatch(device, ANY_VERSION).map((each) => ({ ...each, vulnerable: false }))
  return { systems: deriveSystems(platforms), devices }
}

function deriveSystems(platforms: readonly PlatformVersions[]): readonly CpeMatch[] {
  return platforms.flatMap(({ name, limits }) => deriveMatch({ names: [toKnownName(name)], isUnmapped: false }, limits))
}

interface NamedProduct {
  readonly names: readonly NameAndVersion[]
  /** NVD's dictionary does not contain the product. */
  readonly isUnmapped: boolean
}

interface NameAndVersion extends ProductName {
  /** Version at the end of the product's name. */
  readonly inName?: { readonly version: string; readonly update?: string }
}

/** A package URL identifies a package, so no CPE name is made up for it; a name that NVD uses is kept. */
function namePackage({ vendor, product }: Affected, productNames?: ProductNames): NamedProduct {
  return { names: productNames?.find(vendor, product)?.map(toKnownName) ?? [], isUnmapped: false }
}

/** Without a dictionary, the source's names are used and are not marked as unmapped. */
function nameProduct({ vendor: stated, product, packageOwner }: Affected, productNames?: ProductNames): NamedProduct {
  const vendor = stated === '' ? (packageOwner ?? '') : stated
  const known = productNames?.find(vendor, product)
  if (known !== undefined) return { names: known.map(toKnownName), isUnmapped: false }
  const knownVendor = productNames?.findVendor(vendor) ?? vendor
  return { names: [toProductName(knownVendor, product)], isUnmapped: productNames !== undefined }
}

/**
 * Devices are hardware. The dictionary is learnt from vulnerable products, so it contains few devices. If it has a
 * firmware or software name, only the vendor of that name is used.
 */
function nameDevice(affected: Affected, productNames?: ProductNames): NamedProduct {
  const known = productNames?.find(affected.vendor, affected.product)
  if (known?.every(({ part }) => part === 'h')) return { names: known.map(toKnownName), isUnmapped: false }
  const vendor = known?.[0]?.vendor ?? toVendorKey(affected.vendor)
  const names = splitProducts(affected.product).map((product) => ({ part: 'h' as const, vendor, product }))
  return { names, isUnmapped: productNames !== undefined }
}

function toKnownName({ part, vendor, product, version, update }: FoundName): NameAndVersion {
  const inName = version === undefined ? undefined : { version, ...(update !== undefined && { update }) }
  return {
    ...(inName && { inName }),
    part: part === 'o' || part === 'h' ? part : 'a',
    vendor: unescapeValue(vendor),
    product: unescapeValue(product),
  }
}

function unescapeValue(value: string): string {
  return unescapeCpeValue(value) ?? value
}

function deriveMatch({ names, isUnmapped }: NamedProduct, stated: VersionLimits): readonly CpeMatch[] {
  return names.flatMap(({ inName, ...name }) => {
    const limits = inName === undefined ? stated : limitToVersionInName(stated, inName)
    const criteria = buildCpe({ ...name, version: limits.version ?? '', update: limits.update ?? '' })
    if (criteria === undefined) return []
    const match = { ...buildMatch(criteria, limits), derived: true as const }
    return [isUnmapped ? { ...match, unmapped: true as const } : match]
  })
}

/** Used if NVD's dictionary does not contain the product. */
function toProductName(vendor: string, product: string): ProductName {
  if (/^linux$/i.test(vendor) && /^linux(?: kernel)?$/i.test(product))
    return { part: 'o', vendor: 'linux', product: 'linux_kernel' }
  return { part: FIRMWARE.test(product) ? 'o' : 'a', vendor, product }
}

function buildMatch(criteria: string, limits: VersionLimits): CpeMatch {
  const match = { vulnerable: true, criteria, ...limits.between }
  return {
    ...match,
    ...(limits.between !== undefined && isInvertedRange(limits.between) && { inverted: true }),
    ...(limits.fixedAt !== undefined && { fixedAt: limits.fixedAt }),
    ...(limits.endsBranch && { endsBranch: true }),
    ...(limits.isUnknown && { unknownVersions: true }),
    ...(limits.isDerived && { derived: true }),
  }
}
