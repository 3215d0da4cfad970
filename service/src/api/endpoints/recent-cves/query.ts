// Reads one page of the recently published or modified CVEs in one statement.
import { type RawBuilder, sql } from 'kysely'
import type { CveRow } from '../../../contract/cve-fields.ts'
import type { Database } from '../../../database/postgres.ts'
import type { CursorPosition } from '../../cursor.ts'
import { RECORD_JOINS, recordColumns } from '../../cve-record/load.ts'
import type { Selection } from '../../cve-record/selection.ts'
import { buildFilters } from '../../search/filters/build-filters.ts'
import type { Query } from './parameters.ts'

export interface RecentPageQuery {
  readonly query: Query
  readonly from: Date
  readonly until: Date
  readonly after: CursorPosition | undefined
  readonly selection: Selection
}

export interface FoundRow extends CveRow {
  readonly event: Date
  /** Number of CVEs on all pages. The cursor carries the value of the first page to the later pages. */
  readonly total_found: number
}

/**
 * Finds all CVEs published or modified within the period through the indexes on `published` and `modified`, then takes
 * the newest ones.
 */
export async function findRecent(db: Database, page: RecentPageQuery): Promise<readonly FoundRow[]> {
  const { query, after, selection } = page
  const { rows } = await sql<FoundRow>`
    with found as materialized (
      select cve.cve_key, ${selectEvent(page)} as event
        from catalog.cve as cve
       where ${sql.join(buildConditions(page), sql` and `)}
    ), page as (
      select cve_key, event
        from found
       where ${after ? sql`(event, cve_key) < (${after.value}, ${after.key})` : sql`true`}
       order by event desc, cve_key desc
       limit ${query.limit + 1}
    )
    select ${recordColumns(selection)},
           page.event,
           (select count(*) from found)::int as total_found
      from page
      join catalog.cve as cve on cve.cve_key = page.cve_key
           ${RECORD_JOINS}
     order by page.event desc, page.cve_key desc
  `.execute(db)
  return rows
}

/**
 * SQL expression for the newest time within the period at which the CVE was published or modified, depending on the
 * `type` parameter.
 */
function selectEvent({ query: { type }, from, until }: RecentPageQuery): RawBuilder<unknown> {
  if (type !== 'both') return sql.ref(`cve.${type}`)
  const within = (column: string) =>
    sql`case when ${isWithin(column, from, until)} then ${sql.ref(`cve.${column}`)} end`
  return sql`greatest(${within('published')}, ${within('modified')})`
}

function buildConditions({ query, from, until }: RecentPageQuery): readonly RawBuilder<unknown>[] {
  const { type } = query
  return [
    type === 'both'
      ? sql`(${isWithin('published', from, until)} or ${isWithin('modified', from, until)})`
      : isWithin(type, from, until),
    ...buildFilters(query).rowConditions,
  ]
}

function isWithin(column: string, from: Date, until: Date): RawBuilder<unknown> {
  return sql`${sql.ref(`cve.${column}`)} between ${from} and ${until}`
}
