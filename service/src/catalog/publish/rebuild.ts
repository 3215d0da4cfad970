// Publishes every CVE again at an operator's request.
import { sql, type Transaction } from 'kysely'
import type { CveId } from '../../domain/cve-id.ts'
import { createPublicationLog } from '../changes/log.ts'
import { type PublishContext, withPublishLock } from '../publish-lock.ts'
import { PUBLISHED_OR_DESCRIBED_IDS } from './described-ids.ts'
import { type Publication, prepare, publish } from './publish.ts'
import { publishEpss } from './steps/publish-epss.ts'
import { addWritten, publishIds, type Written } from './steps/publish-ids.ts'
import { publishKev } from './steps/publish-kev.ts'
import { readUrgentShare } from './urgent-share.ts'

/** Each batch releases the publishers' lock, so other publishers wait only briefly. */
const IDS_PER_BATCH = 2000

/** Each batch is one transaction, and unchanged CVEs are not written. */
export async function rebuild(context: PublishContext): Promise<Publication> {
  // If the resolver's inputs changed, this queues every CVE, so that a later publication can finish after an
  // interruption.
  await withPublishLock(context, (tx) => prepare(tx))
  const epss = await withPublishLock(context, (tx) => publishEpss(context.session, tx))
  let sum = await withPublishLock(context, async (tx) => {
    const { ids, changes } = await publishKev(context.session, tx, 'reload')
    return publishIds(context, tx, ids, createPublicationLog(undefined, changes))
  })
  const ids = await listAllIds(context)
  for (let done = 0; done < ids.length && !context.signal.aborted; done += IDS_PER_BATCH) {
    const batch = ids.slice(done, done + IDS_PER_BATCH)
    sum = addWritten(sum, await withPublishLock(context, (tx) => rebuildBatch(context, tx, batch)))
    context.onProgress?.({ done: done + batch.length, total: ids.length })
  }
  // Publishes the CVEs that were queued in the meantime, and the totals for /stats.
  const rest = await publish({ ...context, onProgress: () => {} })
  return { ...addWritten(sum, rest), epss, urgentShare: await readUrgentShare(context.session.db) }
}

/** Removes the CVEs from the queue, so that they are not published twice. */
async function rebuildBatch(
  context: PublishContext,
  tx: Transaction<unknown>,
  batch: readonly CveId[],
): Promise<Written> {
  await sql`delete from source.publication_queue where cve_id = any (${batch}::text[])`.execute(tx)
  return publishIds(
    context,
    tx,
    batch,
    createPublicationLog(() => 'reload'),
  )
}

/** Lists the ids that a source describes, or that are published. */
export async function listAllIds({ session }: Pick<PublishContext, 'session'>): Promise<readonly CveId[]> {
  const { rows } = await sql<{ cveId: CveId }>`
    select cve_id as "cveId"
      from (${PUBLISHED_OR_DESCRIBED_IDS}) ids
     order by 1
  `.execute(session.db)
  return rows.map(({ cveId }) => cveId)
}
