// Reads one page of a CVE search in steps, each a small SQL statement. All steps read the same database state (ADR
// 0023).
import { sql } from 'kysely'
import type { CursorPosition } from '../contract/cursor.ts'
import type { CveRow } from '../contract/record/cve-fields.ts'
import type { Database } from '../database/postgres.ts'
import { readSnapshot } from '../database/read-snapshot.ts'
import { loadRecords } from '../record/load.ts'
import { select } from '../record/selection-parameters.ts'
import { buildFilters } from './filters/build-filters.ts'
import { type FoundHits, findFirstHits, findNextHits } from './find-hits.ts'
import { type Hit, isByModified } from './keyset-page.ts'
import { type Query, RELEVANCE, resolveLimit } from './parameters.ts'
import { buildRelevance } from './relevance.ts'
import { findFirstRelevant, findNextRelevant } from './relevant-hits.ts'
import { resolveWords } from './words/resolve.ts'

export interface SearchPage {
  readonly rows: readonly CveRow[]
  /** The last hit on the page, if another page follows. */
  readonly last: Hit | undefined
  /** The number of hits on all pages, counted or estimated on the first page. */
  readonly total: number
  /** The newest value of `modified` among all CVEs, for the first page of a search sorted by it. */
  readonly newest: Date | null
}

export function findPage(db: Database, query: Query, after: CursorPosition | undefined): Promise<SearchPage> {
  const [limit, selection] = [resolveLimit(query), select('listed', query)]
  return readSnapshot(db, async (snapshot) => {
    if (query.q !== undefined) await resolveWords(snapshot, query.q)
    const findHits = chooseOrder(query, after)
    // One hit more than fits on the page shows that another page follows.
    const { total, hits } = await findHits(snapshot, limit + 1)
    const shown = hits.slice(0, limit)
    const newest = !after && query.sort !== RELEVANCE && isByModified(query.sort) ? await readNewest(snapshot) : null
    const rows = await loadRecords(
      snapshot,
      selection,
      shown.map(({ cve_key }) => cve_key),
    )
    return { rows, total, last: hits.length > limit ? shown.at(-1) : undefined, newest }
  })
}

type FindHits = (db: Database, count: number) => Promise<FoundHits>

/** Returns the function that finds a page of hits in the sort order of the search. */
function chooseOrder(query: Query, after: CursorPosition | undefined): FindHits {
  if (query.sort === RELEVANCE) {
    const relevance = buildRelevance(query, query.q ?? '')
    return (db, count) =>
      after ? findNextRelevant(db, relevance, after, count) : findFirstRelevant(db, relevance, count)
  }
  const keyset = { filters: buildFilters(query), sort: query.sort, after }
  return (db, count) => (after ? findNextHits : findFirstHits)(db, keyset, count)
}

async function readNewest(db: Database): Promise<Date | null> {
  const { rows } = await sql<{ newest: Date | null }>`select max(modified) as newest from catalog.cve`.execute(db)
  return rows[0]?.newest ?? null
}
