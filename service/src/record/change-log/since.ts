// Where a reader of the change log begins: after a position, after a time, or at one of the words for a position.
import { type RawBuilder, sql } from 'kysely'
import type { Since } from '../../contract/changes.ts'
import { changesGone, positionGone, unavailable } from '../../contract/response/errors.ts'
import type { Database } from '../../database/postgres.ts'
import { formatPosition, isAfter, type Position, START } from '../../domain/change/position.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { ChangeFilter } from './filter.ts'
import { NEWEST_SNAPSHOT } from './newest-snapshot.ts'
import { NEWEST_POSITION, POSITION, toPosition } from './position-text.ts'

export interface Anchor {
  /** Rows after this number are read. */
  readonly seq: string
  readonly since: Since
}

/** Before the number of the first time in catalog.change_time, which is 0. */
const BEFORE_LOG = '-1'

/** A word is anchored at the start, even `now`: then no row is read. */
export const toAnchor = (since: Exclude<Since, { time: Date }>): Position => (typeof since === 'string' ? START : since)

export const isTime = (since: Since): since is Extract<Since, { time: Date }> =>
  typeof since === 'object' && 'time' in since

/**
 * A time becomes the number up to which every row was visible by then. Rows whose visibility is not recorded yet count
 * as later, so a reader misses nothing; a row that was committed shortly before the time can be among those returned.
 */
export async function findAnchor(db: Database, since: Since): Promise<Anchor> {
  if (!isTime(since)) return { seq: toAnchor(since).seq, since }
  const { rows } = await sql<{ seq: string }>`
    select seq
      from catalog.change_time
     where at <= ${since.time}
     order by at desc, seq desc
     limit 1
  `.execute(db)
  return { seq: rows[0]?.seq ?? BEFORE_LOG, since }
}

export interface LogState {
  readonly newest: string | null
  readonly oldest: string | null
  /** The position of the row at the anchor. */
  readonly anchor: string | null
  readonly isReplica: boolean
  readonly snapshot: string | null
  readonly dataFloor: string
  readonly completeFloor: string
  /** Since when the log has every change of upstream data, and every change. */
  readonly dataStart: string | null
  readonly completeStart: string | null
}

/** Rounded up, because times in requests have whole seconds: sent as `since`, it must be accepted. */
const selectStart = (floor: 'data_seq' | 'complete_seq') => sql`(
  select to_char(
           date_trunc('second', at + interval '999999 microseconds') at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'
         )
    from catalog.change_time
   where seq >= (select ${sql.ref(floor)} from catalog.change_floor)
   order by seq
   limit 1
)`

/** Since when the log has every change of upstream data. */
export const LOG_START = selectStart('data_seq')

/** Selected in the same statement as the rows, so that both show the same moment. */
export const selectState = (seq: string): RawBuilder<LogState> => sql`
  ${NEWEST_POSITION} as newest,
  (select ${POSITION} from catalog.change order by seq limit 1) as oldest,
  (select ${POSITION} from catalog.change where seq = ${seq}) as anchor,
  pg_is_in_recovery() as "isReplica",
  (${NEWEST_SNAPSHOT}) as snapshot,
  (select data_seq from catalog.change_floor) as "dataFloor",
  (select complete_seq from catalog.change_floor) as "completeFloor",
  ${LOG_START} as "dataStart",
  ${selectStart('complete_seq')} as "completeStart"`

/**
 * Throws 410 unless the log has every change after the anchor: the row of a position must exist with the same tag, and
 * no later row may have been deleted. If a replica has not received the row yet, that does not require a new full copy.
 */
export function assertComplete({ seq, since }: Anchor, state: LogState, cause: ChangeFilter['cause']): void {
  if (typeof since === 'string') return
  const floor = cause === 'all' ? state.completeFloor : state.dataFloor
  const isKept = BigInt(seq) >= BigInt(floor)
  const [newest, oldest] = [toPosition(state.newest), toPosition(state.oldest)]
  const details = { oldest: formatPosition(oldest), newest: formatPosition(newest), snapshot: state.snapshot }
  if (isTime(since)) {
    if (isKept) return
    const earliest = cause === 'all' ? state.completeStart : state.dataStart
    throw changesGone(formatInstant(since.time), { earliest, ...details })
  }
  const isKnown = seq === START.seq ? since.tag === START.tag : state.anchor === formatPosition(since)
  if (isKnown && isKept) return
  if (state.isReplica && isAfter(since, newest))
    throw unavailable('This node has not received the changes up to this position yet.')
  throw positionGone(formatPosition(since), details)
}
