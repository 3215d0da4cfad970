// Makes a snapshot of the catalog each night, in the same process as a worker's feeds, and then deletes old rows of the
// change log. All state is in the database: several workers may run, and one of them makes the snapshot.
import { setTimeout as sleep } from 'node:timers/promises'
import { deleteExpiredChanges } from '../catalog/changes/retention.ts'
import { makeSnapshot, type SnapshotContext } from '../catalog/snapshot/make.ts'
import { isSnapshotDue } from '../catalog/snapshot/schedule.ts'
import { readSnapshotPositions } from '../catalog/snapshot/status.ts'
import type { Config } from '../config.ts'
import { openSession } from '../database/session.ts'
import { systemClock } from '../domain/clock.ts'
import type { Log } from '../log.ts'
import type { WorkerMetrics } from './worker-metrics.ts'

const POLL_INTERVAL_MS = 60_000
/**
 * Pause after a failure. Each attempt writes up to the size of a snapshot, so frequent attempts would fill the WAL
 * disk.
 */
const RETRY_INTERVAL_MS = 15 * 60_000

interface SnapshotDependencies {
  readonly log: Log
  readonly metrics: WorkerMetrics
  readonly signal: AbortSignal
}

/** The promise never rejects. */
export async function startSnapshots(config: Config, dependencies: SnapshotDependencies): Promise<void> {
  if (!config.snapshots.isOn) return
  const { log, metrics, signal } = dependencies
  const session = openSession(config.database.writeUrl, 'snapshot')
  const context = { session, clock: systemClock, signal }
  while (!signal.aborted) {
    let pauseMs = POLL_INTERVAL_MS
    try {
      await makeIfDue(context, config.snapshots.hour, log)
    } catch (err) {
      if (signal.aborted) break
      metrics.countFailedSnapshot()
      log.error({ err }, 'making a snapshot of the catalog failed; the earlier snapshots are unchanged')
      pauseMs = RETRY_INTERVAL_MS
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
  }
  await session.close()
}

/** Makes a snapshot if one is due, and deletes the rows of the change log that no kept snapshot needs any longer. */
export async function makeIfDue(context: SnapshotContext, hour: number, log: Log): Promise<void> {
  const startedAt = performance.now()
  const made = await makeSnapshot(context, (db) => isSnapshotDue(db, context.clock(), hour))
  if (made === undefined) return
  log.info({ ...made, seconds: Math.round((performance.now() - startedAt) / 1000) }, 'snapshot of the catalog made')
  const deleted = await deleteExpiredChanges(context, await readSnapshotPositions(context.session.db))
  if (deleted > 0) log.info({ deleted }, 'old rows of the change log deleted')
}
