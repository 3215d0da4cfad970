// Judges queries of watches in memory and in SQL, for tests that compare both.
import { sql } from 'kysely'
import type { Database } from '../../../src/database/postgres.ts'
import type { CveKey } from '../../../src/domain/cve-id.ts'
import { buildFilters } from '../../../src/search/filters/build-filters.ts'
import type { FilterValues } from '../../../src/search/filters/table.ts'
import { fromTables, joinConditions } from '../../../src/search/keyset-page.ts'
import { createFilterReader } from '../../../src/search/views/view-query.ts'

/** Reads the filters of a query string as a search on the given day does; throws if it is invalid. */
export function readFilterValues(query: string, day = new Date('2026-08-22T10:00:00Z')): FilterValues {
  const reading = createFilterReader(day)(query)
  if ('value' in reading) return reading.value
  throw new Error(`${query}: ${reading.issues.map(({ parameter, message }) => `${parameter} ${message}`).join(', ')}`)
}

/** The keys of the CVEs that the search finds. */
export async function findInSql(db: Database, values: FilterValues): Promise<ReadonlySet<CveKey>> {
  const filters = buildFilters(values)
  const { rows } = await sql<{ key: CveKey }>`
    select cve.cve_key::text as key
      from ${fromTables({ cve: true, epss: filters.readsEpss })}
     where ${joinConditions(filters.conditions)}
  `.execute(db)
  return new Set(rows.map(({ key }) => key))
}

export async function listAllKeys(db: Database): Promise<readonly CveKey[]> {
  const { rows } = await sql<{ key: CveKey }>`select cve_key::text as key from catalog.cve order by cve_key`.execute(db)
  return rows.map(({ key }) => key)
}
