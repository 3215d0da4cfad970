// Deletes what old changes replaced (catalog.cve_past).
import { sql, type Transaction } from 'kysely'
import { type PublishContext, withPublishLock } from '../publish-lock.ts'

/** As long as changes of upstream data are kept. */
const KEPT_DAYS = 400
const DAY_MS = 86_400_000
const ROWS_PER_BATCH = 10_000

export async function deleteExpiredPast(context: PublishContext): Promise<number> {
  const before = new Date(context.clock().getTime() - KEPT_DAYS * DAY_MS)
  let deleted = 0
  while (!context.signal.aborted && (await hasExpired(context, before)))
    deleted += await withPublishLock(context, (tx) => deleteBatch(tx, before))
  return deleted
}

/** Needs no lock: on most days nothing has expired since the last call. */
async function hasExpired({ session }: PublishContext, before: Date): Promise<boolean> {
  const { rows } = await sql`select from catalog.cve_past where until_at < ${before} limit 1`.execute(session.db)
  return rows.length > 0
}

/** Moves `complete_since` in the same transaction: a reader sees both or neither. */
async function deleteBatch(tx: Transaction<unknown>, before: Date): Promise<number> {
  await sql`
    update catalog.past_start
       set complete_since = greatest(complete_since, ${before}::timestamptz)
  `.execute(tx)
  const { numAffectedRows } = await sql`
    delete from catalog.cve_past
     where ctid = any (array(
             select ctid
               from catalog.cve_past
              where until_at < ${before}
              limit ${ROWS_PER_BATCH}
           ))
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}
