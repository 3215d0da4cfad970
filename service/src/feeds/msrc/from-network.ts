// Months from Microsoft's API: all of them at first, and then those that were revised.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { type Delivery, FeedFault, type Visit } from '../feed.ts'
import { shapeOf } from '../shape.ts'
import {
  type DocumentFile,
  type Issue,
  MOST_DOCUMENT_BYTES,
  type MsrcRecord,
  openDocument,
  recordsOf,
} from './document.ts'
import { obtainUpdates, type Update } from './updates.ts'

const Cursor = Type.Object({
  /** Of which revision each month is that we have, by the id of the month. */
  months: Type.Record(Type.String(), Type.String()),
})
const CURSOR = shapeOf(Cursor)

/** One month may be missing or broken while the others are fine; several are a breakdown of Microsoft's. */
const MOST_TROUBLES = 3

interface Obtained {
  readonly file: DocumentFile
  readonly issue: Issue
  readonly count: number
}

/** Each month is a delta: what it no longer lists was not taken back by anybody, and stays. */
export async function* fromNetwork(url: string, visit: Visit): AsyncGenerator<Delivery<MsrcRecord>> {
  const baseUrl = url.replace(/\/$/, '')
  let { months } = readCursor(visit)
  const isFirst = Object.keys(months).length === 0
  const updates = await obtainUpdates(baseUrl, visit)
  const troubles: FeedFault[] = []
  const empty: string[] = []
  for (const update of updates.filter(({ month, revised }) => months[month.id] !== revised)) {
    const obtained = await attempt(baseUrl, visit, update)
    if (obtained instanceof FeedFault) troubles.push(obtained)
    else if (obtained.count === 0) empty.push(update.month.name)
    else {
      months = { ...months, [update.month.id]: update.revised }
      yield deliveryOf(obtained, update, { months })
    }
    await rm(fileOf(visit, update).path, { force: true })
    if (troubles.length === MOST_TROUBLES) break
  }
  sayWhatIsEmpty(visit, empty, isFirst && empty.length === updates.length)
  if (troubles.length > 0) throw new FeedFault(troubles.map(({ message }) => message).join(' '))
}

function readCursor(visit: Visit): Static<typeof Cursor> {
  const { cursor } = visit
  if (cursor === undefined || cursor === null) return { months: {} }
  if (CURSOR.fits(cursor)) return cursor
  // Reading everything again is slow and does no harm; being stuck would do some.
  visit.notice(
    `What was kept about which months we have cannot be understood (${CURSOR.fault(cursor)}): all are read anew.`,
  )
  return { months: {} }
}

/** A month that cannot be had keeps no other out: it is asked for again in the next run. */
async function attempt(baseUrl: string, visit: Visit, update: Update): Promise<Obtained | FeedFault> {
  try {
    return await obtain(baseUrl, visit, update)
  } catch (error) {
    if (visit.signal.aborted || !(error instanceof FeedFault)) throw error
    return error
  }
}

/** Its address is built here: the one in the list could lead anywhere. */
async function obtain(baseUrl: string, visit: Visit, update: Update): Promise<Obtained> {
  const file = fileOf(visit, update)
  const url = `${baseUrl}/cvrf/${update.month.id}`
  // Without this header it sends XML.
  const headers = { accept: 'application/json' }
  await visit.download.file({ url, mostBytes: MOST_DOCUMENT_BYTES, headers }, file.path)
  return { file, ...(await openDocument(file, update.month)) }
}

function fileOf({ spool }: Visit, { month }: Update): DocumentFile {
  const name = `msrc-${month.id}.json`
  return { name, path: join(spool, name) }
}

function deliveryOf(
  { file, issue }: Obtained,
  { revisedAt }: Update,
  cursor: Static<typeof Cursor>,
): Delivery<MsrcRecord> {
  return {
    label: file.name,
    kind: 'delta',
    upstreamAt: revisedAt,
    cursor,
    records: (onBytes) => recordsOf(file, issue, onBytes),
  }
}

/** Some old months are there in name only. They are not remembered, so that they are asked for when they are not. */
function sayWhatIsEmpty(visit: Visit, empty: readonly string[], isEverything: boolean): void {
  if (isEverything) throw new FeedFault('Not one month of Microsoft lists a vulnerability: that is a breakdown.')
  if (empty.length > 0) visit.notice(`Microsoft lists no vulnerability in ${empty.join(', ')}`)
}
