// Splits product names that end with a version, such as `Cisco IOS XE Software 16.11.1` or `Linux Enterprise Desktop 15
// SP5`.
import type { VersionLimits } from '../versions/version-ranges.ts'

export interface NameWithVersion {
  readonly name: string
  readonly version: string
  readonly update?: string
}

/** Matches `16`, `15.5`, `16.x`, and dotted versions with further characters, such as `12.2(15)B`. */
const VERSION = /^v?(\d{1,5}(?:\.[\dx]{1,9}){0,5}|\d{1,5}\.\d[\w.()-]{0,30})$/i
const UPDATE = /^(?:sp|u|r|p)\d{1,3}$/i
const LABEL = /^(?:versions?|ver\.?|v\.?)$/i
const HAS_LETTER = /\p{L}/u

/**
 * Can return several results: `Windows Server 2012 R2` is version R2 of Windows Server 2012, or version 2012 R2 of
 * Windows Server.
 */
export function splitVersion(product: string): readonly NameWithVersion[] {
  const words = product.trim().split(/\s+/)
  const last = words.pop() ?? ''
  if (!UPDATE.test(last)) return takeVersion(words, last)
  return [{ name: words.join(' '), version: last }, ...takeVersion(words.slice(0, -1), words.at(-1) ?? '', last)]
}

function takeVersion(words: readonly string[], text: string, update?: string): readonly NameWithVersion[] {
  const version = VERSION.exec(text)?.[1]
  const name = (LABEL.test(words.at(-1) ?? '') ? words.slice(0, -1) : words).join(' ')
  if (version === undefined || !HAS_LETTER.test(name)) return []
  return [update === undefined ? { name, version } : { name, version, update }]
}

/** A build number, such as 38690. Versions in product names are smaller. */
const BUILD = /^\d{4,}$/

/**
 * Applies if the CNA gives no versions or only build numbers, because a range of builds would contain all other
 * versions. Any other limits are more precise than the name.
 */
export function limitToVersionInName(
  limits: VersionLimits,
  { version, update }: Pick<NameWithVersion, 'version' | 'update'>,
): VersionLimits {
  const ends = limits.between === undefined ? [limits.version] : Object.values(limits.between)
  const hasVersions = ends.some((each) => each !== undefined && !(BUILD.test(each) && !BUILD.test(version)))
  if (hasVersions) return limits
  return update === undefined ? { version } : { version, update }
}
