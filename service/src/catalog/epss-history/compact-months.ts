import { sql, type Transaction } from 'kysely'

/**
 * Writes months that get no further release again without free space. Takes about a second for a month and less than a
 * millisecond if there is none. The transaction must do nothing else, because readers of the month wait for its end.
 */
export async function compactMonths(tx: Transaction<unknown>): Promise<void> {
  await sql`
    select catalog.compact_epss_months(date_trunc('month', max(day))::date)
      from catalog.epss_day
    having count(*) > 0
  `.execute(tx)
}
