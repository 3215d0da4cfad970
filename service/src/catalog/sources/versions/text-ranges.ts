// Ranges that are read from the text of a version.
import { isCommitHash } from '../../../domain/version/version-form.ts'
import { compareVersions } from '../../../domain/version/version-order.ts'
import type { AffectedRange } from '../../model/claim.ts'

export type VersionText = Pick<AffectedRange, 'version' | 'lessThan' | 'lessThanOrEqual' | 'isCommit' | 'isDerived'>

type Ranges = readonly VersionText[]

/** Used if all versions before the listed ones are affected too. */
export function openFirst(ranges: Ranges): Ranges {
  const lowest = ranges.reduce((a, b) => ((compareVersions(readLast(b), readLast(a)) ?? 0) < 0 ? b : a))
  return ranges.map((each) => (each === lowest ? toOpenRange(each) : each))
}

function readLast({ version, lessThan, lessThanOrEqual }: VersionText): string {
  return lessThan ?? lessThanOrEqual ?? version ?? ''
}

function toOpenRange({ version, lessThan, lessThanOrEqual }: VersionText): VersionText {
  const isRange = lessThan !== null || lessThanOrEqual !== null
  return { version: null, lessThan, lessThanOrEqual: isRange ? lessThanOrEqual : version }
}

const RANGE = /^v?(\d+(?:\.\w+)+)-v?(\d+(?:\.(?:\d\w*|x))+)$/i
/** If the first numbers are further apart, the second part is a package revision, as in `5.10.0-60.18.0`. */
const MAX_DISTANCE = 20

/** `4.0.0-4.4.2` is a range with two ends; `4.19.90-2401.3` and `0.11.4-6.el9` are single versions with a revision. */
export function splitRange(text: string): VersionText | undefined {
  const [, start, end] = RANGE.exec(text) ?? []
  if (start === undefined || end === undefined) return undefined
  const distance = Number.parseInt(end, 10) - Number.parseInt(start, 10)
  return distance >= 0 && distance <= MAX_DISTANCE
    ? { version: start, lessThan: null, lessThanOrEqual: end }
    : undefined
}

/** A range is marked if one of its ends has the form of a commit hash. */
export function markCommits(range: VersionText): VersionText {
  const { version, lessThan, lessThanOrEqual } = range
  const isCommit = [version, lessThan, lessThanOrEqual].some((each) => each !== null && isCommitHash(each))
  return isCommit ? { ...range, isCommit } : range
}
