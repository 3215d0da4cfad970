// One page of recent events, in one statement.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/postgres.ts'
import type { Place } from '../../cursor.ts'
import { type CveRow, RECORD_JOINS, recordColumns } from '../../cve-record/load.ts'
import type { Selection } from '../../cve-record/selection.ts'
import { isInBands } from '../../cve-record/severity.ts'
import { hasStatus } from '../../cve-record/status.ts'
import type { Asked } from './parameters.ts'

export interface PageWanted {
  readonly asked: Asked
  readonly from: Date
  readonly until: Date
  readonly after: Place | undefined
  readonly selection: Selection
}

export interface FoundRow extends CveRow {
  readonly event: Date
  /** On the first page: of all pages. */
  readonly total_found: number
}

/** Whatever happened within the lookback is collected by the indexes of both times; the newest of it is the page. */
export async function findRecent(db: Database, wanted: PageWanted): Promise<readonly FoundRow[]> {
  const { asked, after, selection } = wanted
  const { rows } = await sql<FoundRow>`
    with found as materialized (
      select cve.cve_key, ${eventOf(wanted)} as event
        from catalog.cve as cve
       where ${sql.join(conditionsOf(wanted), sql` and `)}
    ), page as (
      select cve_key, event
        from found
       where ${after ? sql`(event, cve_key) < (${after.value}, ${after.key})` : sql`true`}
       order by event desc, cve_key desc
       limit ${asked.limit + 1}
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

/** The newest of the events that are asked for and within the lookback. */
function eventOf({ asked: { type }, from, until }: PageWanted): RawBuilder<unknown> {
  if (type !== 'both') return sql.ref(`cve.${type}`)
  const within = (column: string) =>
    sql`case when ${isWithin(column, from, until)} then ${sql.ref(`cve.${column}`)} end`
  return sql`greatest(${within('published')}, ${within('modified')})`
}

function conditionsOf({ asked, from, until }: PageWanted): readonly RawBuilder<unknown>[] {
  const { type, severity, has_acsc, status } = asked
  return [
    type === 'both'
      ? sql`(${isWithin('published', from, until)} or ${isWithin('modified', from, until)})`
      : isWithin(type, from, until),
    ...(severity === undefined ? [] : [isInBands(severity)]),
    ...(has_acsc === undefined ? [] : [has_acsc ? sql`cve.has_notice` : sql`not cve.has_notice`]),
    ...(status === undefined ? [] : [hasStatus(status)]),
  ]
}

function isWithin(column: string, from: Date, until: Date): RawBuilder<unknown> {
  return sql`${sql.ref(`cve.${column}`)} between ${from} and ${until}`
}
