// Runs a feed: acquires the lease, fetches deliveries (files or pages of the upstream), stores each delivery in its own
// transaction, and records the outcome.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { classifyDatabaseError } from '../../database/classify-error.ts'
import type { Database } from '../../database/postgres.ts'
import type { Session } from '../../database/session.ts'
import { clampToNow } from '../clock-skew.ts'
import type { Download } from '../download.ts'
import { type Delivery, type Feed, FeedError, GuardError, LeaseLostError, NoFilesError, StoppedError } from '../feed.ts'
import { sanitizeText } from '../sanitize-text.ts'
import { findAsOf } from './as-of.ts'
import {
  addCounters,
  createDeliveryCounters,
  type DeliveryCounters,
  type RunCounters,
  ZERO_COUNTERS,
} from './counters.ts'
import { findExtent } from './extent.ts'
import { acquireLease, findLeaseHolder, renewLease } from './lease.ts'
import { type OpenRun, type Outcome, recordDelivery, recordFailure, recordSuccess, startRun } from './run-log.ts'
import { type DeliveryDependencies, type OnStored, storeDelivery } from './store-delivery.ts'
import { readUpstreamCount } from './upstream-counts.ts'

const MAX_NOTICE_LENGTH = 500
const MAX_ERROR_LENGTH = 1000
/** Longer than a commit takes, and shorter than the time after which a supervisor kills the process. */
const CLOSE_CONNECTION_AFTER_MS = 5000

export interface RunDependencies extends Omit<DeliveryDependencies, 'notice' | 'runId'> {
  /** Connections for leases and the run log: `session` is busy while it stores a delivery (one file or page). */
  readonly control: Database
  openDownload(signal: AbortSignal): Download
  /** Name under which this worker holds a lease, for messages to other workers that have to wait. */
  readonly holder: string
  /** Directory from which the feed reads its files instead of downloading them. Undefined for a download. */
  readonly from: string | undefined
  /** When the files in the directory were collected from upstream; undefined if nobody knows. */
  readonly collectedAt?: Date | undefined
}

export interface RunReport extends RunCounters {
  readonly feed: string
  /** `busy`: another worker holds the feed's lease. */
  readonly outcome: Outcome | 'busy'
  readonly error: string | null
  readonly notices: readonly string[]
}

interface RunState {
  /** Counts of the deliveries (files or pages) that are stored. */
  total: RunCounters
  /** Counts of the delivery that is being read. */
  current: DeliveryCounters
  readonly notices: string[]
}

export async function runFeed(feed: Feed, dependencies: RunDependencies): Promise<RunReport> {
  const { control, holder, session } = dependencies
  const lease = await acquireLease(control, feed.name, holder)
  if (!lease) return reportBusy(feed, await findLeaseHolder(control, feed.name))
  const renewal = renewLease(control, lease)
  const signal = AbortSignal.any([renewal.signal, dependencies.signal])
  const cancelClose = closeConnectionAfterAbort(session, signal)
  try {
    const origin = dependencies.from === undefined ? 'network' : 'directory'
    const run = await startRun(control, lease, { feed, origin, now: dependencies.clock() })
    return await ingest(feed, run, { ...dependencies, signal })
  } finally {
    cancelClose()
    renewal.stop()
  }
}

/** A running SQL statement does not notice the abort signal, so its connection is closed shortly afterwards. */
function closeConnectionAfterAbort(session: Session, signal: AbortSignal): () => void {
  let timer: NodeJS.Timeout | undefined
  const startTimer = () => {
    timer = setTimeout(() => session.abandon(), CLOSE_CONNECTION_AFTER_MS)
  }
  signal.addEventListener('abort', startTimer, { once: true })
  return () => {
    signal.removeEventListener('abort', startTimer)
    clearTimeout(timer)
  }
}

/** Rolls back instead of committing. A dry run needs no lease and records nothing. */
export async function dryRunFeed(feed: Feed, dependencies: RunDependencies, cursor: unknown): Promise<RunReport> {
  const state = createState()
  const rollback = new Error('a dry run is never committed')
  try {
    await forEachDelivery(feed, { ...dependencies, cursor }, state, async (delivery, shared) => {
      const onStored: OnStored = async (_tx, { counters }) => {
        state.total = addCounters(state.total, counters)
        throw rollback
      }
      await storeDelivery(feed, delivery, state.current, { ...shared, onStored }).catch((error: unknown) => {
        if (error !== rollback) throw error
      })
    })
    return createReport(feed, state, 'succeeded', null)
  } catch (error) {
    return createReport(feed, state, classifyError(error), describeError(error))
  }
}

