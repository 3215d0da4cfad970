// Reads the change log for the evaluator. All functions read in one snapshot of the catalog.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { ChangeCause, Diff } from '../../domain/change/change.ts'
import type { CveKey } from '../../domain/cve-id.ts'

/** A number of the change log and its tag; the tags of two histories differ. */
export interface LogPosition {
  readonly seq: bigint
  readonly tag: bigint
}

/** The position before the first row. */
export const LOG_START: LogPosition = { seq: 0n, tag: 0n }

export const isSame = (one: LogPosition, other: LogPosition) => one.seq === other.seq && one.tag === other.tag

/** As callers write it. */
export const formatLogPosition = ({ seq, tag }: LogPosition) =>
  `${seq}:${BigInt.asUintN(64, tag).toString(16).padStart(16, '0')}`

/** Reads what formatLogPosition wrote. */
export function parseLogPosition(text: string): LogPosition {
  const [seq = '', tag = ''] = text.split(':')
  return { seq: BigInt(seq), tag: BigInt.asIntN(64, BigInt(`0x${tag}`)) }
}

export interface LogState {
  readonly newest: LogPosition
  /** The changes after this number are complete, with what was before them. */
  readonly floor: bigint
  /** True for a replica, which may be behind. */
  readonly mayLag: boolean
  readonly now: Date
}

export interface LogRow extends LogPosition {
  /** Null for a change of the whole data set. */
  readonly key: CveKey | null
  readonly at: Date
  readonly upstreamDay: string | null
  readonly types: readonly string[]
  readonly diff: Diff | null
  readonly cause: ChangeCause
}

export async function readLogState(catalog: Database): Promise<LogState> {
  const { rows } = await sql<{ seq: string | null; tag: string | null; floor: string; mayLag: boolean; now: Date }>`
    select newest.seq::text, newest.tag::text, greatest(floor.complete_seq, floor.details_seq)::text as floor,
           pg_is_in_recovery() as "mayLag", clock_timestamp() as now
      from catalog.change_floor floor
      left join lateral (select seq, tag from catalog.change order by seq desc limit 1) newest on true
  `.execute(catalog)
  const [row] = rows
  if (!row) throw new Error('catalog.change_floor has no row')
  const { seq, tag, floor, mayLag, now } = row
  const newest = seq === null || tag === null ? LOG_START : { seq: BigInt(seq), tag: BigInt(tag) }
  return { newest, floor: BigInt(floor), mayLag, now }
}

/** Returns the positions that the log does not have: their row was deleted, or has another tag. */
export async function findUnknown(
  catalog: Database,
  positions: readonly LogPosition[],
): Promise<readonly LogPosition[]> {
  const asked = positions.filter((each) => !isSame(each, LOG_START))
  if (asked.length === 0) return []
  const { rows } = await sql<{ seq: string; tag: string }>`
    select seq::text, tag::text
      from catalog.change
     where seq = any(${asked.map(({ seq }) => String(seq))}::bigint[])
  `.execute(catalog)
  const known = new Map(rows.map(({ seq, tag }) => [seq, tag]))
  return asked.filter(({ seq, tag }) => known.get(String(seq)) !== String(tag))
}

/** The rows after `from` up to `to`; at most `limit`. */
export async function readLogRows(
  catalog: Database,
  { from, to, limit }: { readonly from: bigint; readonly to: bigint; readonly limit: number },
): Promise<readonly LogRow[]> {
  const { rows } = await sql<Omit<LogRow, 'seq' | 'tag'> & { readonly seq: string; readonly tag: string }>`
    select seq::text, tag::text, cve_key::text as key, at, to_char(upstream_day, 'YYYY-MM-DD') as "upstreamDay", types,
           diff, cause
      from catalog.change
     where change.seq > ${String(from)}
       and change.seq <= ${String(to)}
     order by change.seq
     limit ${limit}
  `.execute(catalog)
  return rows.map((row) => ({ ...row, seq: BigInt(row.seq), tag: BigInt(row.tag) }))
}

export interface MovedScore {
  readonly key: CveKey
  readonly old: number | null
  readonly new: number | null
}

/** The scores that EPSS releases changed, each once per release. */
export async function readMovedScores(catalog: Database, releases: readonly bigint[]): Promise<readonly MovedScore[]> {
  if (releases.length === 0) return []
  const { rows } = await sql<MovedScore>`
    select cve_key::text as key, old, new
      from catalog.epss_moved
     where seq = any(${releases.map(String)}::bigint[])
  `.execute(catalog)
  return rows
}
