// Writes the run log of feeds. The counters and the cursor (position) are written in the transaction of each delivery
// (one file or page of an upstream), and the outcome is written at the end of the run.
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { RunOutcome } from '../../domain/source/run-outcome.ts'
import type { Feed } from '../feed.ts'
import type { MergeCounts } from '../store.ts'
import type { AsOf } from './as-of.ts'
import type { RunCounters, StoredRejection } from './counters.ts'
import { type Extent, recordExtent } from './extent.ts'
import { assertLeaseHeld, type Lease } from './lease.ts'
import { isSourceRun, noteQueued } from './run-cause.ts'

/** Outcome that a run records for itself. A run whose process died is recorded as abandoned by the next run. */
export type Outcome = Exclude<RunOutcome, 'abandoned'>

export interface OpenRun {
  readonly id: string
  readonly lease: Lease
}

interface StartedRun {
  readonly feed: Pick<Feed, 'name' | 'readerVersion'>
  readonly origin: 'network' | 'directory'
  readonly now: Date
}

const FIRST_RETRY_SECONDS = 60
const RUNS_KEPT_DAYS = 90

export async function startRun(
  db: Database,
  { epoch, ...lease }: Lease,
  { feed: { name: feed, readerVersion = 1 }, origin, now }: StartedRun,
): Promise<OpenRun> {
  const { rows } = await sql<{ id: string }>`
    with expired as (
      delete from source.feed_run
       where feed = ${feed}
         and started_at < ${now}::timestamptz - make_interval(days => ${RUNS_KEPT_DAYS})
    ), abandoned as (
      update source.feed_run
         set outcome = 'abandoned',
             finished_at = ${now},
             fault = 'The process died or lost its database connection. Deliveries stored before that are kept.'
       where feed = ${feed}
         and outcome = 'running'
    )
    insert into source.feed_run (feed, lease_epoch, origin, started_at, cause)
    select ${feed}, ${epoch}, ${origin}, ${now},
           case when ${isSourceRun({ feed, readerVersion, origin })} then 'source' else 'data' end
    returning id
  `.execute(db)
  const [created] = rows
  if (!created) throw new Error('an insert returns its row')
  return { id: created.id, lease: { epoch, ...lease } }
}

/** Runs in the transaction that stores the delivery (one file or page of an upstream). */
export async function recordDelivery(
  tx: Transaction<unknown>,
  run: OpenRun,
  delivery: { readonly cursor: unknown; readonly asOf: AsOf; readonly extent: Extent },
  stored: {
    readonly total: RunCounters
    readonly merged: MergeCounts
    readonly rejections: readonly StoredRejection[]
  },
): Promise<void> {
  const { feed } = run.lease
  const { asOf } = delivery
  await assertLeaseHeld(tx, run.lease)
  // A file without a date that replaces all records may be older than the one before.
  await sql`
    update source.feed
       set cursor = ${JSON.stringify(delivery.cursor ?? null)}::jsonb,
           as_of_basis = case
             when upstream_at > ${asOf.at}::timestamptz and not ${asOf.isReplaced} then as_of_basis
             else ${asOf.basis}
           end,
           upstream_at = case
             when ${asOf.isReplaced} then ${asOf.at}::timestamptz
             else greatest(upstream_at, ${asOf.at}::timestamptz)
           end
     where name = ${feed}
  `.execute(tx)
  await sql`
    update catalog.dataset
       set table_count = table_count + ${stored.merged.inserted - stored.merged.removed}
     where name = ${feed}
  `.execute(tx)
  await recordExtent(tx, feed, delivery.extent)
  await recordCounts(tx, run, stored.total)
  await noteQueued(tx, run.id, stored.merged.queued ?? 0)
  await recordRejections(tx, run, stored.rejections)
}

