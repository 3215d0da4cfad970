// Moves the entries that a publication added to the GIN indexes of catalog.cve from the pending lists of these indexes
// into the indexes. A search reads the whole pending list, so no transaction may leave entries in it.
//
// Every session that writes catalog.cve adds to the pending lists, and only a publisher does so after the migrations. If
// a publisher dies before it has emptied the lists, they hold entries of rows that no reader sees: searches return the
// same results but take longer, and the next publisher empties the lists when it starts. Autovacuum empties them too. A
// replica sees the same lists, because PostgreSQL writes each change of them to the WAL.
import { sql, type Transaction } from 'kysely'

/** Takes about a millisecond if the lists are empty. */
export async function emptyPendingLists(tx: Transaction<unknown>): Promise<void> {
  await sql`select catalog.empty_pending_lists()`.execute(tx)
}

/** Creates an index of words that is missing. Takes less than a millisecond if none is. */
export async function createMissingIndexes(tx: Transaction<unknown>): Promise<void> {
  await sql`select catalog.create_missing_indexes()`.execute(tx)
}
