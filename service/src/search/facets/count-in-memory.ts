// Counts the values of facets over the columns in memory. The result is the same as that of count-in-sql.ts.
import type { NameColumn } from '../column-values.ts'
import type { CodedColumn } from '../columns/coded-column.ts'
import { type CveColumns, mark } from '../columns/cve-columns.ts'
import { FILTER_ENTRIES, type FilterValues } from '../filters/table.ts'
import type { FacetCounts, FacetQuery, ValueCount } from './facet-query.ts'
import { type FacetName, findInMemory, OTHER_NAME, type ProductNames } from './facets.ts'

/** The filters of these values that only the database can answer. */
export function listFiltersForSql(values: FilterValues): readonly string[] {
  return FILTER_ENTRIES.flatMap(([name, { test }]) => (values[name] === undefined || test ? [] : [name]))
}

/** `keys`: the hits, if the database has found them by all filters. */
export function countFacetsInMemory(
  columns: CveColumns,
  { values, facets, size, names }: FacetQuery,
  keys: readonly string[] | undefined,
): FacetCounts {
  const tests = keys
    ? []
    : FILTER_ENTRIES.flatMap(([name, { test }]) => (values[name] === undefined || !test ? [] : [test(values[name])]))
  const hits = toRows(columns.select(tests, keys))
  return {
    total: hits.length,
    facets: Object.fromEntries(facets.map((name) => [name, countFacet({ columns, hits, size, names }, name)])),
  }
}

interface Hits {
  readonly columns: CveColumns
  /** Rows of the hits. */
  readonly hits: Uint32Array
  readonly size: number
  readonly names: ProductNames
}

function toRows(selected: Uint8Array): Uint32Array {
  const rows = new Uint32Array(selected.length)
  let count = 0
  for (let row = 0; row < selected.length; row += 1) {
    rows[count] = row
    count += selected[row] ?? 0
  }
  return rows.subarray(0, count)
}

function countFacet(search: Hits, name: FacetName): readonly ValueCount[] {
  const facet = findInMemory(name)
  if ('productColumn' in facet) return countNames(search, facet.productColumn)
  const { columns, hits, size } = search
  const column = columns.getCoded(facet.column)
  const counts = new Map<string | null, number>()
  for (const [code, count] of countCodes(column, hits).entries()) {
    if (count === 0) continue
    const value = facet.read(column.values[code] as never)
    const items = value === null || typeof value === 'string' ? [value] : value
    for (const item of items.length === 0 ? [null] : items) counts.set(item, (counts.get(item) ?? 0) + count)
  }
  const without = counts.get(null) ?? 0
  counts.delete(null)
  return listMostFrequent({ values: [...counts.keys()], counts: [...counts.values()], without }, size, [])
}

function countCodes({ rows, values }: CodedColumn, hits: Uint32Array): Uint32Array {
  const counts = new Uint32Array(values.length)
  // Each type of array gets a loop of its own, because a loop over both types is slower.
  if (rows instanceof Uint16Array) countInto(counts, hits, rows)
  else countInto(counts, hits, rows)
  return counts
}

function countInto(counts: Uint32Array, hits: Uint32Array, codes: Uint16Array | Uint32Array): void {
  for (let hit = 0; hit < hits.length; hit += 1) {
    const code = codes[hits[hit] ?? 0] ?? 0
    counts[code] = (counts[code] ?? 0) + 1
  }
}

/**
 * Counts a CVE once for each name. If the search names a vendor, only its products are counted, and only the vendors of
 * the products that it names (facets.ts).
 */
function countNames({ columns: { products }, hits, size, names }: Hits, column: NameColumn): readonly ValueCount[] {
  const { rows: nameOf, values } = products.getNames(column)
  const isCounted = acceptOtherName(products, names[OTHER_NAME[column]], OTHER_NAME[column])
  /** For each name, its count and its last hit plus one. They lie together, because each is in a random place. */
  const tally = new Uint32Array(values.length * 2)
  const { starts, lengths, list } = products
  let without = 0
  for (let hit = 0; hit < hits.length; hit += 1) {
    const row = hits[hit] ?? 0
    const start = starts[row] ?? 0
    const end = start + (lengths[row] ?? 0)
    let isNamed = false
    for (let place = start; place < end; place += 1) {
      const product = list[place] ?? 0
      if (isCounted && isCounted[product] === 0) continue
      isNamed = true
      const entry = (nameOf[product] ?? 0) * 2
      if (tally[entry + 1] === hit + 1) continue
      tally[entry + 1] = hit + 1
      tally[entry] = (tally[entry] ?? 0) + 1
    }
    if (!isNamed) without += 1
  }
  const counts = new Uint32Array(values.length)
  for (let name = 0; name < counts.length; name += 1) counts[name] = tally[name * 2] ?? 0
  return listMostFrequent({ values, counts, without }, size, names[column] ?? [])
}

/** Returns 1 for each product whose name in the other column is wanted; undefined if any is. */
function acceptOtherName(
  products: CveColumns['products'],
  wanted: readonly string[] | undefined,
  column: NameColumn,
): Uint8Array | undefined {
  if (!wanted) return undefined
  const { rows, values } = products.getNames(column)
  const isWanted = mark(values, (value) => wanted.includes(String(value)))
  const accepted = new Uint8Array(products.count)
  for (let product = 0; product < accepted.length; product += 1) accepted[product] = isWanted[rows[product] ?? 0] ?? 0
  return accepted
}

interface Counted {
  readonly values: readonly unknown[]
  /** Number of hits with each value. */
  readonly counts: ArrayLike<number>
  /** Number of hits without a value. */
  readonly without: number
}

/** The value null comes last and does not count towards the size. */
function listMostFrequent(
  { values, counts, without }: Counted,
  size: number,
  wanted: readonly string[],
): readonly ValueCount[] {
  const minimum = findMinimum(counts, size)
  const listed: { readonly value: string; readonly count: number }[] = []
  for (let index = 0; index < counts.length; index += 1) {
    const count = counts[index] ?? 0
    if (count >= minimum) listed.push({ value: String(values[index]), count })
  }
  const isWanted = new Set(wanted)
  listed.sort(
    (a, b) =>
      b.count - a.count ||
      Number(isWanted.has(b.value)) - Number(isWanted.has(a.value)) ||
      compareBytes(a.value, b.value),
  )
  return [...listed.slice(0, size), ...(without === 0 ? [] : [{ value: null, count: without }])]
}

/**
 * Returns the count of the last value that is listed, at least 1. Only few of 90,000 products are candidates, so that few
 * must be sorted.
 */
function findMinimum(counts: ArrayLike<number>, size: number): number {
  /** The highest counts so far, highest first. */
  const highest: number[] = []
  let minimum = 1
  for (let index = 0; index < counts.length; index += 1) {
    const count = counts[index] ?? 0
    if (count < minimum || (highest.length === size && count === minimum)) continue
    let place = highest.length
    while (place > 0 && (highest[place - 1] ?? 0) < count) place -= 1
    highest.splice(place, 0, count)
    if (highest.length > size) highest.pop()
    if (highest.length === size) minimum = highest[size - 1] ?? 1
  }
  return minimum
}

/** Compares as PostgreSQL's collation "C" does, by code points: a surrogate stands for one beyond all other characters. */
function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index += 1) {
    const [x, y] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (x !== y) return isSurrogate(x) === isSurrogate(y) ? x - y : Number(isSurrogate(x)) - Number(isSurrogate(y))
  }
  return a.length - b.length
}

const isSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdfff
