// Adds the days that the feed epss-history has read to the EPSS history.
import { sql, type Transaction } from 'kysely'
import type { Session } from '../../database/session.ts'
import { toMonth } from '../../domain/epss-series/days.ts'
import { MAX_WINDOW_DAYS } from '../../domain/epss-series/mover-windows.ts'
import { findThresholds } from '../../domain/priority/epss-rule.ts'
import { findMovers } from './find-movers.ts'
import { markHoldsStale } from './holds.ts'
import { storeDays } from './store-days.ts'
import { readThresholds } from './thresholds.ts'

/** Each transaction holds the publishers' lock, but smaller ones would rewrite each month more often. */
const MAX_DAYS = 10

/**
 * Adds the newest unpublished days, all from one month. They replace what the feed epss delivered: the file for a
 * single day is the last version that FIRST published.
 */
export async function storePastDays(session: Session, tx: Transaction<unknown>): Promise<number> {
  const days = await listUnpublished(tx)
  const [newest, ...others] = days
  if (newest === undefined) return 0
  const changed = await storeDays(session, tx, { days: [newest, ...others], scores: selectScores(days) })
  await recordDays(tx, days, changed)
  await storeThresholds(tx, changed)
  if (changed.length > 0) await markHoldsStale(tx)
  const firstCompared = await findFirstCompared(tx)
  await sql`
    update source.epss_past_day
       set cve_ids = null,
           scores = null,
           percentiles = null
     where day = any (${days}::date[])
  `.execute(tx)
  if (changed.some((day) => day >= firstCompared)) await findMovers(session, tx)
  return days.length
}

/** Finds the earliest day that the newest release may be compared with. */
async function findFirstCompared(tx: Transaction<unknown>): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    select to_char(max(day) - ${MAX_WINDOW_DAYS}::integer, 'YYYY-MM-DD') as day
      from catalog.epss_day
  `.execute(tx)
  return rows[0]?.day ?? ''
}

async function listUnpublished(tx: Transaction<unknown>): Promise<readonly string[]> {
  const { rows } = await sql<{ day: string }>`
    select to_char(day, 'YYYY-MM-DD') as day
      from source.epss_past_day
     where cve_ids is not null
     order by epss_past_day.day desc
     limit ${MAX_DAYS}
  `.execute(tx)
  const [newest] = rows
  return newest ? rows.map(({ day }) => day).filter((day) => toMonth(day) === toMonth(newest.day)) : []
}

/** The lists for a day have the same length; a missing list yields nulls. */
const selectScores = (days: readonly string[]) => sql`
  select catalog.cve_key(cve_id) as cve_key, array_agg(array[day, score, percentile]) as scores
    from (
           select extract(day from day)::integer as day, unnest(cve_ids) as cve_id, unnest(scores) as score,
                  unnest(percentiles) as percentile
             from source.epss_past_day
            where day in (${sql.join(days.map((day) => sql.lit(day)))})
         ) score
   group by cve_id
`

/** Stores the thresholds of days whose model has none in the policy. */
async function storeThresholds(tx: Transaction<unknown>, days: readonly string[]): Promise<void> {
  const { rows } = await sql<{ day: string; model: string | null }>`
    select day::text as day, model_version as model from catalog.epss_day where day = any (${days}::date[])
  `.execute(tx)
  for (const { day, model } of rows) {
    if (findThresholds(model)) continue
    const scores = sql`
      select unnest(scores) / 100000.0::float8 as score from source.epss_past_day where day = ${day}::date`
    const thresholds = await readThresholds(tx, model, scores)
    await sql`
      update catalog.epss_day set thresholds = ${thresholds}::float8[] where day = ${day}::date
    `.execute(tx)
  }
}

async function recordDays(
  tx: Transaction<unknown>,
  days: readonly string[],
  changed: readonly string[],
): Promise<void> {
  await sql`
    insert into catalog.epss_day as held (day, model_version, score_count, feed)
    select day, model_version, score_count, 'epss-history'
      from source.epss_past_day
     where day = any (${days}::date[])
    on conflict (day) do update
       set model_version = coalesce(excluded.model_version, held.model_version),
           score_count = excluded.score_count,
           feed = excluded.feed
     where excluded.day = any (${changed}::date[])
  `.execute(tx)
}
