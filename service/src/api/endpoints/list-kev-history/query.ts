import { type RawBuilder, sql } from 'kysely'
import type { CursorPosition } from '../../../contract/cursor.ts'
import type { Database } from '../../../database/postgres.ts'
import { type CveId, toCveKey } from '../../../domain/cve-id.ts'

interface KevHistoryQuery {
  /** Undefined for all CVEs. */
  readonly cve_id: CveId | undefined
  readonly removed: boolean | undefined
  readonly limit: number
  /** The position of the last entry on the previous page; undefined for the first page. */
  readonly after: CursorPosition | undefined
}

export interface KevHistoryRow {
  readonly key: string
  readonly added_at: string
  readonly removed_at: string | null
  readonly entry: unknown
  readonly history: readonly unknown[]
}

interface KevHistoryPage {
  readonly rows: readonly KevHistoryRow[]
  /** The position of the last entry on the page, if another page follows. */
  readonly last: { readonly value: string; readonly key: string } | undefined
  readonly totalEstimate: number
  readonly completeSince: string | null
}

const formatTime = (time: RawBuilder<unknown>) => sql`to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

/** Reads one page of entries plus one entry. The table is as small as the KEV catalog and needs no index. */
export async function readKevHistory(
  db: Database,
  { cve_id, removed, limit, after }: KevHistoryQuery,
): Promise<KevHistoryPage> {
  const conditions = [
    sql`true`,
    ...(cve_id === undefined ? [] : [sql`cve_key = ${toCveKey(cve_id) ?? null}::bigint`]),
    ...(removed === undefined ? [] : [sql`(removed_at is not null) = ${removed}`]),
    ...(after === undefined ? [] : [sql`(date_added, cve_key) < (${after.value}::date, ${after.key}::bigint)`]),
  ]
  const { rows } = await sql<{ completeSince: string | null; total: number; rows: readonly KevHistoryRow[] }>`
    with matching as (
      select cve_key, date_added, removed_at, entry
        from catalog.kev_history
       where ${sql.join(conditions, sql` and `)}
    ), page as (
      select *
        from matching
       order by date_added desc, cve_key desc
       limit ${limit + 1}
    )
    select (select ${formatTime(sql`kev_since`)} from catalog.past_start) as "completeSince",
           (select count(*)::integer from matching) as total,
           (select coalesce(json_agg(json_build_object(
                     'key', cve_key::text,
                     'added_at', date_added,
                     'removed_at', ${formatTime(sql`removed_at`)},
                     'entry', ${ENTRY},
                     'history', ${CHANGES}
                   ) order by date_added desc, cve_key desc), '[]')
              from page) as rows
  `.execute(db)
  const [read] = rows
  if (!read) throw new Error('the query of the history of KEV returned no row')
  const page = read.rows.slice(0, limit)
  const last = read.rows.length > limit ? page.at(-1) : undefined
  return {
    rows: page,
    last: last && { value: last.added_at, key: last.key },
    totalEstimate: after?.totalEstimate ?? read.total,
    completeSince: read.completeSince,
  }
}

/** The stored entry with its members in schema order, because the type jsonb sorts them by length. */
const ENTRY = sql`json_build_object(${sql.join(
  [
    'vendorProject',
    'product',
    'vulnerabilityName',
    'dateAdded',
    'shortDescription',
    'requiredAction',
    'dueDate',
    'knownRansomware',
    'notes',
    'cwe_list',
  ].map((name) => sql`${sql.lit(name)}, entry -> ${sql.lit(name)}`),
)})`

const CHANGES = sql`(
  select coalesce(json_agg(json_build_object('time', ${formatTime(sql`change.at`)}, 'type', change.type, 'diff', (
           select coalesce(json_object_agg(
                    member.key, json_build_object('old', member.value -> 'old', 'new', member.value -> 'new')
                    order by member.key
                  ), '{}')
             from jsonb_each(change.diff) member
         )) order by change.at desc, change.type), '[]')
    from catalog.kev_change change
   where change.cve_key = page.cve_key
)`
