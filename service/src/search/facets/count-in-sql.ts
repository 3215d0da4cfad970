// Counts the values of several facets of a search in one SQL statement, so that all counts belong to the same hits. This
// reads every hit, which takes seconds for the whole catalog: it is used while the columns are not in memory.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import { buildFilters, type Filters } from '../filters/build-filters.ts'
import { fromTables, joinConditions } from '../keyset-page.ts'
import type { FacetCounts, FacetQuery, ValueCount } from './facet-query.ts'
import { countValues, type FacetName, findColumn, readsProducts } from './facets.ts'

interface Row extends ValueCount {
  /** Null in the row that holds the number of hits. */
  readonly facet: FacetName | null
}

export async function countFacetsInSql(db: Database, query: FacetQuery): Promise<FacetCounts> {
  const { rows } = await buildStatement(query, buildFilters(query.values)).execute(db)
  return {
    total: rows.find(({ facet }) => facet === null)?.count ?? 0,
    facets: Object.fromEntries(
      query.facets.map((name) => [name, rows.filter(({ facet }) => facet === name).map(toCount)]),
    ),
  }
}

const toCount = ({ value, count }: Row): ValueCount => ({ value, count })

/** Collects the hits once, with the columns that the facets read. */
function buildStatement({ facets, size, names }: FacetQuery, filters: Filters): RawBuilder<Row> {
  const columns = [...new Set(['cve_key', ...facets.flatMap((name) => findColumn(name) ?? [])])]
  const readsCve = columns.length > 1 || filters.readsCve || !filters.readsEpss
  const key = readsCve ? 'cve' : 'epss'
  const options = { hits: sql`hits`, hitProducts: sql`hit_products`, size, names }
  const parts = facets.map(
    (name) => sql`
    select ${sql.lit(name)} as facet, value, count from (${countValues(name, options)}) as ${sql.ref(name)}`,
  )
  return sql<Row>`
    with hits as materialized (
      select ${sql.join(columns.map((column) => sql.ref(`${key}.${column}`)))}
        from ${fromTables({ cve: readsCve, epss: filters.readsEpss })}
       where ${joinConditions(filters.conditions)}
    )${facets.some(readsProducts) ? HIT_PRODUCTS : sql``}
    select null as facet, null as value, count(*)::integer as count from hits
     ${parts.length === 0 ? sql`` : sql`union all ${sql.join(parts, sql` union all `)}`}`
}

/**
 * The products of the hits, read once for both product facets. `offset 0` makes PostgreSQL look up the products of each
 * hit; it would otherwise read the products of all CVEs.
 */
const HIT_PRODUCTS = sql`, hit_products as materialized (
      select hits.cve_key, product.vendor, product.product
        from hits
             cross join lateral (
               select product_key
                 from catalog.cve_product as named
                where named.cve_key = hits.cve_key
               offset 0
             ) as named
             join catalog.product as product on product.product_key = named.product_key
    )`
