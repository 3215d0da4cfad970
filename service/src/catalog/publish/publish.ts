// Publishes the queued CVEs: merges what all sources say about each CVE, renders it as JSON, and writes the catalog
// tables and the change log in one transaction. The publishers' lock keeps the change log in commit order.
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { ChangeCause } from '../../domain/change/change.ts'
import type { CveId } from '../../domain/cve-id.ts'
import { createPublicationLog } from '../changes/log.ts'
import { startPast } from '../changes/past.ts'
import { compactMonths } from '../epss-history/compact-months.ts'
import { findMovers } from '../epss-history/find-movers.ts'
import { refreshHolds } from '../epss-history/holds.ts'
import { storePastDays } from '../epss-history/store-past-days.ts'
import { type PublishContext, withPublishLock } from '../publish-lock.ts'
import { beginPublication, finishFirstLoad, recordProgress } from './first-load/first-load.ts'
import { emptyPendingLists } from './indexes/search-indexes.ts'
import { refreshStatistics } from './indexes/statistics.ts'
import { countUnrated } from './indexes/unrated-days.ts'
import { queueRenamed } from './names/queue-renamed.ts'
import { queueRebuildIfInputsChanged } from './rebuild-trigger.ts'
import { publishAdvisories } from './steps/publish-advisories.ts'
import { publishEndOfLife } from './steps/publish-end-of-life.ts'
import { publishEpss } from './steps/publish-epss.ts'
import { settleEvents } from './steps/publish-events.ts'
import { addWritten, NOTHING_WRITTEN, publishIds, type Written } from './steps/publish-ids.ts'
import { publishKev } from './steps/publish-kev.ts'
import { publishKevHistory } from './steps/publish-kev-history.ts'
import { readUrgentShare, type UrgentShare } from './urgent-share.ts'

export interface Publication extends Written {
  /** The first load of the catalog: it waits for feeds, or has just been finished. Undefined outside a first load. */
  readonly firstLoad?: 'waiting' | 'loading' | 'finished'

  /** Number of changed EPSS scores; undefined if no release was published. */
  readonly epss: number | undefined
  /** Undefined if nothing was published. */
  readonly urgentShare: UrgentShare | undefined
}

/** Maximum number of queued ids per transaction. */
const MAX_IDS = 10_000

/** Uses as many transactions as needed. Several processes may publish: the publishers' lock admits one at a time. */
export async function publish(context: PublishContext, maxIds = MAX_IDS): Promise<Publication> {
  const { mustWait, isLoading } = await beginPublication(context)
  if (mustWait) return { ...NOTHING_WRITTEN, firstLoad: 'waiting', epss: undefined, urgentShare: undefined }
  await withPublishLock(context, (tx) => prepare(tx))
  const epss = await withPublishLock(context, (tx) => publishEpss(context.session, tx))
  const pastDays = await publishPastDays(context)
  await withPublishLock(context, refreshHolds)
  if (epss !== undefined || pastDays > 0) await withPublishLock(context, compactMonths)
  await withPublishLock(context, (tx) => publishKevHistory(tx, context.clock()))
  await withPublishLock(context, publishEndOfLife)
  let sum = NOTHING_WRITTEN
  // Counted only once, because counting reads the whole queue: once per batch would take quadratic time in a first
  // load.
  const queued = context.onProgress || isLoading ? await countQueued(context.session.db) : 0
  let done = 0
  while (!context.signal.aborted) {
    const batch = await withPublishLock(context, async (tx) => {
      const published = await publishQueued({ ...context, isFirstLoad: isLoading, maxIds }, tx)
      if (isLoading && published)
        await recordProgress(tx, { done: published.ids, left: Math.max(0, queued - done - published.ids) })
      return published
    })
    if (batch === undefined) break
    sum = addWritten(sum, batch.written)
    done += batch.ids
    context.onProgress?.({ done, total: Math.max(done, queued) })
  }
  // Scores are published before CVEs, so the scores of new CVEs have not been compared yet.
  if (sum.added > 0 && (epss !== undefined || pastDays > 0))
    await withPublishLock(context, (tx) => findMovers(context.session, tx))
  // Runs after the CVEs are published, because it removes advisories whose CVE is now published.
  const hasOtherCves = sum.added + sum.removed > 0
  const confirmAdvisories = await withPublishLock(context, (tx) => publishAdvisories(context.session, tx, hasOtherCves))
  confirmAdvisories()
  const isFinished = await withPublishLock(context, async (tx) => {
    await refreshStatistics(tx)
    const hasEnded = isLoading && (await finishFirstLoad(tx, context.clock()))
    await startPast(tx)
    await countUnrated(tx, context.clock())
    return hasEnded
  })
  // The next holder of the lock writes the time of the changes before it.
  await withPublishLock(context, async () => {})
  const hasPublished = done > 0 || epss !== undefined
  const firstLoad = isFinished ? 'finished' : 'loading'
  return {
    ...sum,
    ...(isLoading && { firstLoad }),
    epss,
    urgentShare: hasPublished ? await readUrgentShare(context.session.db) : undefined,
  }
}

