// The facts of a CVE before each row of the change log: from the facts as they are now, every later row is taken back,
// newest first.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { CveKey } from '../../domain/cve-id.ts'
import {
  createFacts,
  type Facts,
  type KeptRows,
  readUrgentChanges,
  replaceRows,
  type UrgentChange,
  type UrgentChangesAsJson,
  urgentChanges,
} from './facts.ts'

/** The change of one CVE by one row of the change log. */
export interface Step {
  readonly key: CveKey
  readonly seq: string
  /** `score`: only the EPSS score, by a jump or by a release. */
  readonly kind: 'added' | 'changed' | 'removed' | 'score'
  /** The replaced rows that differ; null if none does. All rows for a removed CVE. */
  readonly before: KeptRows | null
  /** For a removed CVE: its changes up to the removal, which its facts no longer have. */
  readonly urgentChanges: readonly UrgentChange[]
}

/** `after` and the result are undefined while the CVE is not in the catalog. */
function undoChange(after: Facts | undefined, step: Step): Facts | undefined {
  switch (step.kind) {
    case 'added':
      return undefined
    case 'removed':
      return createFacts(step.key, step.before ?? {}, step.urgentChanges.filter(isBefore(step)))
    default:
      return (
        after && replaceRows({ ...after, urgentChanges: after.urgentChanges.filter(isBefore(step)) }, step.before ?? {})
      )
  }
}

const isBefore = (step: Step) => {
  const seq = BigInt(step.seq)
  return (change: UrgentChange) => BigInt(change.seq) < seq
}

interface Row {
  readonly key: CveKey
  readonly seq: string
  readonly kind: Step['kind']
  readonly before: KeptRows | null
  readonly urgent: UrgentChangesAsJson | null
}

/**
 * Reads what the rows of the change log after `seq` did to the CVEs, newest first for each CVE. The details of a change
 * are kept for 30 days: `seq` must not be below catalog.change_floor.details_seq.
 *
 * An EPSS release has one row, and catalog.epss_moved has the scores that it changed. A score that jumped has its own row
 * before that of the release, so it counts there and not with the release.
 */
export async function readSteps(
  db: Database,
  seq: string,
  keys: readonly CveKey[],
): Promise<ReadonlyMap<CveKey, readonly Step[]>> {
  if (keys.length === 0) return new Map()
  const { rows } = await sql<Row>`
    with logged as (
      select change.seq, change.cve_key,
             case when change.kind in ('added', 'removed') then change.kind
                  when change.kind = 'epss' then 'score'
                  else 'changed'
             end as kind,
             case when change.kind = 'epss'
                  then jsonb_build_object(
                         'epss', jsonb_build_array(jsonb_build_object('score', change.diff -> 'epss.score' -> 'old'))
                       )
                  else kept.row
             end as before
        from catalog.change as change
        left join catalog.change_before as kept on kept.seq = change.seq
       where change.cve_key = any(${keys}::bigint[])
         and change.seq > ${seq}
         and change.kind in ('added', 'changed', 'removed', 'kev', 'epss')
    ), releases as materialized (
      select seq, since
        from (
               select seq, lag(seq, 1, 0::bigint) over (order by seq) as since
                 from catalog.change
                where kind = 'epss' and cve_key is null
             ) as numbered
       where seq > ${seq}
    ), moved as (
      select moved.seq, moved.cve_key, 'score' as kind,
             jsonb_build_object('epss', jsonb_build_array(jsonb_build_object('score', moved.old))) as before
        from releases
        join catalog.epss_moved as moved on moved.seq = releases.seq
       where moved.cve_key = any(${keys}::bigint[])
         and not exists (
               select
                 from catalog.change as jump
                where jump.cve_key = moved.cve_key
                  and jump.kind = 'epss'
                  and jump.seq > releases.since
                  and jump.seq < releases.seq
             )
    )
    select step.cve_key::text as key, step.seq::text, step.kind, step.before,
           case when step.kind = 'removed' then ${urgentChanges('step.cve_key')} end as urgent
      from (select * from logged union all select * from moved) as step
     order by step.seq desc
  `.execute(db)
  return Map.groupBy(
    rows.map(({ urgent, ...row }): Step => ({ ...row, urgentChanges: readUrgentChanges(urgent ?? []) })),
    ({ key }) => key,
  )
}

/** The facts of a CVE around one row of the change log; undefined while the CVE is not in the catalog. */
export interface Around {
  readonly step: Step
  readonly before: Facts | undefined
  readonly after: Facts | undefined
}

/** Walks back from the facts as they are now. `steps` are all later ones, newest first; the result is oldest first. */
export function walkBack(now: Facts | undefined, steps: readonly Step[]): readonly Around[] {
  let after = now
  return steps
    .map((step): Around => {
      const before = undoChange(after, step)
      const around = { step, before, after }
      after = before
      return around
    })
    .toReversed()
}
