// Reads affected products in the format of the CVE List, which NVD records have copied since 2026.
import { parseCpe } from '../../../domain/cpe/cpe.ts'
import { buildRegistryPurl } from '../../../domain/purl/registry-address.ts'
import { isCommitHash, isVersion } from '../../../domain/version/version-form.ts'
import { compareVersions } from '../../../domain/version/version-order.ts'
import type { Affected, AffectedRange, Provider } from '../../model/claim.ts'
import { type JsonObject, objectsIn, textIn, textsIn } from '../json.ts'
import { namesOtherProduct } from '../versions/other-product.ts'
import { readVersionLimits } from '../versions/read-version-limits.ts'
import { splitAtChanges } from './split-at-changes.ts'

/** CNAs write these words instead of leaving a value out. */
const PLACEHOLDER = /^(?:n\/?a|-|\*|none|unknown|unspecified|not (?:specified|applicable|available))$/i

/** Returns undefined if there is no product name, CPE name or package URL. */
export function readAffected(entry: JsonObject, by: Provider): Affected | undefined {
  const cpes = textsIn(entry, 'cpes').filter((each) => /^cpe:(?:2\.3:|\/)/i.test(each))
  const vendor = dropPlaceholder(textIn(entry, 'vendor'))
  const product = dropPlaceholder(textIn(entry, 'product')) ?? dropPlaceholder(textIn(entry, 'packageName'))
  const packageUrl = textIn(entry, 'packageURL')
  if (product === null && cpes.length === 0 && packageUrl === null) return undefined
  const isDefault = isAffectedByDefault(entry)
  const productName = [vendor, product].filter((each) => each !== null).join(' ')
  return {
    by,
    vendor: vendor ?? '',
    product: product ?? '',
    cpes,
    packageUrl,
    ranges: readVersions(objectsIn(entry, 'versions'), productName),
    ...(isDefault !== undefined && { isAffectedByDefault: isDefault }),
    ...(isUnaffectedByDefault(entry) && { isUnaffectedByDefault: true }),
    ...readPlatforms(entry),
    ...readPackage(entry, cpes),
    ...(packageUrl === null && readRegistryPackage(entry)),
    ...(vendor === null && readOwner(entry)),
  }
}

function readPlatforms(entry: JsonObject): Pick<Affected, 'platforms'> {
  const platforms = textsIn(entry, 'platforms').filter((each) => dropPlaceholder(each) !== null)
  return platforms.length === 0 ? {} : { platforms }
}

const DISTRIBUTION_SITE = /^https?:\/\/(?:access\.redhat\.com|packages\.fedoraproject\.org|repos\.fedorapeople\.org)\//i

function readPackage(entry: JsonObject, cpes: readonly string[]): Partial<Affected> {
  const packageName = dropPlaceholder(textIn(entry, 'packageName'))
  if (packageName !== null && hasPackageVersions(entry, packageName.toLowerCase(), cpes))
    return { areVersionsOfPackage: true, packageName, isDistribution: true }
  const isPackage = packageName !== null && textIn(entry, 'product') !== null
  return isPackage && DISTRIBUTION_SITE.test(textIn(entry, 'collectionURL') ?? '') ? { isDistribution: true } : {}
}

function readRegistryPackage(entry: JsonObject): Partial<Affected> {
  const [address, name] = [textIn(entry, 'collectionURL'), dropPlaceholder(textIn(entry, 'packageName'))]
  const purl = address === null || name === null ? null : buildRegistryPurl(address, name)
  return purl === null ? {} : { registryPackage: purl }
}

const REPOSITORY = /^https?:\/\/(?:github\.com|gitlab\.[\w.-]+|codeberg\.org|bitbucket\.org)\/([\w.-]+)\/[\w.-]/i
const SITE = /^https?:\/\/(?:[\w-]+\.)*?([\w-]+)\.(?:[a-z]{2,6})(?:[/:?]|$)/i

/** Reads the owner from the repository address, else from the name of the site. */
function readOwner(entry: JsonObject): Partial<Affected> {
  const url = textIn(entry, 'collectionURL')
  if (url === null || DISTRIBUTION_SITE.test(url)) return {}
  const packageOwner = REPOSITORY.exec(url)?.[1] ?? SITE.exec(url)?.[1]
  return packageOwner === undefined ? {} : { packageOwner }
}

/** False for `unaffected` and for `unknown`, which is the CVE List's default for unlisted versions. */
function isAffectedByDefault(entry: JsonObject): boolean | undefined {
  const status = textIn(entry, 'defaultStatus')?.toLowerCase()
  if (status === undefined && objectsIn(entry, 'versions').length === 0) return undefined
  return status === 'affected'
}