/** Publishes the EPSS days that the feed epss-history has read. */
async function publishPastDays(context: PublishContext): Promise<number> {
  let sum = 0
  while (!context.signal.aborted) {
    const days = await withPublishLock(context, (tx) => storePastDays(context.session, tx))
    if (days === 0) break
    sum += days
  }
  return sum
}

/** Finishes what a killed publisher left undone, and queues CVEs that must be resolved again. */
export async function prepare(tx: Transaction<unknown>): Promise<void> {
  await emptyPendingLists(tx)
  await queueRebuildIfInputsChanged(tx)
  await queueRenamed(tx)
}

interface Batch {
  readonly ids: number
  readonly written: Written
}

async function publishQueued(
  context: PublishContext & { readonly isFirstLoad: boolean; readonly maxIds: number },
  tx: Transaction<unknown>,
): Promise<Batch | undefined> {
  await settleEvents(tx, context.clock())
  const { ids: changedInKev, changes } = await publishKev(context.session, tx, 'rules')
  const queued = await takeQueued(tx, context.maxIds)
  const ids = [...new Set([...changedInKev, ...queued.map(({ cveId }) => cveId)])].sort()
  if (ids.length === 0) return undefined
  const causes = await findCauses(tx, queued)
  const log = createPublicationLog((id) => causes.get(id) ?? 'data', changes)
  return { ids: ids.length, written: await publishIds(context, tx, ids, log) }
}

interface QueuedCve {
  readonly cveId: CveId
  /** False if only the publisher queued the CVE, because the same data now produces a different record. */
  readonly hasNewData: boolean
  /** True if only runs with the cause `source` brought new data of the CVE. */
  readonly isOnlyFromSource: boolean
  /** True if nothing but an EPSS release queued the CVE. */
  readonly isOnlyByEpss: boolean
}

/** CVEs without an entry were queued because of new data. */
async function findCauses(
  tx: Transaction<unknown>,
  queued: readonly QueuedCve[],
): Promise<ReadonlyMap<CveId, ChangeCause>> {
  const isModelWeek = queued.some(({ isOnlyByEpss }) => isOnlyByEpss) && (await isFirstWeekOfModel(tx))
  return new Map(
    queued.flatMap(({ cveId, hasNewData, isOnlyFromSource, isOnlyByEpss }): (readonly [CveId, ChangeCause])[] => {
      if (!hasNewData) return [[cveId, 'rules']]
      if (isOnlyFromSource) return [[cveId, 'source']]
      return isModelWeek && isOnlyByEpss ? [[cveId, 'epss_model']] : []
    }),
  )
}

/** False if no scores of an earlier model are known, because then nothing changed from one model to the next. */
async function isFirstWeekOfModel(tx: Transaction<unknown>): Promise<boolean> {
  const { rows } = await sql`
    select
      from catalog.epss_release release
     where (
             select max(day)
               from catalog.epss_day
              where model_version is distinct from release.model_version
           ) >= (release.scored_at at time zone 'utc')::date - 7
  `.execute(tx)
  return rows.length > 0
}

/** Feeds write a queue row together with its source data, so the data of every visible row is visible too. */
async function takeQueued(tx: Transaction<unknown>, maxIds: number): Promise<readonly QueuedCve[]> {
  const { rows } = await sql<QueuedCve>`
    with oldest as (
      select distinct cve_id
        from (select cve_id from source.publication_queue order by seq limit ${maxIds}) first
    ), taken as (
      delete from source.publication_queue queued
       using oldest
       where queued.cve_id = oldest.cve_id
      returning queued.cve_id, queued.feed, queued.run_id
    )
    select cve_id as "cveId", bool_or(taken.feed <> 'catalog') as "hasNewData",
           bool_and(taken.feed = 'catalog' or run.cause is not distinct from 'source') as "isOnlyFromSource",
           bool_and(taken.feed in ('epss', 'catalog')) as "isOnlyByEpss"
      from taken
      left join source.feed_run run
        on run.id = taken.run_id
     group by cve_id
  `.execute(tx)
  return rows
}

async function countQueued(db: Database): Promise<number> {
  const { rows } = await sql<{ queued: number }>`
    select count(distinct cve_id)::integer as queued
      from source.publication_queue
  `.execute(db)
  return rows[0]?.queued ?? 0
}
