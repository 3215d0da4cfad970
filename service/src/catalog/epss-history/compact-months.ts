import { sql, type Transaction } from 'kysely'

/**
 * Rewrites the months that get no further release, to remove free space. Takes about a second per month, or under a
 * millisecond if there is no such month. Readers of the month wait, so the transaction must do nothing else.
 */
export async function compactMonths(tx: Transaction<unknown>): Promise<void> {
  await sql`
    select catalog.compact_epss_months(date_trunc('month', max(day))::date)
      from catalog.epss_day
    having count(*) > 0
  `.execute(tx)
}
