// The facets of /cves/facets in one table, which defines how each facet reads a CVE's values from a hit.
import { type RawBuilder, sql } from 'kysely'
import { SEVERITY_BANDS } from '../../domain/cvss/severity.ts'
import { EXPLOIT_MATURITIES } from '../../domain/exploitation/exploit-maturity.ts'
import { LEVELS, listRanks } from '../../domain/priority/policy.ts'

interface Facet {
  /** Columns of catalog.cve that `value` reads. */
  readonly columns: readonly string[]
  /** SQL expression for the value of a hit, as text or as a list of texts. Null if the hit has no value. */
  readonly value: RawBuilder<unknown>
  /** Whether `value` is a list whose items are counted separately. */
  readonly isList?: boolean
}

interface ProductFacet {
  /** Column of catalog.product that holds the value. */
  readonly productColumn: 'vendor' | 'product'
}

const band = ({ name, min, max }: (typeof SEVERITY_BANDS)[number]) =>
  sql`when score between ${sql.lit(min)} and ${sql.lit(max)} then ${sql.lit(name)}`

const level = (name: (typeof LEVELS)[number]) => {
  const { min, max } = listRanks(name)
  return sql`when priority between ${sql.lit(min)} and ${sql.lit(max)} then ${sql.lit(name)}`
}

/** The column holds 0 for `none` up to 5 for `ransomware`. */
const MATURITIES = sql`(array[${sql.join(EXPLOIT_MATURITIES.toReversed().map((name) => sql.lit(name)))}])[maturity + 1]`

const FACETS = {
  severity: { columns: ['score'], value: sql`case ${sql.join(SEVERITY_BANDS.map(band), sql` `)} end` },
  status: { columns: ['status'], value: sql`status` },
  cwe: { columns: ['cwes'], value: sql`cwes`, isList: true },
  assigner: { columns: ['assigner'], value: sql`assigner` },
  product_vendor: { productColumn: 'vendor' },
  product: { productColumn: 'product' },
  priority: { columns: ['priority'], value: sql`case ${sql.join(LEVELS.map(level), sql` `)} end` },
  exploit_maturity: { columns: ['maturity'], value: MATURITIES },
  attack_vector: { columns: ['attack_vector'], value: sql`attack_vector` },
  year: { columns: ['published'], value: sql`to_char(published at time zone 'utc', 'YYYY')` },
  technique: { columns: ['techniques'], value: sql`techniques`, isList: true },
  kev: { columns: ['in_kev'], value: sql`in_kev::text` },
  source: { columns: ['sources'], value: sql`sources`, isList: true },
} as const satisfies Readonly<Record<string, Facet | ProductFacet>>

export type FacetName = keyof typeof FACETS

// The cast is safe: Object.keys returns the keys of FACETS.
export const FACET_NAMES = Object.keys(FACETS) as readonly FacetName[]

/** Returns the columns of catalog.cve that a facet reads; none for product facets. */
export function listColumns(name: FacetName): readonly string[] {
  const facet: Facet | ProductFacet = FACETS[name]
  return 'columns' in facet ? facet.columns : []
}

/** The vendors and products that the search filters by, as they are stored. */
export type ProductNames = Readonly<Partial<Record<'vendor' | 'product', readonly string[]>>>

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
 * Builds a query for the most frequent values of a facet among the hits, with the columns `value` and `count`. Of equally
 * frequent products, those that the search filters by come first: a single CVE can have more products than are listed.
 */
export function countValues(name: FacetName, options: CountOptions): RawBuilder<unknown> {
  const facet: Facet | ProductFacet = FACETS[name]
  const wanted = 'productColumn' in facet ? options.names[facet.productColumn] : undefined
  const wantedFirst = wanted ? sql`value = any(${wanted}::text[]) desc, ` : sql``
  return sql`
      select value, count(*)::integer as count
        from (${selectValues(facet, options)}) as hit_values (value)
       where value is not null
       group by value
       order by count(*) desc, ${wantedFirst}value collate "C"
       limit ${options.size}`
}

/** Selects each value of each hit once. */
function selectValues(facet: Facet | ProductFacet, { hits, hitProducts, names }: CountOptions): RawBuilder<unknown> {
  if ('productColumn' in facet) {
    const column = sql.ref(facet.productColumn)
    // A CVE can name several products of one vendor, and products with the same name from several vendors.
    return sql`select ${column} from (select distinct cve_key, ${column} from ${hitProducts} ${matchOtherName(facet, names)}) as named`
  }
  return facet.isList
    ? sql`select unnest(${facet.value}) from ${hits} hits`
    : sql`select ${facet.value} from ${hits} hits`
}

/**
 * A search by vendor and product requires one product with both names. If the search names a vendor, only its products
 * are counted, not the other products of the same CVEs: adding one of those to the search would find nothing.
 */
function matchOtherName({ productColumn }: ProductFacet, names: ProductNames): RawBuilder<unknown> {
  const other = productColumn === 'product' ? 'vendor' : 'product'
  const wanted = names[other]
  return wanted ? sql`where ${sql.ref(other)} = any(${wanted}::text[])` : sql``
}
