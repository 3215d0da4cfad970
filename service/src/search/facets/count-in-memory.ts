// Counts the values of facets over the columns in memory. The result is the same as that of count-in-sql.ts.
import type { NameColumn } from '../column-values.ts'
import type { CodedColumn } from '../columns/coded-column.ts'
import type { CveColumns } from '../columns/cve-columns.ts'
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
  return listMostFrequent([...counts], size, [])
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
  const counts = new Uint32Array(values.length)
  /** The last hit of each name, plus one. */
  const lastHit = new Uint32Array(values.length)
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
      const name = nameOf[product] ?? 0
      if (lastHit[name] === hit + 1) continue
      lastHit[name] = hit + 1
      counts[name] = (counts[name] ?? 0) + 1
    }
    if (!isNamed) without += 1
  }
  const counted = listNames(values, counts)
  return listMostFrequent(without === 0 ? counted : [...counted, [null, without]], size, names[column] ?? [])
}

function listNames(values: readonly unknown[], counts: Uint32Array): (readonly [string, number])[] {
  const listed: (readonly [string, number])[] = []
  for (let name = 0; name < counts.length; name += 1) {
    const count = counts[name] ?? 0
    if (count > 0) listed.push([String(values[name]), count])
  }
  return listed
}

/** Returns 1 for each product whose name in the other column is wanted; undefined if any is. */
function acceptOtherName(
  products: CveColumns['products'],
  wanted: readonly string[] | undefined,
  column: NameColumn,
): Uint8Array | undefined {
  if (!wanted) return undefined
  const { rows, values } = products.getNames(column)
  const isWanted = Uint8Array.from(values, (value) => (wanted.includes(String(value)) ? 1 : 0))
  return Uint8Array.from({ length: products.count }, (_, product) => isWanted[rows[product] ?? 0] ?? 0)
}

/** The value null comes last and does not count towards the size. */
function listMostFrequent(
  counts: readonly (readonly [string | null, number])[],
  size: number,
  wanted: readonly string[],
): readonly ValueCount[] {
  const values = counts.filter((each): each is readonly [string, number] => each[0] !== null)
  const minimum = findMinimum(values, size)
  const listed = values
    .filter(([, count]) => count >= minimum)
    .sort(
      ([a, countOfA], [b, countOfB]) =>
        countOfB - countOfA || Number(wanted.includes(b)) - Number(wanted.includes(a)) || compareBytes(a, b),
    )
    .slice(0, size)
  const without = counts.filter(([value]) => value === null)
  return [...listed, ...without].map(([value, count]) => ({ value, count }))
}

/** Returns the count of the last value that is listed, so that only few values must be sorted. */
function findMinimum(values: readonly (readonly [string, number])[], size: number): number {
  const counts = Uint32Array.from(values, ([, count]) => count).sort()
  return counts[counts.length - size] ?? 0
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
