// The facets of /cves/facets in one table, which defines how each facet reads a CVE's values from a hit.
import { type RawBuilder, sql } from 'kysely'
import { SEVERITY_BANDS } from '../../domain/cvss/severity.ts'
import { EXPLOIT_MATURITIES } from '../../domain/exploitation/exploit-maturity.ts'
import { findLevelOfRank, LEVELS, listRanks } from '../../domain/priority/policy.ts'
import type { ColumnName, ColumnValues, NameColumn } from '../column-values.ts'

interface Facet {
  /** Column of catalog.cve that `value` reads. */
  readonly column: string
  /** SQL expression for the value of a hit, as text or as a list of texts. Null or an empty list if the hit has no value. */
  readonly value: RawBuilder<unknown>
  /** Whether `value` is a list whose items are counted separately. */
  readonly isList?: boolean
  /** The same value, read from a column in memory. */
  readonly inMemory: ValueInMemory
}

export interface ValueInMemory {
  readonly column: ColumnName
  readonly read: (stored: never) => string | readonly string[] | null
}

interface ProductFacet {
  /** Column of catalog.product that holds the value. */
  readonly productColumn: NameColumn
}

const band = ({ name, min, max }: (typeof SEVERITY_BANDS)[number]) =>
  sql`when score between ${sql.lit(min)} and ${sql.lit(max)} then ${sql.lit(name)}`

const level = (name: (typeof LEVELS)[number]) => {
  const { min, max } = listRanks(name)
  return sql`when priority between ${sql.lit(min)} and ${sql.lit(max)} then ${sql.lit(name)}`
}

/** Lowest first: the column holds 0 for `none` up to 5 for `ransomware`. */
const MATURITIES = EXPLOIT_MATURITIES.toReversed()

function inMemory<const C extends ColumnName>(
  column: C,
  read: (stored: ColumnValues[C]) => string | readonly string[] | null,
): ValueInMemory {
  return { column, read }
}

const FACETS = {
  severity: {
    column: 'score',
    value: sql`case ${sql.join(SEVERITY_BANDS.map(band), sql` `)} end`,
    inMemory: inMemory('score', (score) => findBand(score)),
  },
  status: { column: 'status', value: sql`status`, inMemory: inMemory('status', (status) => status) },
  cwe: { column: 'cwes', value: sql`cwes`, isList: true, inMemory: inMemory('cwes', (cwes) => cwes) },
  assigner: { column: 'assigner', value: sql`assigner`, inMemory: inMemory('assigner', (assigner) => assigner) },
  product_vendor: { productColumn: 'vendor' },
  product: { productColumn: 'product' },
  priority: {
    column: 'priority',
    value: sql`case ${sql.join(LEVELS.map(level), sql` `)} end`,
    inMemory: inMemory('priority', findLevelOfRank),
  },
  exploit_maturity: {
    column: 'maturity',
    value: sql`(array[${sql.join(MATURITIES.map((name) => sql.lit(name)))}])[maturity + 1]`,
    inMemory: inMemory('maturity', (maturity) => MATURITIES[maturity] ?? null),
  },
  attack_vector: {
    column: 'attack_vector',
    value: sql`attack_vector`,
    inMemory: inMemory('attack_vector', (vector) => vector),
  },
  year: {
    column: 'published',
    value: sql`to_char(published at time zone 'utc', 'YYYY')`,
    inMemory: inMemory('year', (year) => year),
  },
  technique: {
    column: 'techniques',
    value: sql`techniques`,
    isList: true,
    inMemory: inMemory('techniques', (techniques) => techniques),
  },
  kev: { column: 'in_kev', value: sql`in_kev::text`, inMemory: inMemory('flags', ({ in_kev }) => String(in_kev)) },
  source: { column: 'sources', value: sql`sources`, isList: true, inMemory: inMemory('sources', (sources) => sources) },
} as const satisfies Readonly<Record<string, Facet | ProductFacet>>

