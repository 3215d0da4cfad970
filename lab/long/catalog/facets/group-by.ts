// Counts facets with plain SQL, one `group by` per facet, which shares nothing with the service but the SQL conditions of
// its filters.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../../service/src/database/postgres.ts'
import { buildFilters } from '../../../../service/src/search/filters/build-filters.ts'
import type { FilterValues } from '../../../../service/src/search/filters/table.ts'
import { fromTables, joinConditions } from '../../../../service/src/search/keyset-page.ts'
import { resolveWords } from '../../../../service/src/search/words/resolve.ts'

const ofCve = (value: RawBuilder<unknown>) => sql`select ${value} as value from hits join catalog.cve using (cve_key)`

const ofList = (column: string) => sql`
  select item as value
    from hits join catalog.cve using (cve_key) left join lateral unnest(${sql.ref(column)}) as item on true`

const ofProducts = (
  column: 'vendor' | 'product',
  other: 'vendor' | 'product',
  wanted: readonly string[] | undefined,
) => sql`
  select distinct hits.cve_key, named.${sql.ref(column)} as value
    from hits
    left join (select * from catalog.cve_product_name ${wanted ? sql`where ${sql.ref(other)} = any(${wanted}::text[])` : sql``}) as named
      using (cve_key)`

const VALUES: Readonly<Record<string, (values: FilterValues) => RawBuilder<unknown>>> = {
  severity: () =>
    ofCve(sql`case when score >= 9 then 'critical' when score >= 7 then 'high' when score >= 4 then 'medium'
                   when score > 0 then 'low' end`),
  status: () => ofCve(sql`status`),
  cwe: () => ofList('cwes'),
  assigner: () => ofCve(sql`assigner`),
  product_vendor: ({ product }) => ofProducts('vendor', 'product', product),
  product: ({ product_vendor: vendor }) => ofProducts('product', 'vendor', vendor),
  priority: () =>
    ofCve(sql`case when priority >= 10000 then 'P0' when priority >= 8000 then 'P1' when priority >= 6000 then 'P2'
                   when priority >= 4000 then 'unrated' when priority >= 2000 then 'P3' when priority >= 0 then 'P4' end`),
  exploit_maturity: () =>
    ofCve(sql`case maturity when 0 then 'none' when 1 then 'poc' when 2 then 'functional' when 3 then 'weaponized'
                            when 4 then 'active' when 5 then 'ransomware' end`),
  attack_vector: () => ofCve(sql`attack_vector`),
  year: () => ofCve(sql`extract(year from published at time zone 'utc')::text`),
  technique: () => ofList('techniques'),
  kev: () => ofCve(sql`in_kev::text`),
  source: () => ofList('sources'),
}

export const COUNTED_FACETS = Object.keys(VALUES)

export interface GroupedCounts {
  readonly total: number
  /** All values of each facet with their counts; the key of null is the empty text, which is no value. */
  readonly facets: Readonly<Record<string, ReadonlyMap<string, number>>>
}

export async function groupBy(db: Database, values: FilterValues): Promise<GroupedCounts> {
  if (values.q !== undefined) await resolveWords(db, values.q)
  const { conditions, readsEpss } = buildFilters(values)
  const parts = Object.entries(VALUES).map(
    ([name, select]) => sql`
    select ${name}::text as facet, coalesce(value, '') as value, count(*)::integer as count
      from (${select(values)}) as of_facet group by value`,
  )
  const { rows } = await sql<{ facet: string; value: string; count: number }>`
    with hits as materialized (
      select cve.cve_key from ${fromTables({ cve: true, epss: readsEpss })} where ${joinConditions(conditions)}
    )
    select 'total' as facet, '' as value, count(*)::integer as count from hits
     union all ${sql.join(parts, sql` union all `)}
  `.execute(db)
  const select = (name: string) =>
    new Map(rows.filter(({ facet }) => facet === name).map(({ value, count }) => [value, count] as const))
  return {
    total: select('total').get('') ?? 0,
    facets: Object.fromEntries(COUNTED_FACETS.map((name) => [name, select(name)])),
  }
}
