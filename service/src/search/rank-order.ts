// Finds the hits of a search sorted by relevance, ordered by text rank. It reads and sorts all hits, so it is meant for
// classes with few hits.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/postgres.ts'
import { selectHits } from './collect-hits.ts'
import type { Filters } from './filters/build-filters.ts'
import type { Hit } from './keyset-page.ts'
import { type Relevance, type RelevanceClass, type RelevancePosition, type RelevantRow, toHit } from './relevance.ts'

/** A class with at most this many hits is ordered by text rank, which reads all of them; a larger one by priority. */
export const MAX_RANKED = 2000

export interface RankedPage {
  /** Filters for the hits of one class or of all classes. */
  readonly filters: Filters
  readonly count: number
  /**
   * On the first page, hits are counted up to this number. Later pages do not need it: their order is already decided.
   */
  readonly maxFound?: number
  readonly after?: RelevancePosition | undefined
}

interface RankedHits {
  /** Number of hits, counted up to `maxFound` + 1. */
  readonly found: number
  /** The first `count` hits; empty on a first page if there are more than MAX_RANKED. */
  readonly hits: readonly Hit[]
}

type Row = { readonly found: number } & (
  | (RelevantRow & { readonly class: RelevanceClass })
  | { readonly cve_key: null }
)

export async function collectRanked(db: Database, relevance: Relevance, page: RankedPage): Promise<RankedHits> {
  const { filters, count, maxFound, after } = page
  const { rows } = await sql<Row>`
    with hits as materialized (
      ${selectHits(filters, sql`cve.cve_key, cve.published, cve.words, cve.priority`)}
      ${maxFound === undefined ? sql`` : sql`limit ${maxFound + 1}`}
    )
    select found, page.*
      from (select count(*)::int as found from hits) as counted
           left join lateral (
             select cve_key, published, class, value
               from (select cve.cve_key, cve.published, ${relevance.class} as class, ${relevance.rank} as value
                       from hits as cve
                      where ${maxFound === undefined ? sql`true` : sql`found <= ${MAX_RANKED}`}
                     offset 0) as cve
              where ${after ? isAfter(after) : sql`true`}
              order by class, value desc, coalesce(published, '-infinity') desc, cve_key desc
              limit ${count}
           ) as page on true
  `.execute(db)
  const hits = rows.filter((row) => row.cve_key !== null)
  return {
    found: rows[0]?.found ?? 0,
    hits: hits.map((row) => toHit({ class: row.class, order: 'rank', total: 0 }, row)),
  }
}

/** The class is negated because it is the only value that sorts in ascending order. */
function isAfter({ class: number, value, published, key }: RelevancePosition): RawBuilder<unknown> {
  return sql`(-class, value, coalesce(published, '-infinity'), cve_key)
           < (${-number}::int, ${value}::real, coalesce(${published}::timestamptz, '-infinity'), ${key}::bigint)`
}
