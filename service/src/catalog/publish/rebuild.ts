// Everything again, from the source tables: after a change of the rules, or when somebody doubts.
import { sql, type Transaction } from 'kysely'
import type { CveId } from '../../domain/cve-id.ts'
import { type Publication, type PublishTools, publish, publishIds, sumOf, underLock, type Written } from './publish.ts'
import { publishEpss } from './publish-epss.ts'
import { publishKev } from './publish-kev.ts'
import { queueRebuildIfInputsChanged } from './rebuild-trigger.ts'

/** Small enough that whoever publishes beside it waits a moment only. */
const IDS_PER_BATCH = 2000

/** Readers see each CVE as it was or as it is now; what comes out the same is not written. */
export async function rebuild(tools: PublishTools): Promise<Publication> {
  // If this is interrupted, what it did not come to is queued all the same.
  await underLock(tools, (tx) => queueRebuildIfInputsChanged(tx))
  const epss = await underLock(tools, (tx) => publishEpss(tx))
  let sum = await underLock(tools, async (tx) => publishIds(tools, tx, await publishKev(tools.session, tx)))
  const ids = await everyId(tools)
  for (let done = 0; done < ids.length && !tools.signal.aborted; done += IDS_PER_BATCH) {
    const batch = ids.slice(done, done + IDS_PER_BATCH)
    sum = sumOf(sum, await underLock(tools, (tx) => rebuildBatch(tools, tx, batch)))
    tools.onProgress?.({ done: done + batch.length, total: ids.length })
  }
  // What came in meanwhile, and the statistics.
  return { ...sumOf(sum, await publish({ ...tools, onProgress: () => {} })), epss }
}

/** What waits for publication of these ids, waits no more. */
async function rebuildBatch(tools: PublishTools, tx: Transaction<unknown>, batch: readonly CveId[]): Promise<Written> {
  await sql`delete from source.publication_queue where cve_id = any (${batch}::text[])`.execute(tx)
  return publishIds(tools, tx, batch)
}

/** Those that make a record, and those that have one. */
async function everyId({ session }: PublishTools): Promise<readonly CveId[]> {
  const { rows } = await sql<{ cveId: CveId }>`
    select cve_id as "cveId"
      from source.source_record
     where source in ('nvd', 'cve')
     union
    select cve_id
      from source.kev_entry
     where removed_at is null
     union
    select catalog.cve_id(cve_key)
      from catalog.cve
     order by 1
  `.execute(session.db)
  return rows.map(({ cveId }) => cveId)
}
