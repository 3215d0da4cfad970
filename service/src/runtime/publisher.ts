// Publishes queued changes in a loop, in the same process as the feeds of a worker. All state is in the database queue:
// after a crash the next publisher continues, and several publishers may run at once.
import { setTimeout as sleep } from 'node:timers/promises'
import { type ExpectedFeed, expectFeeds } from '../catalog/publish/first-load/first-load.ts'
import { type Publication, publish } from '../catalog/publish/publish.ts'
import { describeUrgentShare, isShareTooLarge } from '../catalog/publish/urgent-share.ts'
import type { Config } from '../config.ts'
import { openSession } from '../database/session.ts'
import { systemClock } from '../domain/clock.ts'
import type { Log } from '../log.ts'
import type { WorkerMetrics } from './worker-metrics.ts'

/** A poll costs only a few small queries, and changes should be served soon. */
const POLL_INTERVAL_MS = 2000

interface PublisherOptions {
  /** Feeds of this process, for which a first load waits. */
  readonly expected: readonly ExpectedFeed[]
  readonly log: Log
  readonly metrics: WorkerMetrics
  readonly signal: AbortSignal
}

/** The promise never rejects. */
export async function startPublisher(
  config: Config,
  { expected, log, metrics, signal }: PublisherOptions,
): Promise<void> {
  const session = openSession(config.database.writeUrl, 'catalog')
  let isExpecting = false
  while (!signal.aborted) {
    try {
      // Before the first publication, which could otherwise end a first load too early.
      if (!isExpecting) await expectFeeds(session.db, expected)
      isExpecting = true
      const publication = await publish({ session, clock: systemClock, signal })
      metrics.countPublication(publication)
      logPublication(publication, log)
    } catch (err) {
      metrics.countFailedPublication()
      log.error({ err }, 'publishing the catalog failed; the published data is unchanged')
    }
    await sleep(POLL_INTERVAL_MS, undefined, { signal }).catch(() => {})
  }
  await session.close()
}

function logPublication(publication: Publication, log: Log): void {
  const { added, changed, removed, setAside, epss, urgentShare, firstLoad } = publication
  if (setAside > 0) log.warn({ setAside }, 'CVEs could not be resolved; the reasons are in catalog.publication_fault')
  if (urgentShare && isShareTooLarge(urgentShare)) log.warn(urgentShare, describeUrgentShare(urgentShare))
  if (added + changed + removed > 0 || epss !== undefined) log.info(publication, 'catalog published')
  if (firstLoad === 'finished') log.info('the first load of the catalog is finished')
}
