// Compares versions of a product whose scheme is unknown.

const NUMBER = /^\d{1,15}$/

/** A release candidate: `rc1` in `6.12-rc1`. */
const CANDIDATE = /^rc(\d{1,15})$/

/**
 * 5.10 is greater than 5.9 and equal to 5.10.0, and 5.10-rc1 is less than 5.10. Undefined if differing parts are
 * neither numbers nor release candidates.
 */
export function compareVersions(a: string, b: string): number | undefined {
  if (a === b) return 0
  const [left, right] = [splitParts(a), splitParts(b)]
  const length = Math.max(left.length, right.length)
  for (let index = 0; index < length; index += 1) {
    const [x, y] = [left[index] ?? '0', right[index] ?? '0']
    if (x === y) continue
    if (!NUMBER.test(x) || !NUMBER.test(y)) return compareCandidates(left.slice(index), right.slice(index))
    if (Number(x) !== Number(y)) return Number(x) - Number(y)
  }
  return 0
}

/**
 * At least one remainder starts with a word. A release candidate precedes its release, and so any number. How it
 * compares with another word is unknown: 4.2-rc2 may come after 4.2.0-beta1.
 */
function compareCandidates(a: readonly string[], b: readonly string[]): number | undefined {
  const [left, right] = [a, b].map(([first = '']) => CANDIDATE.exec(first)?.[1])
  if (left !== undefined && right !== undefined) return Number(left) - Number(right)
  if (left !== undefined && b.every((each) => NUMBER.test(each))) return -1
  return right !== undefined && a.every((each) => NUMBER.test(each)) ? 1 : undefined
}

function splitParts(version: string): readonly string[] {
  return version
    .toLowerCase()
    .replace(/^v(?=\d)/, '')
    .split(/[._+~:()-]+/)
}

interface RangeEnds {
  readonly versionStartIncluding?: string
  readonly versionStartExcluding?: string
  readonly versionEndIncluding?: string
  readonly versionEndExcluding?: string
}

/** True if the start is after the end, or equals an excluded end. */
export function isInvertedRange(range: RangeEnds): boolean {
  const start = range.versionStartIncluding ?? range.versionStartExcluding
  const end = range.versionEndIncluding ?? range.versionEndExcluding
  if (start === undefined || end === undefined) return false
  const order = compareVersions(start, end)
  if (order === undefined || order < 0) return false
  return order > 0 || range.versionStartIncluding === undefined || range.versionEndIncluding === undefined
}