/** The default also covers listed versions whose status is unknown, which nothing else would keep from being called safe. */
function isUnaffectedByDefault(entry: JsonObject): boolean {
  const listsUnknown = objectsIn(entry, 'versions').some((each) => textIn(each, 'status')?.toLowerCase() === 'unknown')
  return !listsUnknown && textIn(entry, 'defaultStatus')?.toLowerCase() === 'unaffected'
}

const DISTRIBUTION = /\b(?:linux|leap|tumbleweed|fedora|ubuntu|debian)\b/i

/** Red Hat and SUSE name a distribution as the product and give the versions of a package in it. */
function hasPackageVersions(entry: JsonObject, name: string, cpes: readonly string[]): boolean {
  const product = dropPlaceholder(textIn(entry, 'product'))?.toLowerCase()
  if (product === undefined) return false
  if (cpes.length === 0) return DISTRIBUTION.test(product) && !product.includes(name)
  return cpes.every((each) => parseCpe(each)?.product !== name)
}

function dropPlaceholder(text: string | null): string | null {
  return text === null || PLACEHOLDER.test(text) ? null : text
}

/** Versions of another product are left out. A product with no others has versions that cannot be read. */
function readVersions(entries: readonly JsonObject[], productName: string): readonly AffectedRange[] {
  const own = entries.filter((each) => !namesOtherProduct(textIn(each, 'version') ?? '', productName))
  if (own.length > 0 || entries.length === 0) return own.flatMap((each) => readVersion(each, productName))
  const isAffected = entries.some((each) => textIn(each, 'status')?.toLowerCase() === 'affected')
  const version = textIn(entries[0] ?? {}, 'version')
  return [{ isAffected, version, lessThan: null, lessThanOrEqual: null }]
}

function readVersion(entry: JsonObject, productName: string): readonly AffectedRange[] {
  const status = textIn(entry, 'status')?.toLowerCase()
  if (status !== 'affected' && status !== 'unaffected') return []
  const isAffected = status === 'affected'
  const ranges = readVersionLimits(entry, productName).map((range) => ({ isAffected, ...range }))
  const [only] = ranges
  return only !== undefined && ranges.length === 1 ? cutAtChange(entry, only) : ranges.map(markOneOfText)
}

function markOneOfText(range: AffectedRange): AffectedRange {
  return range.lessThan === null || range.lessThan === '*' ? range : { ...range, isOneOfText: true }
}

/**
 * Some CNAs mark the fix within a range by a change to `unaffected`; the range then ends there. A range that ends
 * before the change keeps its end: `<= 1.0.0` with a change at 1.1.0 says nothing about 1.0.1, and 1.1.0 is the fixed
 * version. A commit or patch file names a fix but does not end a range of versions. A word such as `release` is
 * ignored.
 */
function cutAtChange(entry: JsonObject, range: AffectedRange): readonly AffectedRange[] {
  const changes = objectsIn(entry, 'changes').filter((each) => textIn(each, 'status')?.toLowerCase() === 'unaffected')
  const fixes = changes.map((each) => textIn(each, 'at')).filter((at) => at !== null)
  const [fixedAt] = fixes
  if (!range.isAffected || fixedAt === undefined || !/\d/.test(fixedAt)) return [range]
  const split = fixes.every((at) => isEndOf(at, range)) ? splitAtChanges(range, fixes) : undefined
  if (split !== undefined) return split
  const isCut = isEndOf(fixedAt, range) && !endsBefore(range, fixedAt)
  return [{ ...range, ...(isCut && { lessThan: fixedAt, lessThanOrEqual: null }), fixedAt }]
}

function endsBefore({ lessThan, lessThanOrEqual }: AffectedRange, version: string): boolean {
  const end = lessThan ?? lessThanOrEqual
  return end !== null && end !== '*' && (compareVersions(end, version) ?? 0) < 0
}

const PATCH_FILE = /\.(?:patch|diff)$/i
const IS_NUMBERED = /^v?\.?\d/i

/** A hotfix such as `Q23105` cannot end a range up to version 9.0.1, because the two forms have no common order. */
export function isEndOf(text: string, { lessThan, lessThanOrEqual, isCommit }: AffectedRange): boolean {
  if (isCommit) return isCommitHash(text)
  const end = lessThan ?? lessThanOrEqual ?? '*'
  const hasSameForm = end === '*' || IS_NUMBERED.test(text) === IS_NUMBERED.test(end)
  return hasSameForm && isVersion(text) && !isCommitHash(text) && !PATCH_FILE.test(text)
}
