// Finds the hits in one relevance class of a search (ADR 0023), ordered by priority, publication time and id, all
// descending. The index catalog.cve_relevance has this order, so a class with many hits need not be read completely.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/postgres.ts'
import { leaveRemainingTime } from '../database/read-snapshot.ts'
import { selectHits } from './collect-hits.ts'
import type { Filters } from './filters/build-filters.ts'
import { joinConditions } from './keyset-page.ts'
import type { RelevancePosition, RelevantRow } from './relevance.ts'
import { JOIN_EPSS } from './sample.ts'
import { selectScannedRows } from './scan-length.ts'

interface PriorityPage {
  readonly count: number
  /** Number of hits in the class. */
  readonly total: number
  readonly after?: RelevancePosition | undefined
}

/** Finds the first `count` hits of a class after a position. */
export async function findByPriority(
  db: Database,
  filters: Filters,
  page: PriorityPage,
): Promise<readonly RelevantRow[]> {
  const scanned = await scanByPriority(db, filters, page)
  if (scanned.length === page.count) return scanned
  await leaveRemainingTime(db)
  return findAmongAllHits(db, filters, page)
}

/** The expressions of the index catalog.cve_relevance. CVEs without a priority or a publication time come last. */
const PRIORITY = sql`coalesce(cve.priority, (-1)::smallint)`
const PUBLISHED = sql`coalesce(cve.published, '-infinity'::timestamptz)`
const ORDER = sql`${PRIORITY} desc, ${PUBLISHED} desc, cve.cve_key desc`

/**
 * Scans the index for a bounded number of rows, as scanInOrder does for other sort orders, and returns fewer rows if
 * the scan does not fill the page. Each row is read from the table, because its words are compared.
 */
async function scanByPriority(db: Database, filters: Filters, { count, total, after }: PriorityPage) {
  const { rows } = await sql<RelevantRow>`
    select cve.cve_key, cve.published, ${PRIORITY} as value
      from (select *
              from catalog.cve as cve
             where ${isAfter(after)}
             order by ${ORDER}
             limit ${selectScannedRows(count * MARGIN, total)}) as cve
           ${filters.readsEpss ? JOIN_EPSS : sql``}
     where ${joinConditions(filters.rowConditions)}
     order by ${ORDER}
     limit ${count}
  `.execute(db)
  return rows
}

/** The scan is longer by this factor than the number of rows in which a page is expected if hits are spread evenly. */
const MARGIN = 4

/** Finds all hits after the position. The cost grows with the number of hits. */
async function findAmongAllHits(db: Database, filters: Filters, { count, after }: PriorityPage) {
  const hits = selectHits(filters, sql`cve.cve_key, cve.published, cve.priority`, isAfter(after))
  // Materialized for the same reason as in keyset-page.ts: the planner must not scan the index in the hope of early
  // hits.
  const { rows } = await sql<RelevantRow>`
    with all_hits as materialized (${hits})
    select cve.cve_key, cve.published, ${PRIORITY} as value
      from all_hits as cve
     order by ${ORDER}
     limit ${count}
  `.execute(db)
  return rows
}

function isAfter(after: RelevancePosition | undefined): RawBuilder<unknown> {
  if (!after) return sql`true`
  const { value, published, key } = after
  return sql`(${PRIORITY}, ${PUBLISHED}, cve.cve_key)
           < (${value}::smallint, coalesce(${published}::timestamptz, '-infinity'), ${key}::bigint)`
}
