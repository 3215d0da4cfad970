// Reads part of the change log, and checks that no change after the given position is missing.
import { type RawBuilder, sql } from 'kysely'
import type { Since } from '../../contract/changes.ts'
import { positionGone, unavailable } from '../../contract/response/errors.ts'
import type { Database } from '../../database/postgres.ts'
import type { ChangeCause, Diff } from '../../domain/change/change.ts'
import { formatPosition, isAfter, type Position, START } from '../../domain/change/position.ts'
import type { CveKey } from '../../domain/cve-id.ts'
import type { ChangeFilter } from './filter.ts'
import { NEWEST_SNAPSHOT } from './newest-snapshot.ts'
import { NEWEST_POSITION, POSITION, toPosition } from './position-text.ts'

export interface ChangeRow {
  readonly position: string
  readonly seq: number
  readonly at: string
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

/** Builds a {@link ChangeRow}. */
export const CHANGE_AS_JSON = sql`json_build_object(
  'position', ${POSITION},
  'seq', seq,
  'at', to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
  'key', cve_key::text,
  'types', types,
  'cause', cause,
  'fields', fields,
  'diff', diff
)`

/** Keeps a filter that accepts few rows from reading the whole log. */
const MAX_SCANNED = 10_000

interface LogState {
  readonly newest: string | null
  readonly oldest: string | null
  readonly anchor: string | null
  readonly isReplica: boolean
  readonly snapshot: string | null
  readonly dataFloor: string
  readonly completeFloor: string
}

/**
 * Selected in the same statement as the rows, so that both show the same moment. `anchor` is the row at the given
 * `seq`.
 */
export const selectState = ({ seq }: Position): RawBuilder<LogState> => sql`
  ${NEWEST_POSITION} as newest,
  (select ${POSITION} from catalog.change order by seq limit 1) as oldest,
  (select ${POSITION} from catalog.change where seq = ${seq}) as anchor,
  pg_is_in_recovery() as "isReplica",
  (${NEWEST_SNAPSHOT}) as snapshot,
  (select data_seq from catalog.change_floor) as "dataFloor",
  (select complete_seq from catalog.change_floor) as "completeFloor"`

/**
 * Throws 410 unless the log has every change after the position: its row must exist with the same tag, and no later row
 * may have been deleted. If a replica has not received the row yet, that does not require a new full copy.
 */
export function assertComplete(since: Position, state: LogState, cause: ChangeFilter['cause']): void {
  const floor = cause === 'all' ? state.completeFloor : state.dataFloor
  const isKnown = since.seq === START.seq ? since.tag === START.tag : state.anchor === formatPosition(since)
  if (isKnown && BigInt(since.seq) >= BigInt(floor)) return
  const [newest, oldest] = [toPosition(state.newest), toPosition(state.oldest)]
  if (state.isReplica && isAfter(since, newest))
    throw unavailable('This node has not received the changes up to this position yet.')
  throw positionGone(formatPosition(since), {
    oldest: formatPosition(oldest),
    newest: formatPosition(newest),
    snapshot: state.snapshot,
  })
}

/** A word is anchored at the start, even `now`: then no row is read. */
export const toAnchor = (since: Since): Position => (typeof since === 'string' ? START : since)

/**
 * The position of the last row examined is read only if the page is not full: at the end of the log, or if the filter
 * accepts few rows.
 */
export async function readPage(db: Database, since: Since, filter: ChangeFilter, limit: number): Promise<LogPage> {
  const from = toAnchor(since)
  const isScanned = sql`seq > ${from.seq} and ${since !== 'now'}`
  const { rows } = await sql<LogState & { scanned: string | null; rows: readonly ChangeRow[] }>`
    with accepted as (
      select scanned.*
        from (
               select seq, tag, at, cve_key, types, cause, fields, diff
                 from catalog.change
                where ${isScanned}
                order by seq
                limit ${MAX_SCANNED}
             ) scanned
        ${filter.minRank === undefined ? sql`` : sql`join catalog.cve using (cve_key)`}
       where ${acceptedBy(filter)}
       order by seq
       limit ${limit + 1}
    )
    select ${selectState(from)},
           case when (select count(*) from accepted) <= ${limit} then (
             select ${POSITION}
               from (select seq, tag from catalog.change where ${isScanned} order by seq limit ${MAX_SCANNED}) scanned
              order by seq desc
              limit 1
           ) end as scanned,
           (select coalesce(json_agg(${CHANGE_AS_JSON} order by seq), '[]')
              from accepted) as rows
  `.execute(db)
  const [read] = rows
  if (!read) throw new Error('the query of the change log returned no row')
  if (typeof since !== 'string') assertComplete(since, read, filter.cause)
  return cutPage(since, read, limit)
}

function acceptedBy({ types, minRank, cause }: ChangeFilter): RawBuilder<unknown> {
  return sql.join(
    [
      sql`true`,
      ...(cause === 'all' ? [] : [sql`scanned.cause = 'data'`]),
      ...(types === undefined ? [] : [sql`scanned.types && ${types}::text[]`]),
      ...(minRank === undefined ? [] : [sql`cve.priority >= ${minRank}`]),
    ],
    sql` and `,
  )
}

function cutPage(
  since: Since,
  read: LogState & { readonly scanned: string | null; readonly rows: readonly ChangeRow[] },
  limit: number,
): LogPage {
  const bounds = { newest: toPosition(read.newest), oldest: toPosition(read.oldest) }
  const page = read.rows.slice(0, limit)
  if (read.rows.length > limit) return { ...bounds, rows: page, next: toPosition(page.at(-1)?.position), hasMore: true }
  const reached = since === 'now' ? bounds.newest : read.scanned === null ? toAnchor(since) : toPosition(read.scanned)
  return { ...bounds, rows: page, next: reached, hasMore: isAfter(bounds.newest, reached) }
}
