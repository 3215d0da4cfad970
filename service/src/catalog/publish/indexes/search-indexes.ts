// Moves the entries that a publication added to the GIN indexes of catalog.cve out of their pending lists. A search
// reads the whole pending list, so no transaction may leave entries in it.
//
// If a publisher dies before it has emptied the lists, searches return the same results but take longer, until the next
// publisher or autovacuum empties them. A replica has the same lists, because their changes are in the WAL.
import { sql, type Transaction } from 'kysely'

/**
 * The transaction empties a pending list automatically at this length. During a publication of 10,000 CVEs, searches
 * took more than twice as long with lists of 16 MB as without lists, and about 1.45 times as long with 256 kB. In a
 * first load, when there are hardly any searches, long lists save processor time.
 */
export async function limitPendingLists(tx: Transaction<unknown>, limit: '16MB' | '256kB'): Promise<void> {
  await sql`set local gin_pending_list_limit = ${sql.lit(limit)}`.execute(tx)
}

/** Takes about a millisecond if the lists are empty. */
export async function emptyPendingLists(tx: Transaction<unknown>): Promise<void> {
  await sql`select catalog.empty_pending_lists()`.execute(tx)
}
