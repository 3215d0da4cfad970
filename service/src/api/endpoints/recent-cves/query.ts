// Reads one page of CVEs that have an event within the period, in a single statement.
import { type RawBuilder, sql } from 'kysely'
import type { CursorPosition } from '../../../contract/cursor.ts'
import type { CveRow } from '../../../contract/record/cve-fields.ts'
import type { Database } from '../../../database/postgres.ts'
import { RECORD_JOINS, recordColumns } from '../../../record/columns.ts'
import type { Selection } from '../../../record/selection.ts'
import { buildFilters } from '../../../search/filters/build-filters.ts'
import type { Query } from './parameters.ts'

export interface RecentPageQuery {
  readonly query: Query
  readonly from: Date
  readonly until: Date
  readonly after: CursorPosition | undefined
  readonly selection: Selection
}

export interface FoundRow extends CveRow {
  /** The time of the newest event within the period. */
  readonly event: Date
  /** The number of CVEs on all pages. The cursor carries the value from the first page to later pages. */
  readonly total_found: number
}

type Sql = RawBuilder<unknown>

/**
 * Finds all CVEs with an event within the period, through the indexes on `published`, on `modified` and on the end of
 * the time in which an event is new, and then selects the newest. Times are truncated, because a cursor has whole
 * seconds.
 */
export async function findRecent(db: Database, page: RecentPageQuery): Promise<readonly FoundRow[]> {
  const { query, after, selection } = page
  const { standaloneConditions } = buildFilters(query)
  const { rows } = await sql<FoundRow>`
    with happened as materialized (
      select cve_key, max(at) as at
        from catalog.event
       where ${isEventRecent(page)}
       group by cve_key
    ), found as materialized (
      select cve.cve_key, date_trunc('second', ${selectNewestTime(page)}) as event
        from catalog.cve as cve
        left join happened on happened.cve_key = cve.cve_key
       where ${sql.join([isRecent(page), ...standaloneConditions], sql` and `)}
    ), page as (
      select cve_key, event
        from found
       where ${after ? sql`(event, cve_key) < (${after.value}, ${after.key})` : sql`true`}
       order by event desc, cve_key desc
       limit ${query.limit + 1}
    )
    select ${recordColumns(selection)},
           ${selection.fields.includes('events') ? sql`${selectEvents(page)} as events,` : sql``}
           page.event,
           (select count(*) from found)::int as total_found
      from page
      join catalog.cve as cve on cve.cve_key = page.cve_key
           ${RECORD_JOINS}
     order by page.event desc, page.cve_key desc
  `.execute(db)
  return rows
}

type DateColumn = 'published' | 'modified'

/** The columns of catalog.cve that count for each type of request. */
const DATE_COLUMNS: Readonly<Record<Query['type'], readonly DateColumn[]>> = {
  published: ['published'],
  modified: ['modified'],
  both: ['published', 'modified'],
}

/**
 * Builds a condition on catalog.event. Events from KEV catalogs and ACSC notices count as modifications. `recent_until`
 * is at least `at`, and later for an event that a call before the period may have missed (see catalog.event).
 */
function isEventRecent({ query, from, until }: RecentPageQuery): Sql {
  return query.type === 'published' ? sql`false` : sql`recent_until >= ${from} and at <= ${until}`
}

/**
 * The array lets PostgreSQL find the CVEs of the events by primary key and combine them with the hits from the other
 * indexes; with a join instead, it would scan catalog.cve.
 */
function isRecent(page: RecentPageQuery): Sql {
  const conditions = DATE_COLUMNS[page.query.type].map((column) => isWithin(column, page))
  if (page.query.type !== 'published') conditions.push(sql`cve.cve_key = any (array(select cve_key from happened))`)
  return sql`(${sql.join(conditions, sql` or `)})`
}

function selectNewestTime(page: RecentPageQuery): Sql {
  const times = DATE_COLUMNS[page.query.type].map(
    (column) => sql`case when ${isWithin(column, page)} then ${sql.ref(`cve.${column}`)} end`,
  )
  return sql`greatest(${sql.join([...times, sql`happened.at`])})`
}

/** Builds an SQL expression for a CVE's events within the period, as JSON, newest first. */
function selectEvents(page: RecentPageQuery): Sql {
  const dates = DATE_COLUMNS[page.query.type].map(
    (column) =>
      sql`select ${sql.lit(column)} as kind, ${sql.ref(`cve.${column}`)} as at where ${isWithin(column, page)}`,
  )
  return sql`(
             select json_agg(
                      json_build_object('kind', kind, 'time', to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
                      order by at desc, kind
                    )
               from (
                      ${sql.join(dates, sql` union all `)}
                      union all
                      select kind, at
                        from catalog.event
                       where event.cve_key = cve.cve_key
                         and ${isEventRecent(page)}
                    ) within
           )`
}

function isWithin(column: DateColumn, { from, until }: RecentPageQuery): Sql {
  return sql`${sql.ref(`cve.${column}`)} between ${from} and ${until}`
}
