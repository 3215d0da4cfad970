// Reads affected products in the form of the CVE List, which NVD repeats since 2026.
import { parseCpe } from '../../domain/cpe.ts'
import type { Affected, AffectedRange, Provider } from '../model/claim.ts'
import { type JsonObject, objectsIn, textIn, textsIn } from './json.ts'
import { readComparators } from './read-comparators.ts'

/** Placeholders that CNAs write for a missing value. */
const PLACEHOLDER = /^(?:n\/?a|-|\*|none|unknown|unspecified|not (?:specified|applicable|available))$/i

/** Returns undefined for an entry without a product. */
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

/** `unknown` counts as not affected. Without a defaultStatus the CVE List defines unlisted versions as unknown. */
function isAffectedByDefault(entry: JsonObject): boolean | undefined {
  const status = textIn(entry, 'defaultStatus')?.toLowerCase()
  if (status === undefined && objectsIn(entry, 'versions').length === 0) return undefined
  return status === 'affected'
}

/** Red Hat names a distribution as the product and gives the versions of a package in it. */
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
 * Some CNAs give versionType `git` for tags of their repository, and the Linux kernel gives `original_commit_for_fix` for
 * a release number. Ends with a dot between digits are therefore versions, unless one of the ends is a hash.
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

/** Ends the range at the first change to `unaffected`, by which some CNAs mark the fix within a range. */
function cutAtChange(entry: JsonObject, range: AffectedRange): readonly AffectedRange[] {
  const change = objectsIn(entry, 'changes').find((each) => textIn(each, 'status')?.toLowerCase() === 'unaffected')
  const at = change === undefined ? null : textIn(change, 'at')
  return range.isAffected && at !== null ? [{ ...range, lessThan: at, lessThanOrEqual: null }] : [range]
}

const IS_VERSION = /\d/

/** Returns the first fixed version with the name of its member, such as `lessThan 2.1`. */
export function fixInAffected(affected: readonly Affected[]): string | null {
  for (const range of affected.flatMap(({ ranges }) => ranges)) {
    const fix = describeFix(range)
    if (fix !== null) return fix
  }
  return null
}

function describeFix({ isAffected, version, lessThan }: AffectedRange): string | null {
  if (isAffected) return lessThan !== null && IS_VERSION.test(lessThan) ? `lessThan ${lessThan}` : null
  // Unaffected from version 0 on means that the product was never affected, so that no version is a fix.
  const isFixed = version !== null && IS_VERSION.test(version) && version !== '0'
  return isFixed ? `unaffected ${version}` : null
}
