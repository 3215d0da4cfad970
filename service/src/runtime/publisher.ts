// Publishes queued changes in a loop, in the same process as the feeds of a worker. All state is in the database queue:
// after a crash the next publisher continues, and several publishers may run at once.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Publication, publish } from '../catalog/publish/publish.ts'
import { describeUrgentShare, isShareTooLarge } from '../catalog/publish/urgent-share.ts'
import type { Config } from '../config.ts'
import { openSession } from '../database/session.ts'
import { systemClock } from '../domain/clock.ts'
import type { Log } from '../log.ts'
import type { WorkerMetrics } from './worker-metrics.ts'

/** A poll costs only a few small queries, and changes should be served soon. */
const POLL_INTERVAL_MS = 2000

/** The promise never rejects. */
export async function startPublisher(
  config: Config,
  { log, metrics, signal }: { readonly log: Log; readonly metrics: WorkerMetrics; readonly signal: AbortSignal },
): Promise<void> {
  const session = openSession(config.database.writeUrl, 'catalog')
  while (!signal.aborted) {
    try {
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
  const { added, changed, removed, setAside, epss, urgentShare } = publication
  if (setAside > 0) log.warn({ setAside }, 'CVEs could not be resolved; the reasons are in catalog.publication_fault')
  if (urgentShare && isShareTooLarge(urgentShare)) log.warn(urgentShare, describeUrgentShare(urgentShare))
  if (added + changed + removed > 0 || epss !== undefined) log.info(publication, 'catalog published')
}
