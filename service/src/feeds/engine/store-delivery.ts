// Stores one delivery (one file or page of an upstream) in one transaction: reads the records, normalises them, copies
// them into the staging table, checks the guards (sanity checks), and merges the staging table into the feed's tables.
// The caller writes its log entries about the run in the same transaction.
import { sql, type Transaction } from 'kysely'
import { formatCopyLine } from '../../database/copy-line.ts'
import type { Session } from '../../database/session.ts'
import type { Clock } from '../../domain/clock.ts'
import { limitRecord } from '../../domain/source/limit-record.ts'
import { findUpstreamLimits, type UpstreamLimits } from '../../domain/source/upstream-limits.ts'
import { type Delivery, type Feed, GuardError, isRejected, type Rejected } from '../feed.ts'
import {
  COMMON_GUARDS,
  checkRejections,
  type DeliveryStats,
  findRefusal,
  formatRefusal,
  TOO_MANY_NEW_RECORDS,
  TOO_MANY_REJECTIONS,
} from '../guard.ts'
import type { DeliveryScope, MergeCounts } from '../store.ts'
import { countRejection, type DeliveryCounters, type RunCounters, toRunCounters, updateNewestTime } from './counters.ts'

export interface Progress {
  readonly feed: string
  readonly delivery: string
  /** `storing`: all records of the delivery were read and the database is merging them. */
  readonly phase: 'reading' | 'storing'
  readonly read: number
  readonly bytes?: { readonly done: number; readonly total: number }
}

export interface DeliveryDependencies {
  readonly session: Session
  readonly clock: Clock
  /** Names of the guards (sanity checks) that the operator allows to fail. */
  readonly allowed: ReadonlySet<string>
  readonly signal: AbortSignal
  /** The run in source.feed_run; undefined for a dry run. */
  readonly runId?: string
  onProgress?(progress: Progress): void
  notice(sentence: string): void
}

/** Called inside the transaction before the commit. If it throws, the delivery is rolled back. */
export type OnStored = (
  tx: Transaction<unknown>,
  stored: { readonly counters: RunCounters; readonly merged: MergeCounts },
) => Promise<void>

const PROGRESS_INTERVAL_RECORDS = 500
const COPY_CHUNK_CHARACTERS = 64 * 1024
/** With fewer stored records than this, there is no notice when most of them change. */
const MIN_ROWS_FOR_MASS_CHANGE = 1000

export async function storeDelivery(
  feed: Feed,
  delivery: Delivery<unknown>,
  counters: DeliveryCounters,
  dependencies: DeliveryDependencies & { readonly onStored: OnStored },
): Promise<void> {
  const { session, signal } = dependencies
  await session.db.transaction().execute(async (tx) => {
    // Without this setting, PostgreSQL would finish the merge of a process that has died, and hold its locks until
    // then.
    await sql`set local client_connection_check_interval = '5s'`.execute(tx)
    await feed.store.createStaging(tx)
    await session.copyInto(tx, feed.store.copyTarget, toCopyLines(feed, delivery, counters, dependencies))
    signal.throwIfAborted()
    const done = delivery.bytes?.own ?? 0
    dependencies.onProgress?.(toProgress(feed, delivery, 'storing', { read: counters.read, done }))
    const now = dependencies.clock()
    const { runId } = dependencies
    const stats = addUnlisted(await feed.store.computeStats(tx, toScope(delivery, counters, now)), delivery)
    for (const each of stats.unusable ?? []) countRejection(counters, delivery.label, each)
    const allowed = delivery.isFirst ? new Set([...dependencies.allowed, TOO_MANY_NEW_RECORDS]) : dependencies.allowed
    assertGuardsPass(feed, delivery, { counters, stats, allowed })
    for (const each of collectNotices(delivery, stats, counters)) dependencies.notice(each)
    const scope = toScope(delivery, counters, now)
    const merged = await feed.store.merge(tx, runId === undefined ? scope : { ...scope, runId })
    await dependencies.onStored(tx, { merged, counters: toRunCounters(counters, stats, merged) })
  })
}

function toScope({ kind, slice }: Delivery<unknown>, { rejections }: DeliveryCounters, now: Date): DeliveryScope {
  return { kind, now, rejected: rejections.map(({ subject }) => subject), ...(slice && { slice }) }
}

