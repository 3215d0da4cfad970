// One delivery, in one transaction: read, normalise, stage, guard, merge; and the caller's records with it.
import { sql, type Transaction } from 'kysely'
import { copyLine } from '../../database/copy-line.ts'
import type { Session } from '../../database/session.ts'
import type { Clock } from '../../domain/clock.ts'
import { type Delivery, type Feed, GuardError, isRejected } from '../feed.ts'
import {
  complaintAboutRejections,
  GUARDS_OF_EVERY_FEED,
  inWords,
  type Measure,
  REFUSE_FLOOD,
  REFUSE_REJECTIONS,
  refusal,
} from '../guard.ts'
import type { Merged, Scope } from '../store.ts'
import { type Counts, counted, type DeliveryTally, reject } from './counters.ts'

export interface Progress {
  readonly feed: string
  readonly delivery: string
  /** `storing`: everything is read, the database is busy. */
  readonly phase: 'reading' | 'storing'
  /** Records of the run so far. */
  readonly read: number
  readonly bytes?: { readonly done: number; readonly total: number }
}

export interface DeliveryTools {
  readonly session: Session
  readonly clock: Clock
  readonly allowed: ReadonlySet<string>
  readonly signal: AbortSignal
  onProgress?(progress: Progress): void
  notice(sentence: string): void
}

interface Stored {
  readonly counts: Counts
  readonly merged: Merged
}

/** The last word before the commit; what it throws undoes everything. */
export type Conclude = (tx: Transaction<unknown>, stored: Stored) => Promise<void>

const PROGRESS_EVERY_RECORDS = 500
const COPY_CHUNK_CHARACTERS = 64 * 1024
/** From here on a change of most records is worth an operator's look. */
const MIN_ROWS_FOR_MASS_CHANGE = 1000

export async function storeDelivery(
  feed: Feed,
  delivery: Delivery<unknown>,
  tally: DeliveryTally,
  tools: DeliveryTools & { readonly conclude: Conclude },
): Promise<void> {
  const { session, signal } = tools
  await session.db.transaction().execute(async (tx) => {
    await enableClientDisconnectCheck(tx)
    await feed.store.stage(tx)
    await session.copyInto(tx, feed.store.staging, lines(feed, delivery, tally, tools))
    signal.throwIfAborted()
    tools.onProgress?.(progressOf(feed, delivery, 'storing', { read: tally.read, done: delivery.bytes?.own ?? 0 }))
    const now = tools.clock()
    const measure = await feed.store.measure(tx, scopeOf(delivery, tally, now))
    for (const each of measure.unusable ?? []) reject(tally, delivery.label, each)
    const allowed = delivery.isFirst ? new Set([...tools.allowed, REFUSE_FLOOD]) : tools.allowed
    refuseWhatIsNotBelieved(feed, tally, measure, allowed)
    for (const each of remarks(delivery, measure)) tools.notice(each)
    const merged = await feed.store.merge(tx, scopeOf(delivery, tally, now))
    await tools.conclude(tx, { merged, counts: counted(tally, measure, merged) })
  })
}

/** Without it PostgreSQL would finish a merge, and keep its locks until then, for a process that is no more. */
async function enableClientDisconnectCheck(tx: Transaction<unknown>): Promise<void> {
  await sql`set local client_connection_check_interval = '5s'`.execute(tx)
}

function scopeOf({ kind, slice }: Delivery<unknown>, { kept }: DeliveryTally, now: Date): Scope {
  return { kind, now, rejected: kept.map(({ subject }) => subject), ...(slice && { slice }) }
}

/** The records of a delivery as COPY takes them; what cannot be used is counted on the way. */
async function* lines(
  feed: Feed,
  delivery: Delivery<unknown>,
  tally: DeliveryTally,
  tools: DeliveryTools,
): AsyncGenerator<string> {
  const now = tools.clock()
  let [chunk, done] = ['', 0]
  const onBytes = (count: number) => {
    done += count
  }
  for await (const reading of delivery.records(onBytes)) {
    tools.signal.throwIfAborted()
    tally.read += 1
    const row = isRejected(reading) ? reading : feed.normalise(reading.raw, now)
    if (isRejected(row)) reject(tally, delivery.label, row)
    else chunk += copyLine(feed.store.values(row))
    if (tally.read % PROGRESS_EVERY_RECORDS === 0)
      tools.onProgress?.(progressOf(feed, delivery, 'reading', { read: tally.read, done }))
    if (chunk.length < COPY_CHUNK_CHARACTERS) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

function refuseWhatIsNotBelieved(
  feed: Feed,
  tally: DeliveryTally,
  measure: Measure,
  allowed: ReadonlySet<string>,
): void {
  const rejections = allowed.has(REFUSE_REJECTIONS) ? undefined : complaintAboutRejections(tally.read, tally.rejected)
  const complaint = rejections
    ? inWords(rejections, REFUSE_REJECTIONS)
    : refusal([...GUARDS_OF_EVERY_FEED, ...feed.guards], measure, allowed)
  if (complaint) throw new GuardError(complaint)
}

/** What is no reason to refuse, but an operator may want to know. */
function remarks({ label, kind }: Delivery<unknown>, measure: Measure): string[] {
  const { changed, existing, vanished, older = 0, changedSilently = 0 } = measure
  const isMassChange = existing >= MIN_ROWS_FOR_MASS_CHANGE && changed * 2 > existing
  return [
    ...(isMassChange ? [`${label}: ${changed} of ${existing} records changed at once`] : []),
    ...(vanished > 0 ? [`${label} lacks ${vanished} of the ${existing} records we have`] : []),
    // A snapshot is hours old when it comes out: deltas have overtaken it every time.
    ...(older > 0 && kind === 'delta' ? [`${label}: ${older} records are older than ours and were left out`] : []),
    ...(changedSilently > 0 ? [`${label}: ${changedSilently} records changed without a new date`] : []),
  ]
}

function progressOf(
  feed: Feed,
  { label, bytes }: Delivery<unknown>,
  phase: Progress['phase'],
  { read, done }: { readonly read: number; readonly done: number },
): Progress {
  const share = bytes && { done: bytes.before + Math.min(done, bytes.own), total: bytes.total }
  return { feed: feed.name, delivery: label, phase, read, ...(share && { bytes: share }) }
}
