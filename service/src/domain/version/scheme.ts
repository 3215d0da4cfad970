import { remember } from '../remember.ts'

/** How the versions of one ecosystem are ordered. */
export interface VersionScheme {
  /** Negative if `a` is before `b`; undefined if the scheme cannot read or order them. */
  compare(a: string, b: string): number | undefined
  /** Reads a version once for many comparisons; undefined for a text that the scheme cannot read. */
  readonly read: (version: string) => ReadVersion | undefined
  /** Compares versions that this scheme has read. */
  readonly order: (a: ReadVersion, b: ReadVersion) => number | undefined
  /** True if the version's order relative to every other sortable version is known, so that a list can be sorted. */
  readonly isSortable: (version: ReadVersion) => boolean
}

declare const readMark: unique symbol
/** An opaque parsed version: only the scheme that read it can use its content. */
export interface ReadVersion {
  readonly [readMark]: true
}

/** The longest end of a range in NVD and GHSA is 53 characters. */
export const MAX_VERSION_LENGTH = 256

/** `parse` returns undefined for a text that is not a version. Omit `isSortable` if the order may not be transitive. */
export function defineScheme<Parsed>(
  parse: (version: string) => Parsed | undefined,
  order: (a: Parsed, b: Parsed) => number | undefined,
  isSortable: (version: Parsed) => boolean = () => false,
): VersionScheme {
  const parseBounded = remember(
    (version: string) => (version.length > MAX_VERSION_LENGTH ? undefined : parse(version)),
    MAX_PARSED,
  )
  return {
    compare: (a, b) => {
      const left = parseBounded(a)
      if (left === undefined) return undefined
      const right = parseBounded(b)
      return right === undefined ? undefined : order(left, right)
    },
    // The casts are safe: every ReadVersion comes from `read` of the same scheme.
    read: (version) => parseBounded(version) as ReadVersion | undefined,
    order: (a, b) => order(a as Parsed, b as Parsed),
    isSortable: (version) => isSortable(version as Parsed),
  }
}

/** A match compares one version with thousands of ranges, and many products have the same range ends. */
const MAX_PARSED = 5000

/** Compares numbers of any size. */
export function compareDigits(a: string, b: string): number {
  const [left, right] = [stripZeros(a), stripZeros(b)]
  return left.length - right.length || compareTexts(left, right)
}

/** Compares UTF-16 code units, which for ASCII is byte order. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function stripZeros(digits: string): string {
  let start = 0
  while (digits[start] === '0') start += 1
  return digits.slice(start)
}

/** `order` gets undefined for each item that the shorter list lacks. */
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
