// Computes affected ranges from unaffected ones. This works only if the order of all versions is known.
import { compareVersions } from '../../../domain/version/version-order.ts'

/** If `end` is null, every later version is unaffected. */
export interface UnaffectedRange {
  readonly start: string
  readonly end: string | null
  readonly isEndIncluded: boolean
}

/**
 * `end` is the first version after the gap, or null if every later version is affected. `start` 0 is the first version.
 */
export interface Gap {
  readonly start: string
  readonly isStartIncluded: boolean
  readonly end: string | null
}

/** Returns the gaps in ascending order, or undefined if there are no unaffected ranges or the order is not known. */
export function findGaps(unaffected: readonly UnaffectedRange[]): readonly Gap[] | undefined {
  if (unaffected.length === 0 || !isOrderKnown(unaffected)) return undefined
  const gaps: Gap[] = []
  let from: Omit<Gap, 'end'> | null = { start: '0', isStartIncluded: true }
  for (const range of unaffected.toSorted((a, b) => compareKnown(a.start, b.start))) {
    if (from === null) break
    if (compareKnown(from.start, range.start) < 0) gaps.push({ ...from, end: range.start })
    from = skip(from, range)
  }
  return from === null ? gaps : [...gaps, { ...from, end: null }]
}

/** Finds where the next gap can start; null if every later version is unaffected. */
function skip(from: Omit<Gap, 'end'>, { end, isEndIncluded }: UnaffectedRange): Omit<Gap, 'end'> | null {
  if (end === null) return null
  const order = compareKnown(end, from.start)
  return order > 0 || (order === 0 && isEndIncluded) ? { start: end, isStartIncluded: !isEndIncluded } : from
}

/** The order is transitive, so it is enough to compare neighbours in the sorted list. */
function isOrderKnown(ranges: readonly UnaffectedRange[]): boolean {
  const versions = ['0', ...ranges.flatMap(({ start, end }) => (end === null ? [start] : [start, end]))]
  const sorted = versions.sort(compareKnown)
  return sorted.every((each, at) => at === 0 || (compareVersions(sorted[at - 1] ?? each, each) ?? 1) <= 0)
}

/** Returns 0 if the order is not known. */
function compareKnown(a: string, b: string): number {
  return compareVersions(a, b) ?? 0
}
