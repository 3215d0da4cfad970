// Publishes queued changes from a command, on a dedicated connection and with a progress line.
import { type Publication, publish } from '../catalog/publish/publish.ts'
import { describeUrgentShare, isShareTooLarge } from '../catalog/publish/urgent-share.ts'
import type { Config } from '../config.ts'
import { openSession, type Session } from '../database/session.ts'
import { type Clock, systemClock } from '../domain/clock.ts'
import { formatInstant } from '../domain/instant.ts'
import { dateChanges } from './input/change-times.ts'
import { formatNumber } from './output/print.ts'
import type { Screen } from './output/progress.ts'
import { createPublishProgress } from './output/publish-progress.ts'

interface PublishOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly screen: Screen
  readonly work?: typeof publish
}

export async function publishNow(
  config: Config,
  { clock, signal, screen, work = publish }: PublishOptions,
): Promise<Publication> {
  const line = createPublishProgress(screen)
  try {
    return await withCatalogSession(config, async (session) => {
      const publication = await work({ session, clock, signal, onProgress: (progress) => line.show(progress) })
      if (clock !== systemClock) await dateChanges(session.db, formatInstant(clock()))
      return publication
    })
  } finally {
    line.clear()
  }
}

export async function withCatalogSession<T>(config: Config, work: (session: Session) => Promise<T>): Promise<T> {
  const session = openSession(config.database.writeUrl, 'catalog')
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}

export function describePublication(publication: Publication): string {
  const { added, changed, removed, setAside, epss, urgentShare, firstLoad } = publication
  if (firstLoad === 'waiting')
    return 'Nothing is published yet: the first load waits for the feeds nvd and cve, which teach product names. Show them: vis-server feeds'
  const scores = epss === undefined ? '' : `; ${formatNumber(epss)} EPSS scores changed`
  const failed =
    setAside === 0 ? '' : `; ${formatNumber(setAside)} could not be resolved (reasons: catalog.publication_fault)`
  const warning = urgentShare && isShareTooLarge(urgentShare) ? `; ${describeUrgentShare(urgentShare)}` : ''
  return `CVEs published: ${formatNumber(added)} new, ${formatNumber(changed)} changed, ${formatNumber(removed)} removed${scores}${failed}${warning}${firstLoad === undefined ? '' : FIRST_LOAD[firstLoad]}`
}

const FIRST_LOAD = {
  loading: '; the first load waits for other feeds. Show them: vis-server feeds',
  finished: '; the first load is finished',
}
