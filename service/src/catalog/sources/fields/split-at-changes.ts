// Reads a range of the CVE List in which several `changes` name the fix of each branch. Read in one line, the first change
// would make all later versions unaffected: Consul "1.9.0 before 1.20.1" with changes at 1.15.15, 1.18.5 and 1.19.3 would
// call 1.18.0 and 1.20.0 fixed.
import { compareVersions } from '../../../domain/version/version-order.ts'
import type { AffectedRange } from '../../model/claim.ts'

/**
 * Returns a range per branch, or undefined if the changes name no branches. `fixes`: the versions at which the range
 * changes to `unaffected`. A range that starts with a branch is derived, because the source does not name its start.
 */
export function splitAtChanges(range: AffectedRange, fixes: readonly string[]): readonly AffectedRange[] | undefined {
  const sorted = fixes.toSorted((a, b) => compareVersions(a, b) ?? 0)
  const branches = sorted.map(findNextBranch)
  const end = range.lessThan ?? range.lessThanOrEqual
  const hasEnd = end !== null && end !== '*'
  const [first = '', last = '', after = ''] = [sorted[0], sorted.at(-1), branches.at(-1)]
  const isRead = sorted.length > 1 && branches.every((next) => next !== undefined)
  if (!isRead || (hasEnd && isBefore(end, first))) return undefined
  const starts = [range.version, ...branches]
  const ofBranches = sorted.flatMap((fixedAt, index) => toBranch(range, starts[index] ?? null, fixedAt))
  // A range without an end names the fix of its newest branch last.
  const isBeyond = hasEnd && isBefore(last, end) && isBefore(after, end)
  return isBeyond ? [...ofBranches, { ...range, version: after, isDerived: true }] : ofBranches
}

function toBranch(range: AffectedRange, start: string | null, fixedAt: string): readonly AffectedRange[] {
  const isHotfix = fixedAt.startsWith(`${start}-h`)
  if (start !== range.version && !isHotfix && !isBefore(start ?? '', fixedAt)) return []
  const limits = { ...range, version: start, lessThan: fixedAt, lessThanOrEqual: null, fixedAt }
  return [start === range.version ? limits : { ...limits, isDerived: true }]
}

const isBefore = (a: string, b: string) => (compareVersions(a, b) ?? 0) < 0

/** A version such as 1.18.5, or a hotfix such as 11.1.2-h16. */
const OF_BRANCH = /^(\d{1,6}(?:\.\d{1,6}){1,4})(?:-h\d{1,4}|\.\d{1,6})$/

/** Returns the first version of the branch after that of the version: 1.19 for 1.18.5, and 11.1.3 for 11.1.2-h16. */
function findNextBranch(version: string): string | undefined {
  const numbers = OF_BRANCH.exec(version)?.[1]?.split('.')
  const last = numbers?.pop()
  return numbers === undefined || last === undefined ? undefined : [...numbers, Number(last) + 1].join('.')
}
