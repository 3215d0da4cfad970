// A feed, in one function: lease → fetch → parse → normalise → guard → upsert → record.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { classifyDatabaseError } from '../../database/classify-error.ts'
import type { Database } from '../../database/postgres.ts'
import type { Session } from '../../database/session.ts'
import type { Download } from '../download.ts'
import { type Delivery, type Feed, FeedError, GuardError, LeaseLostError, NoFilesError, StoppedError } from '../feed.ts'
import { printable } from '../sanitize-text.ts'
import { type Counts, type DeliveryTally, NO_COUNTS, newTally, sum } from './counters.ts'
import { renewLease, findLeaseHolder, acquireLease } from './lease.ts'
import { beginRun, type OpenRun, type Outcome, recordDelivery, recordFailure, recordSuccess } from './run-log.ts'
import { type Conclude, type DeliveryTools, storeDelivery } from './store-delivery.ts'

const MAX_NOTICE_LENGTH = 500
const MAX_ERROR_LENGTH = 1000
/** Longer than a commit takes, and shorter than a supervisor waits before it kills. */
const ABANDON_AFTER_MS = 5000

export interface RunTools extends Omit<DeliveryTools, 'notice'> {
  /** For leases and records, while the session is busy. */
  readonly control: Database
  openDownload(signal: AbortSignal): Download
  /** Who runs it, for those who have to wait. */
  readonly holder: string
  /** The directory to read from instead of the network. */
  readonly from: string | undefined
}

export interface RunReport extends Counts {
  readonly feed: string
  /** `busy`: somebody else runs it just now. */
  readonly outcome: Outcome | 'busy'
  readonly fault: string | null
  readonly notices: readonly string[]
}

/** What a run has come to so far. */
interface RunState {
  total: Counts
  /** Of the delivery that is being read. */
  current: DeliveryTally
  readonly notices: string[]
}

export async function runFeed(feed: Feed, tools: RunTools): Promise<RunReport> {
  const lease = await acquireLease(tools.control, feed.name, tools.holder)
  if (!lease) return busy(feed, await findLeaseHolder(tools.control, feed.name))
  const keeping = renewLease(tools.control, lease)
  const signal = AbortSignal.any([keeping.signal, tools.signal])
  const forget = abandonLate(tools.session, signal)
  try {
    const origin = tools.from === undefined ? 'network' : 'directory'
    const run = await beginRun(tools.control, lease, origin, tools.clock())
    return await takeOver(feed, run, { ...tools, signal })
  } finally {
    forget()
    keeping.stop()
  }
}

/** A statement in flight does not hear a signal: shortly after it, the connection goes. */
function abandonLate(session: Session, signal: AbortSignal): () => void {
  let timer: NodeJS.Timeout | undefined
  const begin = () => {
    timer = setTimeout(() => session.abandon(), ABANDON_AFTER_MS)
  }
  signal.addEventListener('abort', begin, { once: true })
  return () => {
    signal.removeEventListener('abort', begin)
    clearTimeout(timer)
  }
}

/** Everything but the commit: what a run would do. It needs no lease and leaves no record. */
export async function rehearseFeed(feed: Feed, tools: RunTools, cursor: unknown): Promise<RunReport> {
  const state = newState()
  const rolledBack = new Error('a rehearsal is never committed')
  try {
    await eachDelivery(feed, { ...tools, cursor }, state, async (delivery, shared) => {
      const conclude: Conclude = async (_tx, { counts }) => {
        state.total = sum(state.total, counts)
        throw rolledBack
      }
      await storeDelivery(feed, delivery, state.current, { ...shared, conclude }).catch(unless(rolledBack))
    })
    return report(feed, state, 'succeeded', null)
  } catch (error) {
    return report(feed, state, outcomeOf(error), inWords(error))
  }
}

async function takeOver(feed: Feed, run: OpenRun, tools: RunTools): Promise<RunReport> {
  const state = newState()
  try {
    await eachDelivery(feed, { ...tools, cursor: run.lease.cursor }, state, async (delivery, shared) => {
      let total = state.total
      const conclude: Conclude = async (tx, { counts, merged }) => {
        total = sum(state.total, counts)
        await recordDelivery(tx, run, delivery, { total, merged, rejections: state.current.kept })
      }
      await storeDelivery(feed, delivery, state.current, { ...shared, conclude })
      state.total = total
    })
    await recordSuccess(tools.control, run, feed, { now: tools.clock(), notices: state.notices })
    return report(feed, state, 'succeeded', null)
  } catch (error) {
    // Whatever the interruption looked like from where it struck.
    return concludeFailure(tools.signal.aborted ? tools.signal.reason : error, { feed, run, tools, state })
  }
}

