// Keeps a copy of the catalog: loads a snapshot, applies the changes after it, and waits for further changes. If the
// change log cannot continue from the copy's position, starts again with a snapshot.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, isVisError, type Snapshot } from 'vis-sdk'
import { getErrorMessage } from '../command.ts'
import { findCheaperSnapshot, toSeq } from './cheaper-snapshot.ts'
import { MirrorError } from './error.ts'
import { loadSnapshot } from './load-snapshot.ts'
import type { Report } from './report.ts'
import type { Store } from './store.ts'

export interface MirrorOptions {
  /** Stops as soon as the copy is up to date. */
  readonly isOnce: boolean
  /** Delay between a change and reading the changed records, so that one call reads many of them. */
  readonly collectMs: number
  /** Loads a new snapshot after an EPSS release. */
  readonly refreshesEpss: boolean
}

interface Mirror {
  readonly client: Client
  readonly store: Store
  readonly options: MirrorOptions
  readonly report: Report
  readonly signal: AbortSignal
}

/** A page has at most 500 changes, and the service counts at most 100,000 changes per call. */
const MAX_UNPROVEN_PAGES = 150
/** How many times in a row the service may report a position or snapshot as unknown that it has just named. */
const MAX_GONE = 3
const MAX_RETRY_SECONDS = 60
/** How often the list of snapshots is read while the copy lacks the scores of a new EPSS release. */
const SNAPSHOT_POLL_MS = 15 * 60 * 1000

/** Resolves when the copy is up to date and `isOnce` is set. Rejects with the reason of the signal when it aborts. */
export async function runMirror(mirror: Mirror): Promise<void> {
  let [gone, failures, hasChange] = [0, 0, false]
  for (;;) {
    try {
      const round = await runRound(mirror, hasChange)
      if (round === 'done') return
      ;[gone, failures, hasChange] = [0, 0, round === 'changed']
    } catch (error) {
      mirror.signal.throwIfAborted()
      if (isVisError(error, 'GONE') && gone < MAX_GONE) {
        gone += 1
        mirror.report.copyBeginsAgain(error.parameter === 'since' ? 'position' : 'snapshot')
        mirror.store.forgetPosition()
      } else if (!mirror.options.isOnce && isTransient(error)) {
        failures += 1
        await pauseAfterFailure(mirror, error, failures)
      } else throw error
    }
  }
}

/**
 * Brings the copy up to date and waits for a change. `hasChange`: the log is known to have a change after the position.
 * Returns `done` if the copy is up to date and should stop there, and `changed` if the log has a further change.
 */
async function runRound(mirror: Mirror, hasChange: boolean): Promise<'done' | 'changed' | 'unknown'> {
  const { client, store, options, report } = mirror
  if (store.readState().position === undefined) await beginCopy(mirror)
  const changed = hasChange || (await findChange(mirror)) ? await applyChanges(mirror) : await prove(mirror)
  const { epssRelease, position = '' } = store.readState()
  const snapshot = options.refreshesEpss && epssRelease !== undefined ? await findNewest(mirror) : undefined
  if (snapshot && epssRelease !== undefined && toSeq(snapshot.next_since) >= epssRelease) {
    await loadSnapshot(client, store, snapshot, mirror)
    return 'unknown'
  }
  report.upToDate({ records: store.countRecords(), position, changed, isEpssOld: epssRelease !== undefined })
  if (options.isOnce) return 'done'
  return (await waitForChange(mirror, position)) ? 'changed' : 'unknown'
}

/** Returns whether the log has a change after the position. This call costs a tenth of one that returns records. */
async function findChange({ client, store, signal }: Mirror): Promise<boolean> {
  const { changes } = await client.changes(store.readState().position ?? '', { cause: 'all', limit: 1, signal })
  return changes.length > 0
}

async function findNewest({ client, signal }: Mirror): Promise<Snapshot | undefined> {
  const [newest] = await client.snapshots({ signal })
  return newest
}

