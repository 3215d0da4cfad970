// Red Hat's files: the archive first, and then what changed, file by file. The archive comes again when so much changed
// that to ask for every file would be impolite.
import { rm } from 'node:fs/promises'
import { formatInstant } from '../../../domain/instant.ts'
import { type Delivery, FeedError, type FetchContext } from '../../feed.ts'
import { type Archive, archiveDelivery, downloadArchive, newestArchive, startOfChanges } from './archive.ts'
import { advance, cursorSince, MAX_ATTEMPTS, pendingIn, type RedHatCursor, readCursor } from './cursor.ts'
import { askForFiles, mayAsk, type Obtained, startAsking } from './fetch-files.ts'
import { type AskedLists, askForLists } from './lists.ts'
import type { RawVex } from './normalise.ts'
import { readFile } from './read-documents.ts'
import type { RedHatSettings } from './settings.ts'

/** Files that are stored together; they wait on disk until then. */
const FILES_PER_DELIVERY = 200

export async function* fromNetwork(settings: RedHatSettings, context: FetchContext): AsyncGenerator<Delivery<RawVex>> {
  let cursor = readCursor(context)
  const lists = await askForLists(settings, cursor, context)
  const archive = await archiveToTake(settings, { cursor, lists }, context)
  if (archive) {
    const isFirst = cursor === undefined
    cursor = cursorSince(startOfChanges(archive))
    const file = await downloadArchive(archive, settings, context)
    const bytes = { before: 0, own: file.bytes, total: file.bytes }
    yield archiveDelivery(archive, file, { cursor, isFirst, bytes })
    await rm(file.path, { force: true })
  }
  if (cursor) yield* changedFiles(settings, { cursor, lists }, context)
  // One list that fails does not hold back the other, but the run is no success.
  if (lists.fault) throw lists.fault
}

interface State {
  readonly cursor: RedHatCursor
  readonly lists: AskedLists
}

async function archiveToTake(
  settings: RedHatSettings,
  { cursor, lists }: { readonly cursor: RedHatCursor | undefined; readonly lists: AskedLists },
  context: FetchContext,
): Promise<Archive | undefined> {
  if (cursor && pendingIn(lists.listed, cursor).length <= settings.filesPerRun) return undefined
  const archive = await newestArchive(settings, context)
  return !cursor || formatInstant(startOfChanges(archive)) > cursor.since ? archive : undefined
}

async function* changedFiles(
  settings: RedHatSettings,
  { cursor: start, lists }: State,
  context: FetchContext,
): AsyncGenerator<Delivery<RawVex>> {
  const pending = pendingIn(lists.listed, start)
  const wanted = pending.slice(0, settings.filesPerRun)
  const asking = startAsking(settings, context)
  let cursor = start
  for (let from = 0; from < wanted.length && mayAsk(asking); from += FILES_PER_DELIVERY) {
    const taken = wanted.slice(from, from + FILES_PER_DELIVERY)
    const { obtained, missed } = await askForFiles(asking, taken)
    const isTrouble = !mayAsk(asking) || obtained.length === 0
    for (const { path, key } of isTrouble ? [] : missed) tellOfMissed(path, cursor.missing[key], context)
    cursor = advance(cursor, { taken, missed, isTrouble }, context.now)
    if (from + taken.length === pending.length) cursor = { ...cursor, ...lists.validators }
    if (obtained.length > 0) yield deliver(obtained, cursor)
    await discard(obtained)
    if (isTrouble) throw asking.faults.at(-1) ?? new FeedError('None of the changed files could be had.')
  }
  if (pending.length > wanted.length)
    context.notice(`${pending.length - wanted.length} more files changed; they are left to the next run.`)
}

async function discard(obtained: readonly Obtained[]): Promise<void> {
  const paths = obtained.flatMap(({ path }) => path ?? [])
  await Promise.all(paths.map((path) => rm(path, { force: true })))
}

function tellOfMissed(path: string, triedBefore: number | undefined, context: FetchContext): void {
  const tries = (triedBefore ?? 0) + 1
  context.notice(
    tries < MAX_ATTEMPTS
      ? `${path} is listed and could not be had. It will be asked for again.`
      : `${path} is given up after ${MAX_ATTEMPTS} tries, until it changes again.`,
  )
}

function deliver(obtained: readonly Obtained[], cursor: RedHatCursor): Delivery<RawVex> {
  const sorted = obtained.toSorted((one, other) => (one.change.key < other.change.key ? -1 : 1))
  return {
    label: `${obtained.length} changed files`,
    kind: 'delta',
    upstreamAt: sorted.at(-1)?.change.at,
    cursor,
    records: async function* () {
      for (const { change, path } of sorted) {
        if (path === undefined) yield { raw: { deleted: change.cveId, at: change.at } }
        else yield* readFile(path)
      }
    },
  }
}
