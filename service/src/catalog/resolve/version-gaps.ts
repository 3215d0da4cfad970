// What is left of all versions once some are taken out. Only for versions that are numbers: of others nobody knows the order.

/** Versions that are not affected. Without an end: all from there on. */
export interface Stretch {
  readonly start: string
  readonly end: string | null
  readonly isEndIncluded: boolean
}

/** From `0`: from the first version on. Its end is not within it. */
export interface Gap {
  readonly start: string
  readonly isStartIncluded: boolean
  readonly end: string | null
}

/** In their order; undefined where a version is no number, or there is nothing to be between. */
export function gapsBetween(stretches: readonly Stretch[]): readonly Gap[] | undefined {
  const isNumeric = stretches.every(({ start, end }) => isNumber(start) && (end === null || isNumber(end)))
  if (stretches.length === 0 || !isNumeric) return undefined
  const gaps: Gap[] = []
  let from: Omit<Gap, 'end'> | null = { start: '0', isStartIncluded: true }
  for (const stretch of stretches.toSorted((a, b) => compareNumbers(a.start, b.start))) {
    if (from === null) break
    if (compareNumbers(from.start, stretch.start) < 0) gaps.push({ ...from, end: stretch.start })
    from = later(from, stretch)
  }
  return from === null ? gaps : [...gaps, { ...from, end: null }]
}

/** Null once nothing is left. */
function later(from: Omit<Gap, 'end'>, { end, isEndIncluded }: Stretch): Omit<Gap, 'end'> | null {
  if (end === null) return null
  const order = compareNumbers(end, from.start)
  return order > 0 || (order === 0 && isEndIncluded) ? { start: end, isStartIncluded: !isEndIncluded } : from
}

const NUMBER = /^\d{1,9}(?:\.\d{1,9}){0,9}$/

function isNumber(version: string): boolean {
  return NUMBER.test(version)
}

/** 5.10 is after 5.9, and the same as 5.10.0. */
function compareNumbers(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)]
  const length = Math.max(left.length, right.length)
  for (let place = 0; place < length; place += 1) {
    const difference = (left[place] ?? 0) - (right[place] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
