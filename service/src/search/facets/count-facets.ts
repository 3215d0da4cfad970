// Counts the values of several facets of a search in one statement, so that all counts belong to the same hits.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { Filters } from '../filters/build-filters.ts'
import { fromTables, joinConditions } from '../keyset-page.ts'
import { countValues, type FacetName, listColumns, type ProductNames, readsProducts } from './facets.ts'

/** Maximum number of hits whose values are counted. */
export const MAX_COUNTED = 50_000

export interface FacetQuery {
  readonly filters: Filters
  readonly facets: readonly FacetName[]
  readonly size: number
  readonly names: ProductNames
}

interface ValueCount {
  readonly value: string
  readonly count: number
}

export interface FacetCounts {
  /** Number of hits whose values were counted, at most MAX_COUNTED. */
  readonly counted: number
  readonly isComplete: boolean
  readonly facets: Readonly<Record<string, readonly ValueCount[]>>
}

interface Row extends ValueCount {
  /** Null in the row that holds the number of hits. */
  readonly facet: FacetName | null
}

export async function countFacets(db: Database, query: FacetQuery): Promise<FacetCounts> {
  const { rows } = await buildStatement(query).execute(db)
  const found = rows.find(({ facet }) => facet === null)?.count ?? 0
  return {
    counted: Math.min(found, MAX_COUNTED),
    isComplete: found <= MAX_COUNTED,
    facets: Object.fromEntries(
      query.facets.map((name) => [name, rows.filter(({ facet }) => facet === name).map(toCount)]),
    ),
  }
}

const toCount = ({ value, count }: Row): ValueCount => ({ value, count })

/**
 * Collects the hits once, with the columns that the facets read. It collects one hit more than is counted, to find out
 * whether there are more.
 */
function buildStatement({ filters, facets, size, names }: FacetQuery): RawBuilder<Row> {
  const columns = [...new Set(['cve_key', ...facets.flatMap(listColumns)])]
  const readsCve = columns.length > 1 || filters.readsCve || !filters.readsEpss
  const key = readsCve ? 'cve' : 'epss'
  const options = { hits: sql`counted_hits`, hitProducts: sql`hit_products`, size, names }
  const parts = facets.map(
    (name) => sql`
    select ${sql.lit(name)} as facet, value, count from (${countValues(name, options)}) as ${sql.ref(name)}`,
  )
  return sql<Row>`
    with hits as materialized (
      select ${sql.join(columns.map((column) => sql.ref(`${key}.${column}`)))}
        from ${fromTables({ cve: readsCve, epss: filters.readsEpss })}
       where ${joinConditions(filters.conditions)}
       limit ${MAX_COUNTED + 1}
    ), counted_hits as (
      select *
        from hits
       limit ${MAX_COUNTED}
    )${facets.some(readsProducts) ? HIT_PRODUCTS : sql``}
    select null as facet, null as value, count(*)::integer as count from hits
     union all ${sql.join(parts, sql` union all `)}`
}

/**
 * The products of the hits, read once for both product facets. `offset 0` makes PostgreSQL look up the products of each
 * hit; it would otherwise read the products of all CVEs.
 */
const HIT_PRODUCTS = sql`, hit_products as materialized (
      select hits.cve_key, product.vendor, product.product
        from counted_hits as hits
             cross join lateral (
               select product_key
                 from catalog.cve_product as named
                where named.cve_key = hits.cve_key
               offset 0
             ) as named
             join catalog.product as product on product.product_key = named.product_key
    )`
