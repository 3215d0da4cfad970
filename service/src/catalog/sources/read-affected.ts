// Reads affected products in the JSON format of the CVE List. NVD records have contained a copy of these products since
// 2026.
import { parseCpe } from '../../domain/cpe.ts'
import type { Affected, AffectedRange, Provider } from '../model/claim.ts'
import { type JsonObject, objectsIn, textIn, textsIn } from './json.ts'
import { readComparators } from './read-comparators.ts'

/** Placeholders that CNAs write instead of leaving a value out. */
const PLACEHOLDER = /^(?:n\/?a|-|\*|none|unknown|unspecified|not (?:specified|applicable|available))$/i

/** Returns undefined for an entry without a product name, CPE name or package URL. */
export function readAffected(entry: JsonObject, by: Provider): Affected | undefined {
  const cpes = textsIn(entry, 'cpes').filter((each) => /^cpe:(?:2\.3:|\/)/i.test(each))
  const vendor = dropPlaceholder(textIn(entry, 'vendor'))
  const product = dropPlaceholder(textIn(entry, 'product')) ?? dropPlaceholder(textIn(entry, 'packageName'))
  const packageUrl = textIn(entry, 'packageURL')
  if (product === null && cpes.length === 0 && packageUrl === null) return undefined
  const isDefault = isAffectedByDefault(entry)
  return {
    by,
    vendor: vendor ?? '',
    product: product ?? '',
    cpes,
    packageUrl,
    ranges: objectsIn(entry, 'versions').flatMap(readVersion),
    ...(isDefault !== undefined && { isAffectedByDefault: isDefault }),
    ...(hasPackageVersions(entry, cpes) && { areVersionsOfPackage: true }),
  }
}

/**
 * Returns whether unlisted versions are affected. The status `unknown` counts as not affected. The CVE List defines
 * unlisted versions as unknown if defaultStatus is missing.
 */
function isAffectedByDefault(entry: JsonObject): boolean | undefined {
  const status = textIn(entry, 'defaultStatus')?.toLowerCase()
  if (status === undefined && objectsIn(entry, 'versions').length === 0) return undefined
  return status === 'affected'
}

/**
 * Returns whether the versions belong to a package instead of the product: Red Hat names a distribution as the product
 * and gives the versions of a package in the distribution.
 */
function hasPackageVersions(entry: JsonObject, cpes: readonly string[]): boolean {
  const name = dropPlaceholder(textIn(entry, 'packageName'))?.toLowerCase()
  if (name === undefined || cpes.length === 0 || dropPlaceholder(textIn(entry, 'product')) === null) return false
  return cpes.every((each) => parseCpe(each)?.product !== name)
}

function dropPlaceholder(text: string | null): string | null {
  return text === null || PLACEHOLDER.test(text) ? null : text
}

const COMMITS = /^git|commit/i
const IS_COMMIT = { isCommit: true } as const
const HASH = /^[\da-f]{7,64}$/i
const DOTTED = /\d\.\d/

/**
 * Returns whether a version range is given as commits. Some CNAs give versionType `git` for tags of their repository,
 * and the Linux kernel gives `original_commit_for_fix` for a release number. Texts with a dot between digits are
 * therefore read as versions, unless an end of the range is a commit hash.
 */
function isCommit(entry: JsonObject): boolean {
  if (!COMMITS.test(textIn(entry, 'versionType') ?? '')) return false
  const ends = ['version', 'lessThan', 'lessThanOrEqual'].map((name) => textIn(entry, name) ?? '')
  return ends.some((each) => HASH.test(each)) || !ends.some((each) => DOTTED.test(each))
}

function readVersion(entry: JsonObject): readonly AffectedRange[] {
  const status = textIn(entry, 'status')?.toLowerCase()
  if (status !== 'affected' && status !== 'unaffected') return []
  const flags = {
    isAffected: status === 'affected',
    ...(isCommit(entry) && IS_COMMIT),
  }
  const version = textIn(entry, 'version')
  const lessThan = textIn(entry, 'lessThan')
  const lessThanOrEqual = textIn(entry, 'lessThanOrEqual')
  const limits = [version, lessThan, lessThanOrEqual].find((each) => each !== null && /[<>]/.test(each))
  const compared = limits === undefined || limits === null ? undefined : readComparators(limits)
  if (compared !== undefined) return compared.map((range) => ({ ...flags, ...range }))
  return cutAtChange(entry, { ...flags, version, lessThan, lessThanOrEqual })
}

/**
 * Ends a version range at the first change to `unaffected`. Some CNAs mark the fix within a range with such a change.
 */
function cutAtChange(entry: JsonObject, range: AffectedRange): readonly AffectedRange[] {
  const change = objectsIn(entry, 'changes').find((each) => textIn(each, 'status')?.toLowerCase() === 'unaffected')
  const at = change === undefined ? null : textIn(change, 'at')
  return range.isAffected && at !== null ? [{ ...range, lessThan: at, lessThanOrEqual: null }] : [range]
}

const IS_VERSION = /\d/

/** Returns the first fixed version together with the name of its JSON member, such as `lessThan 2.1`. */
export function fixInAffected(affected: readonly Affected[]): string | null {
  for (const range of affected.flatMap(({ ranges }) => ranges)) {
    const fix = describeFix(range)
    if (fix !== null) return fix
  }
  return null
}

function describeFix({ isAffected, version, lessThan }: AffectedRange): string | null {
  if (isAffected) return lessThan !== null && IS_VERSION.test(lessThan) ? `lessThan ${lessThan}` : null
  // If a product is unaffected from version 0 on, it was never affected, so that no version is a fix.
  const isFixed = version !== null && IS_VERSION.test(version) && version !== '0'
  return isFixed ? `unaffected ${version}` : null
}
