// Computes the affected version ranges of a product from its unaffected version ranges. The computation works only for
// numeric versions, because the order of other versions is not known.
import { compareVersions } from '../../domain/version-order.ts'

/** A range of unaffected versions. If `end` is null, every later version is unaffected. */
export interface UnaffectedRange {
  readonly start: string
  readonly end: string | null
  readonly isEndIncluded: boolean
}

/**
 * A range of affected versions between unaffected ranges. `end` is the first version after the range, or null if every
 * later version is affected. A `start` of `0` means the first version of the product.
 */
export interface Gap {
  readonly start: string
  readonly isStartIncluded: boolean
  readonly end: string | null
}

/**
 * Returns the affected ranges between the unaffected ranges in ascending order. Returns undefined if there are no
 * unaffected ranges or if a version is not numeric.
 */
export function findGaps(unaffected: readonly UnaffectedRange[]): readonly Gap[] | undefined {
  const isNumeric = unaffected.every(({ start, end }) => isNumber(start) && (end === null || isNumber(end)))
  if (unaffected.length === 0 || !isNumeric) return undefined
  const gaps: Gap[] = []
  let from: Omit<Gap, 'end'> | null = { start: '0', isStartIncluded: true }
  for (const range of unaffected.toSorted((a, b) => compareNumbers(a.start, b.start))) {
    if (from === null) break
    if (compareNumbers(from.start, range.start) < 0) gaps.push({ ...from, end: range.start })
    from = skip(from, range)
  }
  return from === null ? gaps : [...gaps, { ...from, end: null }]
}

/**
 * Returns where the next affected range can start after the given unaffected range. Returns null if every later version
 * is unaffected.
 */
function skip(from: Omit<Gap, 'end'>, { end, isEndIncluded }: UnaffectedRange): Omit<Gap, 'end'> | null {
  if (end === null) return null
  const order = compareNumbers(end, from.start)
  return order > 0 || (order === 0 && isEndIncluded) ? { start: end, isStartIncluded: !isEndIncluded } : from
}

const NUMBER = /^\d{1,9}(?:\.\d{1,9}){0,9}$/

function isNumber(version: string): boolean {
  return NUMBER.test(version)
}

/** The order of numeric versions is always known. */
function compareNumbers(a: string, b: string): number {
  return compareVersions(a, b) ?? 0
}
