import { type RawBuilder, sql, type Transaction } from 'kysely'

const ROWS_PER_FETCH = 10_000

/** Reads in portions, because a query with a row per CVE could exhaust the memory. */
export async function* readWithCursor<Row>(
  tx: Transaction<unknown>,
  query: RawBuilder<unknown>,
): AsyncGenerator<readonly Row[], void, undefined> {
  await sql`declare portions no scroll cursor for ${query}`.execute(tx)
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(ROWS_PER_FETCH)} from portions`.execute(tx)
    if (rows.length > 0) yield rows
    if (rows.length < ROWS_PER_FETCH) break
  }
  await sql`close portions`.execute(tx)
}
