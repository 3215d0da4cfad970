// Moves the entries that a publication added to the GIN indexes of catalog.cve from the pending lists of these indexes
// into the indexes. A search reads the whole pending list, so no transaction may leave entries in it.
//
// Every session that writes catalog.cve adds to the pending lists, and only a publisher does so after the migrations. If
// a publisher dies before it has emptied the lists, they hold entries of rows that no reader sees: searches return the
// same results but take longer, and the next publisher empties the lists when it starts. Autovacuum empties them too. A
// replica sees the same lists, because PostgreSQL writes each change of them to the WAL.
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../../database/postgres.ts'

/** A catalog with fewer CVEs counts as one that is loaded for the first time. */
const FIRST_LOAD_CVES = 10_000

/** Returns whether the catalog has so few CVEs that a publication is part of its first load. */
export async function isFirstLoad(db: Database, minCves = FIRST_LOAD_CVES): Promise<boolean> {
  const { rows } = await sql<{ isFirstLoad: boolean }>`
    select count(*) < ${minCves} as "isFirstLoad"
      from (select from catalog.cve limit ${minCves}) cve
  `.execute(db)
  return rows[0]?.isFirstLoad ?? true
}

/**
 * Sets the length at which the transaction empties a pending list by itself. Searches beside a publication of 10,000 CVEs
 * took more than twice as long with lists of 16 MB as without lists, and about 1.45 times with 256 kB. In a first load,
 * when hardly anybody searches, long lists save processor time.
 */
export async function limitPendingLists(tx: Transaction<unknown>, limit: '16MB' | '256kB'): Promise<void> {
  await sql`set local gin_pending_list_limit = ${sql.lit(limit)}`.execute(tx)
}

/** Takes about a millisecond if the lists are empty. */
export async function emptyPendingLists(tx: Transaction<unknown>): Promise<void> {
  await sql`select catalog.empty_pending_lists()`.execute(tx)
}
