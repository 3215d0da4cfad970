// Estimates the number of hits of a search from a sample of the catalog.
//
// The index catalog.cve_sample holds a sixteenth of all CVEs in an order that is unrelated to their values (SQL
// function sample_place). The estimate follows this order until it has found enough hits, so it is cheap for a common
// search: the more hits there are, the sooner they are found.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/postgres.ts'
import type { Filters } from './filters/build-filters.ts'
import { joinConditions } from './keyset-page.ts'

/** The SQL function sample_place returns integers from 0 to below this number, evenly spread over all CVEs. */
const PLACES = 2 ** 32
/** The index catalog.cve_sample holds the CVEs whose place is below this number. */
const SAMPLED_PLACES = PLACES / 16

export interface SampleSize {
  /** Maximum number of CVEs to read. */
  readonly rows: number
  /** Maximum number of hits to find. */
  readonly hits: number
}

interface SampleRow {
  readonly hits: number
  /** Place of the last hit in the order of the sample. */
  readonly last: string | null
  /** Place of the last CVE that was read; null if enough hits were found first, or if the whole sample was read. */
  readonly end: string | null
}

export interface Sample {
  /** Estimated number of hits in the whole catalog. */
  readonly total: number
  /** Number of hits found. The relative error of the estimate is about 1 / √hits. */
  readonly hits: number
}

export async function sampleHits(db: Database, filters: Filters, size: SampleSize): Promise<Sample> {
  const { rows } = await sql<SampleRow>`
    select count(*)::int as hits,
           max(place) as last,
           case when count(*) < ${size.hits}
                then (select ${PLACE} from ${SAMPLE} order by ${PLACE} offset ${size.rows - 1} limit 1)
           end as end
      from (select cve.place
              from (select ${PLACE} as place, * from ${SAMPLE} order by ${PLACE} limit ${size.rows}) as cve
                   ${filters.readsEpss ? JOIN_EPSS : sql``}
             where ${joinConditions(filters.rowConditions)}
             limit ${size.hits}) as found
  `.execute(db)
  const { hits, last, end } = rows[0] ?? { hits: 0, last: null, end: null }
  if (hits < size.hits) return { hits, total: Math.round((hits * PLACES) / Number(end ?? SAMPLED_PLACES)) }
  // Reading stops at the last hit, so that hit is not counted when estimating the proportion of hits.
  return { hits, total: Math.round(((hits - 1) * PLACES) / Number(last)) }
}

const PLACE = sql`catalog.sample_place(cve.cve_key)`
// The number is part of the SQL text so that PostgreSQL recognises the condition of the partial index.
const SAMPLE: RawBuilder<unknown> = sql`catalog.cve as cve where ${PLACE} < ${sql.lit(SAMPLED_PLACES)}`
/** Joins EPSS scores to individual rows of catalog.cve. `offset 0` keeps the planner from joining the whole table. */
export const JOIN_EPSS = sql`
  cross join lateral (select * from catalog.epss as epss where epss.cve_key = cve.cve_key offset 0) as epss`
