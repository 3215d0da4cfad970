// The interface of a version scheme, the maximum length of a version, and comparisons that several schemes use.

/** Order of the versions of one ecosystem. */
export interface VersionScheme {
  /**
   * Returns a negative number if `a` is before `b`, zero if the scheme calls them equal, and a positive number if `a` is
   * after `b`. Returns undefined if the scheme cannot read one of them or does not know their order.
   */
  compare(a: string, b: string): number | undefined
  /** Reads a version once for many comparisons. Returns undefined for a text that the scheme cannot read. */
  readonly read: (version: string) => ReadVersion | undefined
  /** Compares versions that this scheme has read. */
  readonly order: (a: ReadVersion, b: ReadVersion) => number | undefined
  /** Returns whether the order of the version and of every other sortable version is known, so that a list can be sorted. */
  readonly isSortable: (version: ReadVersion) => boolean
}

declare const readMark: unique symbol
/** A version in the form in which one scheme compares it. Only that scheme knows what it contains. */
export interface ReadVersion {
  readonly [readMark]: true
}

/** Longer texts are not compared. The longest end of a range of NVD and GHSA has 53 characters. */
export const MAX_VERSION_LENGTH = 256

/**
 * Defines a scheme by a parser, which returns undefined for a text that is not a version, and an order of the results.
 * `isSortable` is left out for an order that may not be transitive.
 */
export function defineScheme<Parsed>(
  parse: (version: string) => Parsed | undefined,
  order: (a: Parsed, b: Parsed) => number | undefined,
  isSortable: (version: Parsed) => boolean = () => false,
): VersionScheme {
  const parseBounded = remember((version: string) => (version.length > MAX_VERSION_LENGTH ? undefined : parse(version)))
  return {
    compare: (a, b) => {
      const left = parseBounded(a)
      if (left === undefined) return undefined
      const right = parseBounded(b)
      return right === undefined ? undefined : order(left, right)
    },
    // The casts are safe: callers get a ReadVersion from `read` of the same scheme only.
    read: (version) => parseBounded(version) as ReadVersion | undefined,
    order: (a, b) => order(a as Parsed, b as Parsed),
    isSortable: (version) => isSortable(version as Parsed),
  }
}

/** Maximum number of parsed versions that a scheme keeps. */
const MAX_PARSED = 5000

/**
 * Keeps results, because a match compares the same version with thousands of ranges, and products share ends of ranges.
 * All results are dropped when there are too many: no order of use has to be kept.
 */
function remember<Parsed>(parse: (version: string) => Parsed | undefined): typeof parse {
  const known = new Map<string, Parsed | undefined>()
  return (version) => {
    const found = known.get(version)
    if (found !== undefined) return found
    const parsed = parse(version)
    if (known.size >= MAX_PARSED) known.clear()
    if (parsed !== undefined) known.set(version, parsed)
    return parsed
  }
}

/** Compares two texts of digits as numbers of any size. */
export function compareDigits(a: string, b: string): number {
  const [left, right] = [stripZeros(a), stripZeros(b)]
  return left.length - right.length || compareTexts(left, right)
}

/** Compares two texts by their UTF-16 code units, which is the order of bytes for ASCII. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function stripZeros(digits: string): string {
  let start = 0
  while (digits[start] === '0') start += 1
  return digits.slice(start)
}

/** Compares lists item by item; `order` gets undefined for the missing items of the shorter list. */
export function compareLists<Item, Order extends number | undefined>(
  a: readonly Item[],
  b: readonly Item[],
  order: (a: Item | undefined, b: Item | undefined) => Order,
): Order | 0 {
  const length = Math.max(a.length, b.length)
  for (let index = 0; index < length; index += 1) {
    const result = order(a[index], b[index])
    if (result !== 0) return result
  }
  return 0
}
