// Affected products as CNAs write them, in the CVE List and, since 2026, in NVD's copy of it.
import { parseCpe } from '../../domain/cpe.ts'
import type { Affected, AffectedRange, Speaker } from '../model/claim.ts'
import { type JsonObject, objectsIn, textIn, textsIn } from './json.ts'
import { readComparators } from './read-comparators.ts'

/** What is written where there is nothing to say. */
const NOTHING_SAID = /^(?:n\/?a|-|\*|none|unknown|unspecified|not (?:specified|applicable|available))$/i

/** Undefined for an entry that names no product. */
export function readAffected(entry: JsonObject, by: Speaker): Affected | undefined {
  const cpes = textsIn(entry, 'cpes').filter((each) => /^cpe:(?:2\.3:|\/)/i.test(each))
  const vendor = said(textIn(entry, 'vendor'))
  const product = said(textIn(entry, 'product')) ?? said(textIn(entry, 'packageName'))
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
    ...(isOfPackage(entry, cpes) && { areVersionsOfPackage: true }),
  }
}

/** What is unknown is not affected as far as anybody has said, and without a default all others are unknown. */
function isAffectedByDefault(entry: JsonObject): boolean | undefined {
  const status = textIn(entry, 'defaultStatus')?.toLowerCase()
  if (status === undefined && objectsIn(entry, 'versions').length === 0) return undefined
  return status === 'affected'
}

/** As Red Hat writes: the product is a distribution, the versions are those of a package within. */
function isOfPackage(entry: JsonObject, cpes: readonly string[]): boolean {
  const name = said(textIn(entry, 'packageName'))?.toLowerCase()
  if (name === undefined || cpes.length === 0 || said(textIn(entry, 'product')) === null) return false
  return cpes.every((each) => parseCpe(each)?.product !== name)
}

function said(text: string | null): string | null {
  return text === null || NOTHING_SAID.test(text) ? null : text
}

const COMMITS = /^git|commit/i
const IS_COMMIT = { isCommit: true } as const
const HASH = /^[\da-f]{7,64}$/i
const DOTTED = /\d\.\d/

/** Some call versions so that are tags in their repository, and the kernel the release with the original fix. */
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

/** Some say where within a range the fix is: affected until there, and then not any more. */
function cutAtChange(entry: JsonObject, range: AffectedRange): readonly AffectedRange[] {
  const change = objectsIn(entry, 'changes').find((each) => textIn(each, 'status')?.toLowerCase() === 'unaffected')
  const at = change === undefined ? null : textIn(change, 'at')
  return range.isAffected && at !== null ? [{ ...range, lessThan: at, lessThanOrEqual: null }] : [range]
}

const IS_VERSION = /\d/

/** A version that is not affected any more, in the words of who names it. */
export function fixInAffected(affected: readonly Affected[]): string | null {
  for (const range of affected.flatMap(({ ranges }) => ranges)) {
    const fix = fixIn(range)
    if (fix !== null) return fix
  }
  return null
}

function fixIn({ isAffected, version, lessThan }: AffectedRange): string | null {
  if (isAffected) return lessThan !== null && IS_VERSION.test(lessThan) ? `lessThan ${lessThan}` : null
  // From the first version on (0): that one was never affected, so nothing was fixed.
  const isFixed = version !== null && IS_VERSION.test(version) && version !== '0'
  return isFixed ? `unaffected ${version}` : null
}
