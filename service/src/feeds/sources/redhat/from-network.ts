// Imports Red Hat's VEX documents from the network: the archive in the first run, then the changed documents one by
// one. The archive is downloaded again when more documents changed than a run may download.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { formatInstant } from '../../../domain/instant.ts'
import { type Delivery, FeedError, type FetchContext } from '../../feed.ts'
import { type Archive, buildArchiveDelivery, downloadArchive, fetchNewestArchive, findChangesStart } from './archive.ts'
import { type Change, type ChangeLists, fetchChangeLists } from './change-lists.ts'
import { advance, findPending, MAX_ATTEMPTS, type RedHatCursor, readCursor, startCursor } from './cursor.ts'
import type { RawVex } from './normalise.ts'
import { MAX_DOCUMENT_BYTES, readDocumentFile } from './read-documents.ts'

export interface RedHatSettings {
  /** Folder with the lists, the archive and the documents. Ends with a slash. */
  readonly url: string
  readonly filesPerRun: number
  readonly pauseMs: number
}

/** The documents stay on disk until the delivery is stored. */
const FILES_PER_DELIVERY = 200
const MAX_CONCURRENT = 4
const MAX_ERRORS = 5

export async function* fetchFromNetwork(
  settings: RedHatSettings,
  context: FetchContext,
): AsyncGenerator<Delivery<RawVex>> {
  let cursor = readCursor(context)
  const lists = await fetchChangeLists(settings.url, cursor, context)
  const archive = await chooseArchive(settings, { cursor, lists }, context)
  if (archive) {
    const isFirst = cursor === undefined
    cursor = startCursor(findChangesStart(archive))
    const file = await downloadArchive(archive, settings.url, context)
    const bytes = { before: 0, own: file.bytes, total: file.bytes }
    yield buildArchiveDelivery(archive, file, { cursor, isFirst, bytes })
    await rm(file.path, { force: true })
  }
  if (cursor) yield* fetchChangedFiles(settings, { cursor, lists }, context)
  // Without the list of deletions the changes are stored, but the run must not count as successful.
  if (lists.error) throw lists.error
}

interface State {
  readonly cursor: RedHatCursor
  readonly lists: ChangeLists
}

async function chooseArchive(
  settings: RedHatSettings,
  { cursor, lists }: { readonly cursor: RedHatCursor | undefined; readonly lists: ChangeLists },
  context: FetchContext,
): Promise<Archive | undefined> {
  if (cursor && findPending(lists.listed, cursor).length <= settings.filesPerRun) return undefined
  const archive = await fetchNewestArchive(settings.url, context)
  return !cursor || formatInstant(findChangesStart(archive)) > cursor.since ? archive : undefined
}

async function* fetchChangedFiles(
  settings: RedHatSettings,
  { cursor: start, lists }: State,
  context: FetchContext,
): AsyncGenerator<Delivery<RawVex>> {
  const pending = findPending(lists.listed, start)
  const selected = pending.slice(0, settings.filesPerRun)
  const downloads = startDownloads(settings, context)
  let cursor = start
  for (let from = 0; from < selected.length && canContinue(downloads); from += FILES_PER_DELIVERY) {
    const requested = selected.slice(from, from + FILES_PER_DELIVERY)
    const { downloaded, failed } = await downloadFiles(downloads, requested)
    const isUpstreamDown = !canContinue(downloads) || downloaded.length === 0
    for (const { path, key } of isUpstreamDown ? [] : failed) reportFailedFile(path, cursor.missing[key], context)
    cursor = advance(cursor, { requested, failed, isUpstreamDown }, context.now)
    if (from + requested.length === pending.length) cursor = { ...cursor, ...lists.validators }
    if (downloaded.length > 0) yield buildDelivery(downloaded, cursor)
    await deleteFiles(downloaded)
    if (isUpstreamDown)
      throw downloads.errors.at(-1) ?? new FeedError('No changed document of Red Hat could be downloaded.')
  }
  if (pending.length > selected.length)
    context.notice(`${pending.length - selected.length} more documents changed; the next runs download them.`)
}

async function deleteFiles(downloaded: readonly DownloadedFile[]): Promise<void> {
  const paths = downloaded.flatMap(({ path }) => path ?? [])
  await Promise.all(paths.map((path) => rm(path, { force: true })))
}

function reportFailedFile(path: string, failedBefore: number | undefined, context: FetchContext): void {
  const attempts = (failedBefore ?? 0) + 1
  context.notice(
    attempts < MAX_ATTEMPTS
      ? `${path} is listed but could not be downloaded. The next run tries again.`
      : `${path} could not be downloaded in ${MAX_ATTEMPTS} attempts. It is skipped until it changes again.`,
  )
}

function buildDelivery(downloaded: readonly DownloadedFile[], cursor: RedHatCursor): Delivery<RawVex> {
  const sorted = downloaded.toSorted((one, other) => (one.change.key < other.change.key ? -1 : 1))
  return {
    label: `${downloaded.length} changed documents`,
    kind: 'delta',
    upstreamAt: sorted.at(-1)?.change.at,
    cursor,
    records: async function* () {
      for (const { change, path } of sorted) {
        if (path === undefined) yield { raw: { deleted: change.cveId, at: change.at } }
        else yield* readDocumentFile(path)
      }
    },
  }
}

interface DownloadedFile {
  readonly change: Change
  /** Undefined for a deletion, which needs no download. */
  readonly path: string | undefined
}

interface DownloadResult {
  readonly downloaded: readonly DownloadedFile[]
  readonly failed: readonly Change[]
}

interface Downloads {
  readonly settings: RedHatSettings
  readonly context: FetchContext
  readonly errors: FeedError[]
  nextSlot: Promise<void>
}

function startDownloads(settings: RedHatSettings, context: FetchContext): Downloads {
  return { settings, context, errors: [], nextSlot: Promise.resolve() }
}

function canContinue({ errors }: Downloads): boolean {
  return errors.length < MAX_ERRORS
}

async function downloadFiles(downloads: Downloads, changes: readonly Change[]): Promise<DownloadResult> {
  const queue = [...changes]
  const downloaded: DownloadedFile[] = []
  const failed: Change[] = []
  const worker = async () => {
    for (let change = queue.shift(); change; change = queue.shift()) {
      const file = canContinue(downloads) ? await downloadFile(downloads, change) : undefined
      if (file) downloaded.push(file)
      else failed.push(change)
    }
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, worker))
  return { downloaded, failed }
}

async function downloadFile(downloads: Downloads, change: Change): Promise<DownloadedFile | undefined> {
  if (change.isDeletion) return { change, path: undefined }
  const { settings, context, errors } = downloads
  await waitForSlot(downloads)
  const path = join(context.spool, `${change.cveId}.json`)
  const url = new URL(change.path, settings.url).href
  try {
    await context.download.file({ url, maxBytes: MAX_DOCUMENT_BYTES }, path)
    return { change, path }
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof FeedError)) throw error
    errors.push(error)
    return undefined
  }
}

/** Downloads start at least pauseMs apart, although several run concurrently. */
function waitForSlot(downloads: Downloads): Promise<void> {
  const { settings, context, nextSlot } = downloads
  downloads.nextSlot = nextSlot.then(() => pause(settings.pauseMs, undefined, { signal: context.signal }))
  // The next download receives this promise's error. If there is no next download, the rejection would be unhandled.
  downloads.nextSlot.catch(() => {})
  return nextSlot
}