async function* toCopyLines(
  feed: Feed,
  delivery: Delivery<unknown>,
  counters: DeliveryCounters,
  dependencies: DeliveryDependencies,
): AsyncGenerator<string> {
  const [now, limits] = [dependencies.clock(), findUpstreamLimits(feed.name)]
  let [chunk, done] = ['', 0]
  const onBytes = (count: number) => {
    done += count
  }
  for await (const reading of delivery.records(onBytes)) {
    dependencies.signal.throwIfAborted()
    counters.read += 1
    const read = isRejected(reading) ? reading : normaliseWithinLimits(feed, reading.raw, limits, now)
    if (isRejected(read)) countRejection(counters, delivery.label, read)
    else {
      chunk += formatCopyLine(feed.store.toCopyValues(read.row, read.truncated))
      updateNewestTime(counters, feed.store.readTime?.(read.row) ?? null)
      if (read.truncated.length > 0) counters.truncated += 1
    }
    if (counters.read % PROGRESS_INTERVAL_RECORDS === 0)
      dependencies.onProgress?.(toProgress(feed, delivery, 'reading', { read: counters.read, done }))
    if (chunk.length < COPY_CHUNK_CHARACTERS) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

/** Truncates long texts and lists in the record before the feed converts it to a row (decision E42). */
function normaliseWithinLimits(
  feed: Feed,
  raw: unknown,
  limits: UpstreamLimits,
  now: Date,
): { readonly row: unknown; readonly truncated: readonly string[] } | Rejected {
  const { record, truncated, excess } = limitRecord(raw, limits)
  const row = feed.normalise(record, now)
  if (isRejected(row)) return row
  return excess === undefined
    ? { row, truncated }
    : { rejected: feed.store.describeRow?.(row) ?? 'a record', reason: excess }
}

/** A delta lacks records by nature; those that upstream's index no longer lists are missing nevertheless. */
function addUnlisted(stats: DeliveryStats, { unlisted }: Delivery<unknown>): DeliveryStats {
  return unlisted === undefined ? stats : { ...stats, missing: unlisted.missing, existing: unlisted.of }
}

interface GuardInput {
  readonly counters: DeliveryCounters
  readonly stats: DeliveryStats
  readonly allowed: ReadonlySet<string>
}

function assertGuardsPass(
  feed: Feed,
  { isPerDocument }: Delivery<unknown>,
  { counters: { read, rejected }, stats, allowed }: GuardInput,
): void {
  const rejections = allowed.has(TOO_MANY_REJECTIONS) ? undefined : checkRejections(read, rejected, isPerDocument)
  const refusal = rejections
    ? formatRefusal(rejections, TOO_MANY_REJECTIONS)
    : findRefusal([...COMMON_GUARDS, ...feed.guards], stats, allowed)
  if (refusal) throw new GuardError(refusal)
}

function collectNotices(
  { label, kind }: Delivery<unknown>,
  stats: DeliveryStats,
  { truncated }: DeliveryCounters,
): string[] {
  const { changed, existing, missing, older = 0, changedWithoutNewDate = 0 } = stats
  const isMassChange = existing >= MIN_ROWS_FOR_MASS_CHANGE && changed * 2 > existing
  return [
    ...(isMassChange ? [`${label}: ${changed} of ${existing} stored records changed at once`] : []),
    ...(missing > 0 ? [`${label}: ${missing} of ${existing} stored records are missing from the delivery`] : []),
    // A snapshot (a delivery of all records) is hours old when it is published, so it always contains some older
    // records.
    ...(older > 0 && kind === 'delta'
      ? [`${label}: ${older} records are older than the stored ones and were skipped`]
      : []),
    ...(truncated > 0
      ? [`${label}: ${truncated} records have texts or lists that were cut, because they are too long`]
      : []),
    ...(changedWithoutNewDate > 0 ? [`${label}: ${changedWithoutNewDate} records changed without a new date`] : []),
  ]
}

function toProgress(
  feed: Feed,
  { label, bytes }: Delivery<unknown>,
  phase: Progress['phase'],
  { read, done }: { readonly read: number; readonly done: number },
): Progress {
  const share = bytes && { done: bytes.before + Math.min(done, bytes.own), total: bytes.total }
  return { feed: feed.name, delivery: label, phase, read, ...(share && { bytes: share }) }
}