/** Records the time from which the age of the data set is computed. A run that failed halfway does not change it. */
export async function recordSuccess(
  db: Database,
  run: OpenRun,
  feed: Feed,
  result: { readonly now: Date; readonly collectedAt: Date | undefined; readonly notices: readonly string[] },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await assertLeaseHeld(tx, run.lease)
    await sql`
      update catalog.dataset
         set last_success_at = ${result.now},
             stale_after_seconds = ${feed.staleAfterSeconds}
       where name = ${feed.name}
    `.execute(tx)
    await sql`
      update source.feed
         set failures = 0,
             reader_version = ${feed.readerVersion ?? 1},
             collected_at = coalesce(${result.collectedAt ?? null}::timestamptz, collected_at),
             next_due_at = now() + make_interval(secs => ${feed.intervalSeconds}),
             lease_until = '-infinity',
             lease_holder = null
       where name = ${feed.name}
    `.execute(tx)
    await closeRun(tx, run, { ...result, outcome: 'succeeded', error: null })
  })
}

export interface Failure {
  readonly outcome: Exclude<Outcome, 'succeeded'>
  readonly error: string | null
  readonly now: Date
  readonly notices: readonly string[]
  readonly total: RunCounters
  readonly rejections: readonly StoredRejection[]
}

/** The delay before the next run doubles with each failure, up to the feed's normal interval. */
export async function recordFailure(db: Database, run: OpenRun, feed: Feed, failure: Failure): Promise<void> {
  // The outcomes `absent` (a directory without the feed's files) and `stopped` (a stopping process) do not count as
  // failures, because the upstream did nothing wrong.
  const isFailure = failure.outcome !== 'absent' && failure.outcome !== 'stopped'
  await db.transaction().execute(async (tx) => {
    await sql`
      update source.feed
         set failures = failures + ${isFailure ? 1 : 0},
             next_due_at = case
               when ${isFailure} then now() + make_interval(
                 secs => least(${feed.intervalSeconds}, ${FIRST_RETRY_SECONDS} * power(2, least(failures, 12)))
               )
               else next_due_at
             end,
             lease_until = '-infinity',
             lease_holder = null
       where name = ${feed.name}
         and lease_epoch = ${run.lease.epoch}
    `.execute(tx)
    await recordCounts(tx, run, failure.total)
    await recordRejections(tx, run, failure.rejections)
    await closeRun(tx, run, failure)
  })
}

async function recordCounts(tx: Transaction<unknown>, run: OpenRun, counts: RunCounters): Promise<void> {
  await sql`
    update source.feed_run
       set read_count = ${counts.read},
           written_count = ${counts.written},
           removed_count = ${counts.removed},
           unchanged_count = ${counts.unchanged},
           duplicate_count = ${counts.duplicates},
           rejected_count = ${counts.rejected},
           truncated_count = ${counts.truncated}
     where id = ${run.id}
  `.execute(tx)
}

async function recordRejections(
  tx: Transaction<unknown>,
  run: OpenRun,
  rejections: readonly StoredRejection[],
): Promise<void> {
  await sql`
    insert into source.feed_rejection (run_id, delivery, subject, reason)
    select ${run.id}, delivery, subject, reason
      from jsonb_to_recordset(${JSON.stringify(rejections)}::jsonb) as rejection (delivery text, subject text, reason text)
  `.execute(tx)
}

async function closeRun(
  tx: Transaction<unknown>,
  run: OpenRun,
  { outcome, error, now, notices }: Pick<Failure, 'now' | 'notices'> & { outcome: Outcome; error: string | null },
): Promise<void> {
  await sql`
    update source.feed_run
       set outcome = ${outcome},
           finished_at = ${now},
           notices = ${notices},
           fault = ${error}
     where id = ${run.id}
  `.execute(tx)
  await copyRunToDataset(tx, run)
}

/**
 * Makes the run visible to the API, which can read the data set. A run that lost its lease copies nothing, because a
 * newer run holds the lease.
 */
async function copyRunToDataset(tx: Transaction<unknown>, { id, lease }: OpenRun): Promise<void> {
  await sql`
    update catalog.dataset
       set upstream_at = feed.upstream_at,
           as_of_basis = feed.as_of_basis,
           last_run_at = run.finished_at,
           last_run_result = run.outcome,
           rejected_count = run.rejected_count
      from source.feed
      join source.feed_run as run on run.feed = feed.name
     where run.id = ${id}
       and feed.lease_epoch = ${lease.epoch}
       and dataset.name = feed.name
  `.execute(tx)
}
