// Counts which vendors, products or weaknesses the CVEs of a metric's events have.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { DayRange } from '../../domain/epss-series/days.ts'
import { countFacets } from '../facets/count-facets.ts'
import type { FacetName } from '../facets/facets.ts'
import type { ColumnsThread } from '../facets/thread/client.ts'
import { type EventQuery, selectEvents } from './events.ts'
import { type EventMetric, selectCompleteSince } from './metrics.ts'

/** The kinds of names, each with the facet that has the same values. */
const KINDS = { vendor: 'product_vendor', product: 'product', cwe: 'cwe' } as const satisfies Record<string, FacetName>

export type TopKind = keyof typeof KINDS

// The cast is safe: Object.keys returns the keys of KINDS.
export const TOP_KINDS = Object.keys(KINDS) as readonly TopKind[]

interface TopQuery extends Omit<EventQuery, 'buckets'> {
  /** Undefined if no day of the window is known. */
  readonly window: DayRange | undefined
  readonly of: TopKind
  readonly limit: number
}

interface Top {
  /** Number of events in the window. */
  readonly total: number
  /** Number of events of CVEs without such a name. */
  readonly unnamed: number
  readonly names: readonly { readonly value: string; readonly count: number }[]
}

export async function readCompleteSince(db: Database, { completeSince }: EventMetric): Promise<string | null> {
  const { rows } = await sql<{ since: string | null }>`select ${selectCompleteSince(completeSince)} as since`.execute(
    db,
  )
  return rows[0]?.since ?? null
}

/** A CVE counts once for each of its names, as often as it has events. */
export async function countTop(
  db: Database,
  countInMemory: ColumnsThread['count'],
  { metric, productVendor, window, of, limit }: TopQuery,
): Promise<Top> {
  if (!window) return { total: 0, unnamed: 0, names: [] }
  if (!metric.toFilters) return countInSql(db, { metric, productVendor, buckets: [window] }, of, limit)
  const facet = KINDS[of]
  const { total, facets } = await countFacets(db, countInMemory, {
    values: { ...metric.toFilters(window), product_vendor: productVendor },
    facets: [facet],
    size: limit,
    names: productVendor ? { vendor: productVendor } : {},
  })
  const counts = facets[facet] ?? []
  return {
    total,
    unnamed: counts.find(({ value }) => value === null)?.count ?? 0,
    names: counts.flatMap(({ value, count }) => (value === null ? [] : [{ value, count }])),
  }
}

async function countInSql(db: Database, query: EventQuery, of: TopKind, limit: number): Promise<Top> {
  const { rows } = await sql<Top>`
    with event as materialized (
      select cve_key, count(*) as count
        from (${selectEvents(query)}) as event
       group by cve_key
    ), named as materialized (
      ${of === 'cwe' ? WEAKNESSES : selectProducts(of, query)}
    )
    select (select coalesce(sum(count), 0)::integer from event) as total,
           (select coalesce(sum(count), 0)::integer
              from event
             where not exists (select from named where named.cve_key = event.cve_key)) as unnamed,
           (select coalesce(json_agg(listed), '[]')
              from (
                     select value, sum(event.count)::integer as count
                       from named
                       join event using (cve_key)
                      group by value
                      order by 2 desc, value collate "C"
                      limit ${limit}
                   ) as listed) as names
  `.execute(db)
  const [row] = rows
  if (!row) throw new Error('the count of names returned no row')
  return row
}

const WEAKNESSES = sql`
      select event.cve_key, unnest(cve.cwes) as value
        from event
        join catalog.cve as cve using (cve_key)`

/** Selects each name of each CVE once. A filter by vendor limits products to those of these vendors. */
function selectProducts(of: 'vendor' | 'product', { productVendor }: EventQuery): RawBuilder<unknown> {
  const wanted = of === 'product' && productVendor ? sql`where product.vendor = any (${productVendor}::text[])` : sql``
  return sql`
      select distinct event.cve_key, ${sql.ref(`product.${of}`)} as value
        from event
        join catalog.cve_product as named using (cve_key)
        join catalog.product as product using (product_key)
       ${wanted}`
}
