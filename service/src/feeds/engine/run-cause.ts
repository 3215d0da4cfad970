// Decides whether the changes of a run say how a source was read, and not what is new about CVEs (cause `source`,
// decision E50). The publication queue names the run of each CVE.
import { type RawBuilder, sql, type Transaction } from 'kysely'

interface StartedRun {
  readonly feed: string
  readonly readerVersion: number
  readonly origin: 'network' | 'directory'
}

/**
 * SQL condition: no run of the feed has succeeded yet, or none with this version of its reader. A directory is excepted
 * once the source is known: on a network that is closed, a bundle is the only news there is.
 */
export function isSourceRun({ feed, readerVersion, origin }: StartedRun): RawBuilder<boolean> {
  return sql`(
    not exists (select from catalog.dataset where name = ${feed} and last_success_at is not null)
    or (
         ${origin}::text = 'network'
         and exists (select from source.feed where name = ${feed} and reader_version <> ${readerVersion}::integer)
       )
  )`
}

/** A run that queues a larger share of the catalog, such as an edit of all records upstream, says little about each CVE. */
const MAX_SHARE = 0.02
/** In a catalog of fewer than 50,000 CVEs, such as the sample, a share says nothing. */
const MIN_QUEUED = 1000

/** Runs in the transaction that stores the delivery. CVEs of earlier deliveries that still wait get the cause, too. */
export async function noteQueued(tx: Transaction<unknown>, runId: string, queued: number): Promise<void> {
  if (queued === 0) return
  await sql`
    update source.feed_run run
       set queued_count = queued_count + ${queued},
           -- The CVEs are counted only if the rest holds.
           cause = case when run.cause = 'source' or run.origin = 'directory' then run.cause
                        when run.queued_count + ${queued} < ${MIN_QUEUED} then run.cause
                        when run.queued_count + ${queued} > ${MAX_SHARE}::float8 * (select count(*) from catalog.cve) then 'source'
                        else run.cause
                   end
     where id = ${runId}
  `.execute(tx)
}
