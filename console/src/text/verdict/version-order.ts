// Orders the versions of one product for a drawing. For unusual version schemes the order is a guess, so the page says
// that the line is not to scale, and the table next to it shows the versions as the source writes them.

/** Words that mark a pre-release: 2.0-rc1 comes before 2.0. */
const BEFORE_RELEASE = new Set(['a', 'alpha', 'b', 'beta', 'dev', 'm', 'milestone', 'pre', 'preview', 'rc', 'snapshot'])

type Part = number | string

export function compareVersions(a: string, b: string): number {
  const [left, right] = [splitVersion(a), splitVersion(b)]
  const length = Math.max(left.length, right.length)
  for (let index = 0; index < length; index += 1) {
    const order = compareParts(left[index], right[index])
    if (order !== 0) return order
  }
  return 0
}

/** Splits a version at punctuation and between digits and letters: `10.2.9-h1` becomes 10, 2, 9, h, 1. */
function splitVersion(version: string): readonly Part[] {
  const parts = version
    .toLowerCase()
    .replace(/^v(?=\d)/, '')
    .match(/\d+|[a-z]+/g)
  return (parts ?? []).map((part) => (/^\d/.test(part) ? Number(part) : part))
}

/** Compares one part of each version. A missing part counts as 0, so that 5.10 equals 5.10.0. */
function compareParts(a: Part | undefined, b: Part | undefined): number {
  const difference = rankPart(a) - rankPart(b)
  if (difference !== 0) return difference
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : Number(a > b)
  return Number(a ?? 0) - Number(b ?? 0)
}

/** Pre-release words come first, then numbers and missing parts, then other words such as `h1` and `p2`. */
function rankPart(part: Part | undefined): number {
  if (part === undefined || typeof part === 'number') return 1
  return BEFORE_RELEASE.has(part) ? 0 : 2
}
