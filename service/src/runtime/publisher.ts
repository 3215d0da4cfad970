// Publishes what waits for it, again and again, beside the feeds of a worker. State is in the queue alone: a publisher that
// dies leaves it as it was, and any number of them may run.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Publication, publish } from '../catalog/publish/publish.ts'
import type { Config } from '../config.ts'
import { openSession } from '../database/session.ts'
import { systemClock } from '../domain/clock.ts'
import type { Log } from '../log.ts'
import type { WorkerMetrics } from './worker-metrics.ts'

/** A change is to be served soon after it was fetched; looking costs a few small queries. */
const LOOK_EVERY_MS = 2000

/** Never rejects; ends when the signal does. */
export async function startPublisher(
  config: Config,
  { log, metrics, signal }: { readonly log: Log; readonly metrics: WorkerMetrics; readonly signal: AbortSignal },
): Promise<void> {
  const session = openSession(config.database.writeUrl, 'catalog')
  while (!signal.aborted) {
    try {
      const publication = await publish({ session, clock: systemClock, signal })
      metrics.countPublication(publication)
      report(publication, log)
    } catch (err) {
      metrics.countFailedPublication()
      log.error({ err }, 'the catalog could not be published; what is served stays as it is')
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
  }
  await session.close()
}

function report(publication: Publication, log: Log): void {
  const { added, changed, removed, setAside, epss } = publication
  if (setAside > 0) log.warn({ setAside }, 'CVEs could not be concluded; catalog.publication_fault says why')
  if (added + changed + removed > 0 || epss !== undefined) log.info(publication, 'the catalog was published')
}
