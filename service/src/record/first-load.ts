// The state of the first load of the catalog (ADR 0030), for everything that answers from it.
import { sql } from 'kysely'
import type { Loading } from '../contract/response/loading.ts'
import type { Database } from '../database/postgres.ts'

/** The feeds whose first run has ended. A run that was stopped or whose process died is repeated. */
export const ENDED_FIRST_RUNS = sql`
  select name
    from catalog.dataset
   where last_success_at is not null
      or last_run_result in ('failed', 'refused', 'absent')
`

interface Row {
  readonly feeds_total: string
  readonly waiting_for: readonly string[]
  readonly cves_done: string
  readonly cves_total: string | null
}

/** Returns null if the first load is finished. */
export async function readLoading(db: Database): Promise<Loading | null> {
  const { rows } = await sql<Row>`
    select cves_done, cves_total,
           (select count(*) from catalog.first_load_feed where not is_skipped) as feeds_total,
           array(
             select name
               from catalog.first_load_feed
              where not is_skipped
                and name not in (${ENDED_FIRST_RUNS})
              order by name
           ) as waiting_for
      from catalog.first_load
     where finished_at is null
  `.execute(db)
  const [row] = rows
  if (!row) return null
  const total = Number(row.feeds_total)
  return {
    feeds_done: total - row.waiting_for.length,
    feeds_total: total,
    waiting_for: [...row.waiting_for],
    cves_done: Number(row.cves_done),
    cves_total: row.cves_total === null ? null : Number(row.cves_total),
  }
}
