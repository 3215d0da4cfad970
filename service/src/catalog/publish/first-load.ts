// Publishes a first load without the expensive search indexes, which are created at its end: sorting the entries of all
// CVEs once takes less time than adding them to the indexes batch by batch.
//
// The only state is which indexes exist. Publishers change it while they hold the publishers' lock. If a publisher dies
// during the first load or while it creates the indexes, the catalog is incomplete and lacks indexes: searches for words
// return the CVEs that are published but scan the table, so they may end with QUERY_TIMEOUT. The next publisher creates
// the missing indexes before it publishes. A replica sees the same indexes.
import { sql, type Transaction } from 'kysely'

/** Queued CVEs from which a first load is faster without indexes. A worker polls an empty queue every 2 s. */
const MIN_QUEUED = 1000

/** Returns true and drops the indexes if the catalog is empty and many CVEs are queued. */
export async function dropIndexesForFirstLoad(tx: Transaction<unknown>): Promise<boolean> {
  const { rows } = await sql<{ isDropped: boolean }>`
    select case when exists (select from source.publication_queue offset ${MIN_QUEUED - 1})
                then catalog.drop_first_load_indexes()
                else false
           end as "isDropped"
  `.execute(tx)
  return rows[0]?.isDropped ?? false
}

/** Takes less than a millisecond if no index is missing. */
export async function createMissingIndexes(tx: Transaction<unknown>): Promise<void> {
  await sql`select catalog.create_first_load_indexes()`.execute(tx)
}
