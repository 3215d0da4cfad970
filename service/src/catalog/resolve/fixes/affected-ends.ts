// Lists the versions that a source names as affected at the end of a range; they contain no fix.
import { unescapeCpeValue, unescapeLimit } from '../../../domain/cpe/cpe-value.ts'
import type { Affected, AffectedRange, CpeMatch } from '../../model/claim.ts'
import { parseCpeCached } from '../../sources/fields/parse-cpe.ts'

/** Returns the included end of the range, or its only version. */
export function listLastOfMatch({ vulnerable, criteria, versionEndIncluding }: CpeMatch): readonly string[] {
  if (!vulnerable) return []
  if (versionEndIncluding !== undefined) return [unescapeLimit(versionEndIncluding)]
  const name = parseCpeCached(criteria)
  // An update such as `beta1` comes before the version itself.
  const isRelease = name !== undefined && unescapeCpeValue(name.update) === undefined
  return isRelease ? [unescapeLimit(name.version)] : []
}

/** Returns single versions and the last versions of ranges. */
export function listLastOfProduct({ ranges }: Affected): readonly string[] {
  return ranges.filter((each) => each.isAffected).flatMap(readLastOfRange)
}

function readLastOfRange({ version, lessThan, lessThanOrEqual }: AffectedRange): readonly string[] {
  const last = lessThanOrEqual ?? (lessThan === null ? version : null)
  return last === null ? [] : [last]
}

/** Returns the same key for `V2.4.1` and `2.4.1`. */
export function toVersionKey(version: string): string {
  const text = version.toLowerCase()
  // Most versions begin with a digit, and each is compared many times.
  return text.startsWith('v') ? text.replace(/^v(?=\d)/, '') : text
}
