// Everything at once: the repository of GitHub's advisories, as GitHub packs it.

import { fetchUndated, type UndatedFile } from '../../download/undated-file.ts'
import type { Delivery, FetchContext } from '../../feed.ts'
import { cursorAfterArchive } from './cursor.ts'
import { readArchive } from './read-advisories.ts'

/** Most of it are the advisories that nobody has reviewed, which stay packed. */
const MAX_DOWNLOAD_BYTES = 2048 * 1024 * 1024

export const ARCHIVE = /^advisory-database-main\.zip$/

export function archiveAt(url: string): UndatedFile<unknown> {
  return {
    feed: 'ghsa',
    name: 'advisory-database-main.zip',
    url,
    maxDownloadBytes: MAX_DOWNLOAD_BYTES,
    inDirectory: ARCHIVE,
    read: readArchive,
  }
}

/** Without validators: whoever comes here needs all of it, whether it is the one we had or not. */
export async function* fromArchive(url: string, context: FetchContext): AsyncGenerator<Delivery<unknown>> {
  const isFirst = context.cursor === undefined || context.cursor === null
  for await (const delivery of fetchUndated({ ...context, cursor: undefined }, archiveAt(url)))
    yield { ...delivery, isFirst, cursor: cursorAfterArchive(context.now) }
}
