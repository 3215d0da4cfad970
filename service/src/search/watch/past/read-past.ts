// What happened in the change log in the last days, with the CVEs as they were before and after: what previews and
// explanations of watches judge, as the evaluator judged it then.
import { sql } from 'kysely'
import type { Database } from '../../../database/postgres.ts'
import type { ChangeCause, Diff } from '../../../domain/change/change.ts'
import type { CveKey } from '../../../domain/cve-id.ts'
import { POSITION } from '../../../record/change-log/position-text.ts'
import { readFacts } from '../facts.ts'
import { type Around, readSteps, walkBack } from '../history.ts'

interface PastRow {
  readonly seq: string
  readonly position: string
  readonly at: Date
  /** As in the API, to the second. */
  readonly recordedAt: string
  readonly upstreamDay: string | null
  readonly types: readonly string[]
  readonly cause: ChangeCause
  readonly diff: Diff | null
}

export interface PastChange {
  readonly row: PastRow
  readonly around: Around
}

export interface PastRange {
  /** Changes after this number are known completely, with what was before them. */
  readonly from: string
  readonly newest: string
  /** When the first of them was recorded; null if there is none. */
  readonly since: Date | null
}

/** Not before the details that are kept, which are those of 30 days. */
export async function readPastRange(db: Database, after: Date): Promise<PastRange> {
  const { rows } = await sql<PastRange>`
    select bounds.first::text as "from", bounds.newest::text as newest,
           (select at from catalog.change where seq > bounds.first order by seq limit 1) as since
      from (
             select greatest(
                      floor.complete_seq, floor.details_seq,
                      coalesce((select max(seq) from catalog.change where at < ${after}), 0)
                    ) as first,
                    coalesce((select max(seq) from catalog.change), 0) as newest
               from catalog.change_floor floor
           ) bounds
  `.execute(db)
  const [range] = rows
  if (!range) throw new Error('catalog.change_floor has no row')
  return range
}

/** When the first change after a number was recorded; null if there is none. */
export async function readTimeAfter(db: Database, seq: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date }>`
    select at from catalog.change where seq > ${seq} order by seq limit 1
  `.execute(db)
  return rows[0]?.at ?? null
}

/** All changes of these CVEs after a number, oldest first for each CVE. */
export async function readPastChanges(
  db: Database,
  keys: readonly CveKey[],
  from: string,
): Promise<readonly PastChange[]> {
  const [facts, steps] = [await readFacts(db, keys), await readSteps(db, from, keys)]
  const seqs = [...new Set([...steps.values()].flatMap((each) => each.map(({ seq }) => seq)))]
  const rows = await readRows(db, seqs)
  return keys.flatMap((key) =>
    walkBack(facts.get(key), steps.get(key) ?? []).flatMap((around) => {
      const row = rows.get(around.step.seq)
      return row ? [{ row, around }] : []
    }),
  )
}

async function readRows(db: Database, seqs: readonly string[]): Promise<ReadonlyMap<string, PastRow>> {
  if (seqs.length === 0) return new Map()
  const { rows } = await sql<PastRow>`
    select seq::text as seq, ${POSITION} as position, at,
           to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "recordedAt",
           to_char(upstream_day, 'YYYY-MM-DD') as "upstreamDay", types, cause, diff
      from catalog.change
     where seq = any(${seqs}::bigint[])
  `.execute(db)
  return new Map(rows.map((row) => [row.seq, row]))
}

export interface ScoreBounds {
  readonly min: number | undefined
  readonly max: number | undefined
}

/**
 * The CVEs with changes in a part of the log that a watch can tell one by one, at most `limit`. Changes of our own tell
 * only exploitation. An EPSS release counts where a score passed one of the bounds.
 */
export async function listChangedKeys(
  db: Database,
  { from, to }: { readonly from: string; readonly to: string },
  { min, max }: ScoreBounds,
  limit: number,
): Promise<readonly CveKey[]> {
  const isInside = (score: string) => sql`coalesce(
    ${sql.ref(score)} >= ${min ?? 0}::float8 and ${sql.ref(score)} <= ${max ?? 1}::float8, false)`
  const moved = sql`
    union
    select moved.cve_key
      from catalog.change release
      join catalog.epss_moved moved on moved.seq = release.seq
     where release.seq > ${from} and release.seq <= ${to}
       and release.cve_key is null
       and release.types @> '{epss_released}'
       and not release.types @> '{epss_model_changed}'
       and ${isInside('moved.old')} <> ${isInside('moved.new')}`
  const { rows } = await sql<{ key: CveKey }>`
    select changed.cve_key::text as key
      from (
             select change.cve_key
               from catalog.change change
              where change.seq > ${from} and change.seq <= ${to}
                and change.cve_key is not null
                and (change.cause = 'data' or change.types && '{kev_added,eu_kev_added,maturity_raised}')
             ${min === undefined && max === undefined ? sql`` : moved}
           ) changed
     limit ${limit}
  `.execute(db)
  return rows.map(({ key }) => key)
}

/** The last number of each UTC day in a part of the log, the newest day first. */
export async function listDays(
  db: Database,
  from: string,
): Promise<readonly { readonly day: string; readonly first: string; readonly last: string }[]> {
  const { rows } = await sql<{ day: string; first: string; last: string }>`
    select to_char(change.at at time zone 'utc', 'YYYY-MM-DD') as day,
           (min(change.seq) - 1)::text as first, max(change.seq)::text as last
      from catalog.change change
     where change.seq > ${from}
     group by 1
     order by max(change.seq) desc
  `.execute(db)
  return rows
}