async function ingest(feed: Feed, run: OpenRun, dependencies: RunDependencies): Promise<RunReport> {
  const state = createState()
  const { from, clock } = dependencies
  const collectedAt = from === undefined ? clock() : dependencies.collectedAt
  try {
    const stated = from === undefined ? undefined : await readUpstreamCount(from, feed.name)
    await forEachDelivery(feed, { ...dependencies, cursor: run.lease.cursor }, state, async (delivery, shared) => {
      let total = state.total
      const onStored: OnStored = async (tx, { counters, merged }) => {
        total = addCounters(state.total, counters)
        const { rejections, newestAt } = state.current
        const asOf = findAsOf({ ...delivery, ...(stated?.asOf && { deliveredAt: stated.asOf }) }, newestAt, clock())
        const extent = findExtent(delivery, { counters, merged }, stated)
        await recordDelivery(tx, run, { cursor: delivery.cursor, asOf, extent }, { total, merged, rejections })
      }
      await storeDelivery(feed, delivery, state.current, { ...shared, runId: run.id, onStored })
      state.total = total
    })
    await recordSuccess(dependencies.control, run, feed, { now: clock(), collectedAt, notices: state.notices })
    return createReport(feed, state, 'succeeded', null)
  } catch (error) {
    const { signal } = dependencies
    // After an abort, any error is a consequence of the abort, so the abort reason is reported instead.
    return reportFailure(signal.aborted ? signal.reason : error, { feed, run, dependencies, state })
  }
}

async function forEachDelivery(
  feed: Feed,
  dependencies: RunDependencies & { readonly cursor: unknown },
  state: RunState,
  store: (delivery: Delivery<unknown>, shared: DeliveryDependencies) => Promise<void>,
): Promise<void> {
  const spool = await mkdtemp(join(tmpdir(), `vis-${feed.name}-`))
  const notice = (sentence: string) => void state.notices.push(sanitizeText(sentence, MAX_NOTICE_LENGTH))
  const shared: DeliveryDependencies = {
    ...dependencies,
    notice,
    onProgress: (progress) => dependencies.onProgress?.({ ...progress, read: state.total.read + progress.read }),
  }
  const { cursor, from, signal, clock } = dependencies
  const download = dependencies.openDownload(signal)
  try {
    for await (const delivery of feed.fetch({ cursor, from, download, signal, spool, notice, now: clock() })) {
      state.current = createDeliveryCounters()
      await store(sanitizeDelivery(delivery, clock()), shared)
      state.current = createDeliveryCounters()
    }
    signal.throwIfAborted()
  } finally {
    await rm(spool, { recursive: true, force: true })
  }
}

/** Label and date come from upstream: control characters are removed, and a future date becomes now. */
function sanitizeDelivery(delivery: Delivery<unknown>, now: Date): Delivery<unknown> {
  const { label, upstreamAt } = delivery
  return { ...delivery, label: sanitizeText(label), upstreamAt: upstreamAt && clampToNow(upstreamAt, now) }
}

interface FailedRun {
  readonly feed: Feed
  readonly run: OpenRun
  readonly dependencies: RunDependencies
  readonly state: RunState
}

/** Deliveries stored before the failure are kept. Records of the failed one count as read, but not as written. */
async function reportFailure(cause: unknown, { feed, run, dependencies, state }: FailedRun): Promise<RunReport> {
  const { read, rejected, truncated, rejections } = state.current
  const total = addCounters(state.total, { ...ZERO_COUNTERS, read, rejected, truncated })
  const outcome = classifyError(cause)
  const report = createReport(feed, { ...state, total }, outcome, describeError(cause))
  const now = dependencies.clock()
  try {
    await recordFailure(dependencies.control, run, feed, { ...report, outcome, now, total, rejections })
    return report
  } catch (unrecorded) {
    return { ...report, error: `${report.error} The failure could not be recorded: ${describeError(unrecorded)}` }
  }
}

function classifyError(error: unknown): Exclude<Outcome, 'succeeded'> {
  if (error instanceof LeaseLostError) return 'fenced'
  if (error instanceof GuardError) return 'refused'
  if (error instanceof StoppedError) return 'stopped'
  return error instanceof NoFilesError ? 'absent' : 'failed'
}

/** Error messages may quote upstream text, so they are sanitized. */
function describeError(error: unknown): string {
  return sanitizeText(toMessage(error), MAX_ERROR_LENGTH)
}

function toMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof FeedError) return error.message
  if (classifyDatabaseError(error) === 'bug') return `Internal error: ${error.message}`
  return `PostgreSQL could not be used (${error.message}). The run will be retried.`
}

function createState(): RunState {
  return { total: ZERO_COUNTERS, current: createDeliveryCounters(), notices: [] }
}

function createReport(feed: Feed, state: RunState, outcome: RunReport['outcome'], error: string | null): RunReport {
  return { feed: feed.name, outcome, error, notices: state.notices, ...state.total }
}

function reportBusy(feed: Feed, holder: string | undefined): RunReport {
  return createReport(feed, createState(), 'busy', `${feed.name} is being run by ${holder ?? 'another worker'}.`)
}
