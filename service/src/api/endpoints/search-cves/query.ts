// Reads one page of a CVE search in steps, each a small SQL statement. All steps read the same state of the database
// (ADR 0034).
import { sql } from 'kysely'
import type { CveRow } from '../../../contract/cve-fields.ts'
import type { Database } from '../../../database/postgres.ts'
import { readSnapshot } from '../../../database/read-snapshot.ts'
import { loadRecords } from '../../cve-record/load.ts'
import type { Selection } from '../../cve-record/selection.ts'
import { findFirstHits, findNextHits } from '../../search/find-hits.ts'
import { type Hit, isByModified, type KeysetQuery } from '../../search/keyset-page.ts'

export interface SearchPageQuery extends KeysetQuery {
  readonly limit: number
  readonly selection: Selection
}

export interface SearchPage {
  readonly rows: readonly CveRow[]
  /** The last hit of the page, if another page follows. */
  readonly last: Hit | undefined
  /** Number of hits on all pages, counted or estimated on the first page. */
  readonly total: number
  /** The newest value of `modified` among all CVEs, for the first page of a search that is sorted by it. */
  readonly newest: Date | null
}

export function findPage(db: Database, query: SearchPageQuery): Promise<SearchPage> {
  const { after, limit, selection, sort } = query
  return readSnapshot(db, async (snapshot) => {
    // One hit more than the page holds shows that another page follows.
    const { total, hits } = await (after ? findNextHits : findFirstHits)(snapshot, query, limit + 1)
    const shown = hits.slice(0, limit)
    const newest = !after && isByModified(sort) ? await readNewest(snapshot) : null
    const rows = await loadRecords(
      snapshot,
      selection,
      shown.map(({ cve_key }) => cve_key),
    )
    return { rows, total, last: hits.length > limit ? shown.at(-1) : undefined, newest }
  })
}

async function readNewest(db: Database): Promise<Date | null> {
  const { rows } = await sql<{ newest: Date | null }>`select max(modified) as newest from catalog.cve`.execute(db)
  return rows[0]?.newest ?? null
}
