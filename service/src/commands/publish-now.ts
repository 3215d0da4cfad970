// Publishes what waits for it, with a connection of its own, and shows how far it has come.
import { type Publication, publish } from '../catalog/publish/publish.ts'
import type { Config } from '../config.ts'
import { openSession, type Session } from '../database/session.ts'
import type { Clock } from '../domain/clock.ts'
import { number } from './output/print.ts'
import { publishProgress } from './output/publish-progress.ts'

export async function publishNow(
  config: Config,
  clock: Clock,
  signal: AbortSignal,
  work: typeof publish = publish,
): Promise<Publication> {
  const line = publishProgress(process.stderr)
  try {
    return await withCatalogSession(config, (session) =>
      work({ session, clock, signal, onProgress: (progress) => line.show(progress) }),
    )
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

export function publicationLine({ added, changed, removed, setAside, epss }: Publication): string {
  const scores = epss === undefined ? '' : `; EPSS: ${number(epss)} scores changed`
  const faults = setAside === 0 ? '' : `; ${number(setAside)} set aside, see catalog.publication_fault`
  return `published: ${number(added)} new, ${number(changed)} changed, ${number(removed)} removed${scores}${faults}`
}
