// Affected products as CNAs write them, in the CVE List and, since 2026, in NVD's copy of it.
import { type JsonObject, objectsIn, textIn, textsIn } from '../json.ts'
import type { Affected, AffectedRange, Speaker } from '../statement.ts'
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
  return {
    by,
    vendor: vendor ?? '',
    product: product ?? '',
    cpes,
    packageUrl,
    ranges: objectsIn(entry, 'versions').flatMap(readVersion),
    ...(textIn(entry, 'defaultStatus')?.toLowerCase() === 'affected' && { isAffectedByDefault: true }),
  }
}

function said(text: string | null): string | null {
  return text === null || NOTHING_SAID.test(text) ? null : text
}

const COMMITS = /^git|commit/i
const IS_COMMIT = { isCommit: true } as const

function readVersion(entry: JsonObject): readonly AffectedRange[] {
  const status = textIn(entry, 'status')?.toLowerCase()
  if (status !== 'affected' && status !== 'unaffected') return []
  const flags = {
    isAffected: status === 'affected',
    ...(COMMITS.test(textIn(entry, 'versionType') ?? '') && IS_COMMIT),
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
