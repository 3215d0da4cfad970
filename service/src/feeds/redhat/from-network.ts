// Red Hat's files: the archive first, and then what changed, file by file. The archive comes again when so much changed
// that to ask for every file would be impolite.
import { rm } from 'node:fs/promises'
import { formatInstant } from '../../domain/instant.ts'
import { type Delivery, FeedFault, type Visit } from '../feed.ts'
import { type Archive, archiveDelivery, downloadArchive, newestArchive, startOfChanges } from './archive.ts'
import { askForFiles, mayAsk, type Obtained, startAsking } from './ask-for-files.ts'
import { advance, cursorSince, MOST_TRIES, pendingIn, type RedHatCursor, readCursor } from './cursor.ts'
import { type AskedLists, askForLists } from './lists.ts'
import type { RawVex } from './normalise.ts'
import { readFile } from './read-documents.ts'
import type { RedHatSettings } from './settings.ts'

/** Files that are stored together; they wait on disk until then. */
const FILES_PER_DELIVERY = 200

export async function* fromNetwork(settings: RedHatSettings, visit: Visit): AsyncGenerator<Delivery<RawVex>> {
  let cursor = readCursor(visit)
  const lists = await askForLists(settings, cursor, visit)
  const archive = await archiveToTake(settings, { cursor, lists }, visit)
  if (archive) {
    const isFirst = cursor === undefined
    cursor = cursorSince(startOfChanges(archive))
    const file = await downloadArchive(archive, settings, visit)
    const bytes = { before: 0, own: file.bytes, total: file.bytes }
    yield archiveDelivery(archive, file, { cursor, isFirst, bytes })
    await rm(file.path, { force: true })
  }
  if (cursor) yield* changedFiles(settings, { cursor, lists }, visit)
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
  visit: Visit,
): Promise<Archive | undefined> {
  if (cursor && pendingIn(lists.listed, cursor).length <= settings.filesPerRun) return undefined
  const archive = await newestArchive(settings, visit)
  return !cursor || formatInstant(startOfChanges(archive)) > cursor.since ? archive : undefined
}

async function* changedFiles(
  settings: RedHatSettings,
  { cursor: start, lists }: State,
  visit: Visit,
): AsyncGenerator<Delivery<RawVex>> {
  const pending = pendingIn(lists.listed, start)
  const wanted = pending.slice(0, settings.filesPerRun)
  const asking = startAsking(settings, visit)
  let cursor = start
  for (let from = 0; from < wanted.length && mayAsk(asking); from += FILES_PER_DELIVERY) {
    const taken = wanted.slice(from, from + FILES_PER_DELIVERY)
    const { obtained, missed } = await askForFiles(asking, taken)
    const isTrouble = !mayAsk(asking) || obtained.length === 0
    for (const { path, key } of isTrouble ? [] : missed) tellOfMissed(path, cursor.missing[key], visit)
    cursor = advance(cursor, { taken, missed, isTrouble }, visit.now)
    if (from + taken.length === pending.length) cursor = { ...cursor, ...lists.validators }
    if (obtained.length > 0) yield deliver(obtained, cursor)
    await discard(obtained)
    if (isTrouble) throw asking.faults.at(-1) ?? new FeedFault('None of the changed files could be had.')
  }
  if (pending.length > wanted.length)
    visit.notice(`${pending.length - wanted.length} more files changed; they are left to the next run.`)
}

async function discard(obtained: readonly Obtained[]): Promise<void> {
  const paths = obtained.flatMap(({ path }) => path ?? [])
  await Promise.all(paths.map((path) => rm(path, { force: true })))
}

function tellOfMissed(path: string, triedBefore: number | undefined, visit: Visit): void {
  const tries = (triedBefore ?? 0) + 1
  visit.notice(
    tries < MOST_TRIES
      ? `${path} is listed and could not be had. It will be asked for again.`
      : `${path} is given up after ${MOST_TRIES} tries, until it changes again.`,
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