/**
 * Loads the newest snapshot. If there is none, the copy starts from the change log, provided that the log is complete.
 */
async function beginCopy(mirror: Mirror): Promise<void> {
  const { client, store, report, signal } = mirror
  const newest = await findNewest(mirror)
  if (newest) return loadSnapshot(client, store, newest, mirror)
  report.logBegins()
  try {
    store.applyPage(await client.changedRecords('start', { signal }), true)
  } catch (error) {
    if (!isVisError(error, 'GONE')) throw error
    throw new MirrorError(
      'The service has no snapshot, and its change log does not reach back to the first record.',
      'Operators of the service make a snapshot with: vis-server catalog snapshot. Then run the same command again.',
    )
  }
}

/** Applies all changes after the position. Returns the number of changed CVEs after checking it with the service. */
async function applyChanges(mirror: Mirror): Promise<number> {
  const { client, store, report, signal } = mirror
  let changed = 0
  for (;;) {
    const page = await client.changedRecords(store.readState().position ?? '', { signal })
    if (page.records.length > 0 || page.dataset_changes.length > 0) {
      store.applyPage(page, false)
      report.pageApplied()
    }
    const cheaper = page.has_more ? await findCheaperSnapshot(client, page.next_since, signal) : undefined
    if (cheaper !== undefined) {
      report.snapshotIsCheaper()
      await loadSnapshot(client, store, cheaper, mirror)
      continue
    }
    if (!page.has_more || store.readState().unprovenPages >= MAX_UNPROVEN_PAGES) changed += await prove(mirror)
    if (!page.has_more) return changed
  }
}

/**
 * Compares the number of distinct CVEs among the applied changes with the service's count. If they differ, the copy
 * goes back to the last proven position, so that a missing change is always noticed.
 */
async function prove({ client, store, signal }: Mirror): Promise<number> {
  const { proven = 'start', position, unprovenPages, unprovenCves } = store.readState()
  if (unprovenPages === 0 || position === undefined) return 0
  const { cves_total: cves } = await client.changeSummary(proven, { until: position, signal })
  if (cves !== unprovenCves) {
    if (proven === 'start') store.forgetPosition()
    else store.goBackToProven()
    throw new MirrorError(
      `The copy has ${unprovenCves} of the ${cves} CVEs that changed between ${proven} and ${position}.`,
      'Run the same command again: it applies these changes again. If it fails again, tell the operators of the service.',
    )
  }
  store.markProven()
  return cves
}

/**
 * Waits until the log has a change after the position, and then for further ones. Returns false if there may be a newer
 * snapshot first.
 */
async function waitForChange({ client, store, options, signal }: Mirror, position: string): Promise<boolean> {
  const looksForSnapshots = options.refreshesEpss && store.readState().epssRelease !== undefined
  const timeout = looksForSnapshots ? AbortSignal.timeout(SNAPSHOT_POLL_MS) : undefined
  const either = timeout ? AbortSignal.any([signal, timeout]) : signal
  try {
    for await (const _page of client.followChanges(position, { cause: 'all', limit: 1, signal: either })) break
  } catch (error) {
    if (timeout?.aborted && !signal.aborted) return false
    throw error
  }
  if (options.collectMs > 0) await sleep(options.collectMs, undefined, { signal })
  return true
}

/** Returns whether the same call may succeed later. */
function isTransient(error: unknown): boolean {
  if (!isVisError(error)) return false
  return error.status === 0 || error.status >= 500 || error.code === 'RATE_LIMIT_EXCEEDED'
}

async function pauseAfterFailure({ report, signal }: Mirror, error: unknown, failures: number): Promise<void> {
  const asked = isVisError(error) ? (error.retryAfter ?? 0) : 0
  const seconds = Math.min(MAX_RETRY_SECONDS, Math.max(asked, 2 ** (failures - 1)))
  report.retries(getErrorMessage(error), seconds)
  await sleep(seconds * 1000, undefined, { signal })
}
