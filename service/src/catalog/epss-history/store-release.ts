// Adds the published EPSS release to the history.
import { sql, type Transaction } from 'kysely'
import type { Session } from '../../database/session.ts'
import { toDayOfMonth } from '../../domain/epss-series/days.ts'
import { findMovers } from './find-movers.ts'
import { storeDays } from './store-days.ts'

export interface PublishedRelease {
  readonly date: string
  readonly model: string
}

/** A late or corrected release replaces the scores for its day. */
export async function storeRelease(
  session: Session,
  tx: Transaction<unknown>,
  { date, model }: PublishedRelease,
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
    insert into catalog.epss_day (day, model_version, score_count, feed)
    select ${date}, ${model}, count(*), 'epss'
      from source.epss_score
    on conflict (day) do update
       set model_version = excluded.model_version,
           score_count = excluded.score_count,
           feed = excluded.feed
  `.execute(tx)
  await findMovers(session, tx)
}
