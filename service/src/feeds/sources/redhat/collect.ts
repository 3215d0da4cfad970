// Puts Red Hat's archive, the documents that changed after it, and the list of deletions into a bundle.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { CollectContext, Collection } from '../../collect.ts'
import { FeedError } from '../../feed.ts'
import { fetchNewestArchive, findChangesStart, MAX_ARCHIVE_BYTES } from './archive.ts'
import { type Change, fetchChangeLists } from './change-lists.ts'
import { findPending, startCursor } from './cursor.ts'
import type { RedHatSettings } from './from-network.ts'
import { MAX_DOCUMENT_BYTES } from './read-documents.ts'

/** If so many documents in a row cannot be downloaded, the server is down. */
const MAX_ERRORS = 5
const DELETIONS_FILE = 'deletions.csv'

export async function collectArchiveAndChanges(settings: RedHatSettings, context: CollectContext): Promise<Collection> {
  const lists = await fetchChangeLists(settings.url, undefined, context)
  const archive = await fetchNewestArchive(settings.url, context)
  const url = new URL(archive.name, settings.url).href
  await context.file({ name: archive.name, url, maxBytes: MAX_ARCHIVE_BYTES, version: archive.name })
  if (lists.error) throw lists.error
  await context.add({
    name: DELETIONS_FILE,
    url: new URL(DELETIONS_FILE, settings.url).href,
    version: context.now.toISOString(),
    path: join(context.spool, DELETIONS_FILE),
  })
  const changes = findPending(lists.listed, startCursor(findChangesStart(archive)))
  const isComplete = await collectChanges(changes, settings, context)
  return { index: isComplete ? 'whole' : null }
}

/** Returns false if documents are missing. */
async function collectChanges(
  changes: readonly Change[],
  { url, pauseMs, filesPerRun }: RedHatSettings,
  context: CollectContext,
): Promise<boolean> {
  let [requested, postponed, failed] = [0, 0, 0]
  for (const { cveId, path, key, isDeletion } of changes) {
    const name = `${cveId.toLowerCase()}.json`
    if (isDeletion || (await context.keep(name, key))) continue
    if (requested === filesPerRun) {
      postponed += 1
      continue
    }
    if (requested > 0) await pause(pauseMs, undefined, { signal: context.signal })
    requested += 1
    const request = { name, url: new URL(path, url).href, maxBytes: MAX_DOCUMENT_BYTES, version: key }
    await context.file(request).catch((error: unknown) => {
      if (context.signal.aborted || !(error instanceof FeedError)) throw error
      failed += 1
      if (failed === MAX_ERRORS) throw error
      context.notice(error.message)
    })
  }
  if (postponed > 0)
    context.notice(`${postponed} more documents changed; the next downloads collect them (FEED_REDHAT_FILES_PER_RUN).`)
  return postponed + failed === 0
}
