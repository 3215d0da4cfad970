// Adds the published EPSS release to the history.
import { sql, type Transaction } from 'kysely'
import type { Session } from '../../database/session.ts'
import { toDayOfMonth } from '../../domain/epss-series/days.ts'
import { findThresholds, type Thresholds } from '../../domain/priority/epss-rule.ts'
import { findMovers } from './find-movers.ts'
import { storeDays } from './store-days.ts'

export interface PublishedRelease {
  readonly date: string
  readonly model: string
  readonly thresholds: Thresholds
}

/** A late or corrected release replaces the scores for its day. */
export async function storeRelease(
  session: Session,
  tx: Transaction<unknown>,
  { date, model, thresholds }: PublishedRelease,
): Promise<void> {
  await storeDays(session, tx, {
    days: [date],
    scores: sql`
      select catalog.cve_key(cve_id) as cve_key,
             array[array[${sql.lit(toDayOfMonth(date))}, round(score * 100000)::integer,
                         round(percentile * 100000)::integer]] as scores
        from source.epss_score
    `,
  })
  await sql`
    insert into catalog.epss_day (day, model_version, score_count, feed, thresholds)
    select ${date}, ${model}, count(*), 'epss', ${findThresholds(model) ? null : thresholds}::float8[]
      from source.epss_score
    on conflict (day) do update
       set model_version = excluded.model_version,
           score_count = excluded.score_count,
           feed = excluded.feed,
           thresholds = excluded.thresholds
  `.execute(tx)
  await findMovers(session, tx)
}
