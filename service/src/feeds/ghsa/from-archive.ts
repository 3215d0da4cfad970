// Everything at once: the repository of GitHub's advisories, as GitHub packs it.
import type { Delivery, Visit } from '../feed.ts'
import { fetchUndated, type UndatedFile } from '../undated-file.ts'
import { cursorAfterArchive } from './cursor.ts'
import { readArchive } from './read-advisories.ts'

/** Most of it are the advisories that nobody has reviewed, which stay packed. */
const MOST_DOWNLOAD_BYTES = 2048 * 1024 * 1024

export const ARCHIVE = /^advisory-database-main\.zip$/

export function archiveAt(url: string): UndatedFile<unknown> {
  return {
    feed: 'ghsa',
    name: 'advisory-database-main.zip',
    url,
    mostDownloadBytes: MOST_DOWNLOAD_BYTES,
    inDirectory: ARCHIVE,
    read: readArchive,
  }
}

/** Without validators: whoever comes here needs all of it, whether it is the one we had or not. */
export async function* fromArchive(url: string, visit: Visit): AsyncGenerator<Delivery<unknown>> {
  const isFirst = visit.cursor === undefined || visit.cursor === null
  for await (const delivery of fetchUndated({ ...visit, cursor: undefined }, archiveAt(url)))
    yield { ...delivery, isFirst, cursor: cursorAfterArchive(visit.now) }
}