/** Asks the feed for deliveries, one after another, in a folder of its own that is gone afterwards. */
async function eachDelivery(
  feed: Feed,
  tools: RunTools & { readonly cursor: unknown },
  state: RunState,
  store: (delivery: Delivery<unknown>, shared: DeliveryTools) => Promise<void>,
): Promise<void> {
  const spool = await mkdtemp(join(tmpdir(), `vis-${feed.name}-`))
  const notice = (sentence: string) => void state.notices.push(printable(sentence, MAX_NOTICE_LENGTH))
  const shared: DeliveryTools = {
    ...tools,
    notice,
    onProgress: (progress) => tools.onProgress?.({ ...progress, read: state.total.read + progress.read }),
  }
  const { cursor, from, signal } = tools
  const download = tools.openDownload(signal)
  try {
    for await (const delivery of feed.fetch({ cursor, from, download, signal, spool, notice, now: tools.clock() })) {
      state.current = newTally()
      await store(sanitizeDelivery(delivery, tools.clock()), shared)
      state.current = newTally()
    }
    signal.throwIfAborted()
  } finally {
    await rm(spool, { recursive: true, force: true })
  }
}

/** Its name and date are upstream's, too: neither control characters nor a year 2099 shall stay with us. */
function sanitizeDelivery(delivery: Delivery<unknown>, now: Date): Delivery<unknown> {
  const { label, upstreamAt } = delivery
  const isFuture = upstreamAt !== undefined && upstreamAt > now
  return { ...delivery, label: printable(label), upstreamAt: isFuture ? now : upstreamAt }
}

interface Failed {
  readonly feed: Feed
  readonly run: OpenRun
  readonly tools: RunTools
  readonly state: RunState
}

/** What was stored before stays stored; what was being read is gone, and said so. */
async function concludeFailure(error: unknown, { feed, run, tools, state }: Failed): Promise<RunReport> {
  const { read, rejected, kept } = state.current
  const total = sum(state.total, { ...NO_COUNTS, read, rejected })
  const outcome = outcomeOf(error)
  const failed = { ...report(feed, { ...state, total }, outcome, inWords(error)) }
  const now = tools.clock()
  try {
    await recordFailure(tools.control, run, feed, { ...failed, outcome, now, total, rejections: kept })
    return failed
  } catch (unrecorded) {
    return { ...failed, fault: `${failed.fault} This could not be recorded: ${inWords(unrecorded)}` }
  }
}

function outcomeOf(error: unknown): Exclude<Outcome, 'succeeded'> {
  if (error instanceof LeaseLostError) return 'fenced'
  if (error instanceof GuardError) return 'refused'
  if (error instanceof StoppedError) return 'stopped'
  return error instanceof NoFilesError ? 'absent' : 'failed'
}

/** Upstream's own words may be in it. */
function inWords(error: unknown): string {
  return printable(wordsFor(error), MAX_ERROR_LENGTH)
}

function wordsFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof FeedError) return error.message
  if (classifyDatabaseError(error) === 'mistake') return `An unexpected failure, which is ours to mend: ${error.message}`
  return `PostgreSQL could not be used (${error.message}). The run will be tried again.`
}

function newState(): RunState {
  return { total: NO_COUNTS, current: newTally(), notices: [] }
}

function report(feed: Feed, state: RunState, outcome: RunReport['outcome'], fault: string | null): RunReport {
  return { feed: feed.name, outcome, fault, notices: state.notices, ...state.total }
}

function busy(feed: Feed, holder: string | undefined): RunReport {
  const who = holder === undefined ? 'somebody else' : holder
  return report(feed, newState(), 'busy', `${feed.name} is being run by ${who} just now.`)
}

function unless(expected: Error): (error: unknown) => void {
  return (error) => {
    if (error !== expected) throw error
  }
}
