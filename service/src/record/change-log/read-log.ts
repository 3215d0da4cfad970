// Reads part of the change log, and checks that no change after the place where it begins is missing.
import { type RawBuilder, sql } from 'kysely'
import type { Since } from '../../contract/changes.ts'
import type { Database } from '../../database/postgres.ts'
import type { ChangeCause, Diff } from '../../domain/change/change.ts'
import { isAfter, type Position } from '../../domain/change/position.ts'
import { RARE_TYPES, TYPES_ON_REQUEST } from '../../domain/change/types.ts'
import type { CveKey } from '../../domain/cve-id.ts'
import type { ChangeFilter } from './filter.ts'
import { POSITION, toPosition } from './position-text.ts'
import { type Anchor, assertComplete, findAnchor, type LogState, selectState } from './since.ts'

export interface ChangeRow {
  readonly position: string
  readonly seq: number
  readonly at: string | null
  readonly recordedAt: string
  readonly key: CveKey | null
  readonly types: readonly string[]
  readonly cause: ChangeCause
  readonly fields: readonly string[]
  readonly diff: Diff | null
}

export interface LogPage {
  readonly rows: readonly ChangeRow[]
  /** Position up to which the log was read, including rows that the filter does not accept. */
  readonly next: Position
  readonly hasMore: boolean
  readonly newest: Position
  readonly oldest: Position
}

/**
 * Builds a {@link ChangeRow} from a row `logged`. It was recorded when it was visible to everybody; shortly after the
 * commit this time is not known yet.
 */
export const CHANGE_AS_JSON = sql`json_build_object(
  'position', ${POSITION},
  'seq', seq,
  'at', upstream_day,
  'recordedAt', to_char(
    coalesce(
      (select visible.at from catalog.change_time visible where visible.seq >= logged.seq order by visible.seq limit 1),
      logged.at
    ) at time zone 'utc',
    'YYYY-MM-DD"T"HH24:MI:SS"Z"'
  ),
  'key', cve_key::text,
  'types', types,
  'cause', cause,
  'fields', fields,
  'diff', diff
)`

/** Number of rows that one statement examines. */
const ROWS_PER_SCAN = 10_000

/** Maximum time in which a call passes rows that its filter does not accept. The statement in progress is completed. */
const SCAN_TIME_MS = 1500

/**
 * Reads until the page is full, the log ends, or the time is up. Each statement sees its own state of the database; a
 * row never changes, and later rows have higher numbers.
 */
export async function readPage(db: Database, since: Since, filter: ChangeFilter, limit: number): Promise<LogPage> {
  const startedAt = performance.now()
  const anchor = await findAnchor(db, since)
  if (since === 'now') {
    const state = await readScan(db, anchor, filter, { rows: 0, limit })
    const newest = toPosition(state.newest)
    return { rows: [], next: newest, hasMore: false, newest, oldest: toPosition(state.oldest) }
  }
  const rows: ChangeRow[] = []
  let from = anchor
  for (;;) {
    const scan = await readScan(db, from, filter, { rows: ROWS_PER_SCAN, limit: limit - rows.length })
    assertComplete(from, scan, filter.cause)
    const bounds = { newest: toPosition(scan.newest), oldest: toPosition(scan.oldest) }
    const isFull = rows.length + scan.rows.length > limit
    rows.push(...scan.rows.slice(0, limit - rows.length))
    if (isFull) return { ...bounds, rows, next: toPosition(rows.at(-1)?.position), hasMore: true }
    if (scan.scanned === null) return { ...bounds, rows, next: bounds.newest, hasMore: false }
    const reached = toPosition(scan.scanned)
    if (performance.now() - startedAt > SCAN_TIME_MS)
      return { ...bounds, rows, next: reached, hasMore: isAfter(bounds.newest, reached) }
    from = { seq: reached.seq, since: reached }
  }
}

type Scan = LogState & {
  /** At most one row more than the limit. */
  readonly rows: readonly ChangeRow[]
  /** Position of the last row examined; null if the log ends there or earlier, or if the page is full. */
  readonly scanned: string | null
}

async function readScan(
  db: Database,
  anchor: Anchor,
  filter: ChangeFilter,
  { rows: count, limit }: { readonly rows: number; readonly limit: number },
): Promise<Scan> {
  const isScanned = sql.join([sql`seq > ${anchor.seq}`, ...narrowToRareTypes(filter)], sql` and `)
  const { rows } = await sql<Scan>`
    with scanned as (
      select seq, tag, at, upstream_day, cve_key, types, cause, fields, diff
        from catalog.change
       where ${isScanned}
       order by seq
       limit ${count}
    ), accepted as (
      select logged.*
        from scanned logged
        ${filter.minRank === undefined && filter.conditions.length === 0 ? sql`` : sql`join catalog.cve using (cve_key)`}
       where ${acceptedBy(filter)}
       order by seq
       limit ${limit + 1}
    )
    select ${selectState(anchor.seq)},
           case when (select count(*) from accepted) <= ${limit} then (
             select ${POSITION} from scanned order by seq offset ${Math.max(0, count - 1)} limit 1
           ) end as scanned,
           (select coalesce(json_agg(${CHANGE_AS_JSON} order by seq), '[]') from accepted logged) as rows
  `.execute(db)
  const [read] = rows
  if (!read) throw new Error('the query of the change log returned no row')
  return read
}

const RARE = sql`types && ${sql.lit(`{${RARE_TYPES.join(',')}}`)}::text[]`

/** The index change_of_rare_type has only the rows with these types. */
const narrowToRareTypes = ({ types }: ChangeFilter): readonly RawBuilder<unknown>[] =>
  types?.every((type) => RARE_TYPES.includes(type)) ? [RARE] : []

const IS_LISTED = sql`not (logged.types && ${sql.lit(`{${TYPES_ON_REQUEST.join(',')}}`)}::text[])`

function acceptedBy({ types, minRank, cause, conditions }: ChangeFilter): RawBuilder<unknown> {
  return sql.join(
    [
      sql`true`,
      ...(cause === 'all' ? [] : [sql`logged.cause = 'data'`]),
      types === undefined ? IS_LISTED : sql`logged.types && ${types}::text[]`,
      ...(minRank === undefined ? [] : [sql`cve.priority >= ${minRank}`]),
      ...conditions,
    ],
    sql` and `,
  )
}
