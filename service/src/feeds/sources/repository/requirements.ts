// Turns the requirements of Ruby gems, such as `~> 4.2.5, >= 4.2.5.1`, into ranges of affected versions. RubySec lists
// the patched and the unaffected versions: all others are affected. The reference is Ruby's Gem::Requirement.
import { SCHEMES } from '../../../domain/version/schemes.ts'

export interface GemRange {
  readonly introduced: string | null
  readonly after?: string
  readonly fixed: string | null
  readonly before?: string
  readonly last_affected: string | null
}

interface Bound {
  readonly version: string
  readonly isIncluded: boolean
}

/** Without `low` or `high`, the interval is open at that end. */
interface Interval {
  readonly low?: Bound
  readonly high?: Bound
}

interface Unaffected extends Interval {
  readonly isPatched: boolean
}

/** Returns undefined if a requirement cannot be turned into a range. */
export function findAffectedRanges(
  patched: readonly string[],
  unaffected: readonly string[],
): readonly GemRange[] | undefined {
  const intervals = [
    ...patched.map((text) => ({ interval: parseRequirement(text), isPatched: true })),
    ...unaffected.map((text) => ({ interval: parseRequirement(text), isPatched: false })),
  ]
  const safe: Unaffected[] = []
  for (const { interval, isPatched } of intervals) {
    if (interval === undefined) return undefined
    if (!isEmpty(interval)) safe.push({ ...interval, isPatched })
  }
  return findGaps(safe.sort(compareStarts))
}

/** All comparators must hold. */
function parseRequirement(text: string): Interval | undefined {
  let joined: Interval = {}
  for (const part of text.split(',')) {
    const interval = parseComparator(part.trim())
    if (interval === undefined) return undefined
    joined = intersect(joined, interval)
  }
  return joined
}

const COMPARATOR = /^(~>|>=|<=|[<>=]|) *(\d[\w.-]*)$/

function parseComparator(text: string): Interval | undefined {
  const [, operator, version = ''] = COMPARATOR.exec(text) ?? []
  if (SCHEMES.gem.compare(version, version) === undefined) return undefined
  const included: Bound = { version, isIncluded: true }
  const excluded: Bound = { version, isIncluded: false }
  switch (operator) {
    case '~>':
      return { low: included, high: { version: findNextSeries(version), isIncluded: false } }
    case '>=':
      return { low: included }
    case '>':
      return { low: excluded }
    case '<=':
      return { high: included }
    case '<':
      return { high: excluded }
    default:
      return { low: included, high: included }
  }
}

/**
 * The versions of `~> 4.2.5` end before the prereleases of 4.3, of which `4.3.A` is the lowest: capital letters come
 * first.
 */
function findNextSeries(version: string): string {
  const [release = ''] = /^\d+(?:\.\d+)*/.exec(version) ?? []
  const numbers = release.split('.')
  const series = numbers.length > 1 ? numbers.slice(0, -1) : numbers
  return [...series.slice(0, -1), String(BigInt(series.at(-1) ?? '0') + 1n), 'A'].join('.')
}

function intersect(a: Interval, b: Interval): Interval {
  const low = chooseBound(a.low, b.low, compareLows)
  const high = chooseBound(a.high, b.high, (one, other) => -compareHighs(one, other))
  return { ...(low && { low }), ...(high && { high }) }
}

type CompareBounds = (a: Bound, b: Bound) => number

/** Returns the later bound in the given order. */
function chooseBound(a: Bound | undefined, b: Bound | undefined, compare: CompareBounds): Bound | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return compare(a, b) >= 0 ? a : b
}

/** Both have been checked to be versions. */
const compareGems = (a: Bound, b: Bound) => SCHEMES.gem.compare(a.version, b.version) ?? 0
const compareLows: CompareBounds = (a, b) => compareGems(a, b) || Number(b.isIncluded) - Number(a.isIncluded)
const compareHighs: CompareBounds = (a, b) => compareGems(a, b) || Number(a.isIncluded) - Number(b.isIncluded)

function isEmpty({ low, high }: Interval): boolean {
  if (low === undefined || high === undefined) return false
  const order = compareGems(low, high)
  return order > 0 || (order === 0 && !(low.isIncluded && high.isIncluded))
}

/** Orders intervals by start. Of two with the same start, the patched one comes first, because its start is a fix. */
function compareStarts(a: Unaffected, b: Unaffected): number {
  if (a.low === undefined || b.low === undefined) return Number(a.low !== undefined) - Number(b.low !== undefined)
  return compareLows(a.low, b.low) || Number(b.isPatched) - Number(a.isPatched)
}

/** `sorted` by start. Returns the versions between the intervals. */
function findGaps(sorted: readonly Unaffected[]): readonly GemRange[] {
  const gaps: GemRange[] = []
  /** End of the versions before which all gaps are known; null before the first version. */
  let end: Bound | null = null
  for (const { low, high, isPatched } of sorted) {
    if (low !== undefined && isBefore(end, low)) gaps.push(toRange(end, low, isPatched))
    if (high === undefined) return gaps
    if (end === null || compareHighs(high, end) > 0) end = high
  }
  return [...gaps, toRange(end, undefined, false)]
}

/** Returns whether there are versions between the end of one interval and the start of the next. */
function isBefore(end: Bound | null, low: Bound): boolean {
  if (end === null) return true
  const order = compareGems(end, low)
  return order < 0 || (order === 0 && !end.isIncluded && !low.isIncluded)
}

function toRange(end: Bound | null, next: Bound | undefined, isPatched: boolean): GemRange {
  return {
    introduced: end === null || end.isIncluded ? null : end.version,
    ...(end?.isIncluded && { after: end.version }),
    fixed: next?.isIncluded && isPatched ? next.version : null,
    ...(next?.isIncluded && !isPatched && { before: next.version }),
    last_affected: next === undefined || next.isIncluded ? null : next.version,
  }
}