/** A score of 0.0 has no level. */
function findBand(score: number | null): string | null {
  return SEVERITY_BANDS.find(({ min, max }) => score !== null && score >= min && score <= max)?.name ?? null
}

export type FacetName = keyof typeof FACETS

// The cast is safe: Object.keys returns the keys of FACETS.
export const FACET_NAMES = Object.keys(FACETS) as readonly FacetName[]

/** Returns the column of catalog.cve that a facet reads; undefined for product facets. */
export function findColumn(name: FacetName): string | undefined {
  const facet: Facet | ProductFacet = FACETS[name]
  return 'column' in facet ? facet.column : undefined
}

/** Returns the SQL expression for the severity or the priority level of a row of catalog.cve; null if it has none. */
export const selectValue = (name: 'severity' | 'priority') => FACETS[name].value

/** Returns how a facet's value is read from memory. */
export function findInMemory(name: FacetName): ValueInMemory | ProductFacet {
  const facet: Facet | ProductFacet = FACETS[name]
  return 'inMemory' in facet ? facet.inMemory : facet
}

/** The vendors and products that the search filters by, as they are stored. */
export type ProductNames = Readonly<Partial<Record<NameColumn, readonly string[]>>>

export function readsProducts(name: FacetName): boolean {
  return 'productColumn' in FACETS[name]
}

interface CountOptions {
  /** Table with the hits and the columns that facets read. */
  readonly hits: RawBuilder<unknown>
  /** Table with the products of the hits: cve_key, vendor and product. */
  readonly hitProducts: RawBuilder<unknown>
  readonly size: number
  readonly names: ProductNames
}

/**
 * Builds a query for the most frequent values of a facet among the hits, with the columns `value` and `count`; value is
 * null for the hits without a value, which come last. Of equally frequent products, those that the search filters by come
 * first: a single CVE can have more products than are listed.
 */
export function countValues(name: FacetName, options: CountOptions): RawBuilder<unknown> {
  const facet: Facet | ProductFacet = FACETS[name]
  const wanted = 'productColumn' in facet ? options.names[facet.productColumn] : undefined
  const wantedFirst = wanted ? sql`value = any(${wanted}::text[]) desc, ` : sql``
  return sql`
      select value, count::integer
        from (select value, count(*) as count,
                     row_number() over (order by value is null, count(*) desc, ${wantedFirst}value collate "C") as place
                from (${selectValues(facet, options)}) as hit_values (value)
               group by value) as counted
       where place <= ${options.size} or value is null
       order by place`
}

/** Selects each value of each hit once, and null for a hit without a value. */
function selectValues(facet: Facet | ProductFacet, { hits, hitProducts, names }: CountOptions): RawBuilder<unknown> {
  if ('productColumn' in facet) {
    const column = sql.ref(facet.productColumn)
    // A CVE can name several products of one vendor, and products with the same name from several vendors.
    return sql`
      select named.${column}
        from ${hits} hits
        left join (select distinct cve_key, ${column} from ${hitProducts} ${matchOtherName(facet, names)}) as named
          on named.cve_key = hits.cve_key`
  }
  return facet.isList
    ? sql`select item from ${hits} hits left join lateral unnest(${facet.value}) as items (item) on true`
    : sql`select ${facet.value} from ${hits} hits`
}

/**
 * A search by vendor and product requires one product with both names. If the search names a vendor, only its products
 * are counted, not the other products of the same CVEs: adding one of those to the search would find nothing.
 */
function matchOtherName({ productColumn }: ProductFacet, names: ProductNames): RawBuilder<unknown> {
  const wanted = names[OTHER_NAME[productColumn]]
  return wanted ? sql`where ${sql.ref(OTHER_NAME[productColumn])} = any(${wanted}::text[])` : sql``
}

export const OTHER_NAME = { vendor: 'product', product: 'vendor' } as const satisfies Record<NameColumn, NameColumn>
