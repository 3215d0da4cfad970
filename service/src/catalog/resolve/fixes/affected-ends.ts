// Lists the versions that a source names as affected at the end of a range, which therefore contain no fix.
import { unescapeCpeValue } from '../../../domain/cpe/cpe-value.ts'
import type { Affected, AffectedRange, CpeMatch } from '../../model/claim.ts'
import { parseCpeCached } from '../../sources/fields/parse-cpe.ts'

/** Lists the last affected version of a CPE match: the included end of its range, or its only version. */
export function listLastOfMatch({ vulnerable, criteria, versionEndIncluding }: CpeMatch): readonly string[] {
  if (!vulnerable) return []
  if (versionEndIncluding !== undefined) return [versionEndIncluding]
  const name = parseCpeCached(criteria)
  // An update such as `beta1` names a version before the version itself.
  const isRelease = name !== undefined && unescapeCpeValue(name.update) === undefined
  return isRelease ? [name.version] : []
}

/** Lists single affected versions of a product and the last versions of its ranges. */
export function listLastOfProduct({ ranges }: Affected): readonly string[] {
  return ranges.filter((each) => each.isAffected).flatMap(readLastOfRange)
}

function readLastOfRange({ version, lessThan, lessThanOrEqual }: AffectedRange): readonly string[] {
  const last = lessThanOrEqual ?? (lessThan === null ? version : null)
  return last === null ? [] : [last]
}

/** Returns a text that is the same for `V2.4.1` and `2.4.1`. */
export function toVersionKey(version: string): string {
  return version.toLowerCase().replace(/^v(?=\d)/, '')
}
