import { sql, type Transaction } from 'kysely'

/**
 * Rewrites months that get no further release without free space: about a second per month, under a millisecond if
 * there is none. Readers of the month wait, so the transaction must do nothing else.
 */
export async function compactMonths(tx: Transaction<unknown>): Promise<void> {
  await sql`
    select catalog.compact_epss_months(date_trunc('month', max(day))::date)
      from catalog.epss_day
    having count(*) > 0
  `.execute(tx)
}
