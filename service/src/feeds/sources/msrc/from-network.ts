// Months from Microsoft's API: all of them at first, and then those that were revised.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { type Delivery, FeedError, type FetchContext } from '../../feed.ts'
import { shapeOf } from '../../schema-check.ts'
import {
  type DocumentFile,
  type Issue,
  MAX_DOCUMENT_BYTES,
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
const MAX_REPORTED_ERRORS = 3

interface Obtained {
  readonly file: DocumentFile
  readonly issue: Issue
  readonly count: number
}

/** Each month is a delta: what it no longer lists was not taken back by anybody, and stays. */
export async function* fromNetwork(url: string, context: FetchContext): AsyncGenerator<Delivery<MsrcRecord>> {
  const baseUrl = url.replace(/\/$/, '')
  let { months } = readCursor(context)
  const isFirst = Object.keys(months).length === 0
  const updates = await obtainUpdates(baseUrl, context)
  const troubles: FeedError[] = []
  const empty: string[] = []
  for (const update of updates.filter(({ month, revised }) => months[month.id] !== revised)) {
    const obtained = await attempt(baseUrl, context, update)
    if (obtained instanceof FeedError) troubles.push(obtained)
    else if (obtained.count === 0) empty.push(update.month.name)
    else {
      months = { ...months, [update.month.id]: update.revised }
      yield deliveryOf(obtained, update, { months })
    }
    await rm(fileOf(context, update).path, { force: true })
    if (troubles.length === MAX_REPORTED_ERRORS) break
  }
  sayWhatIsEmpty(context, empty, isFirst && empty.length === updates.length)
  if (troubles.length > 0) throw new FeedError(troubles.map(({ message }) => message).join(' '))
}

function readCursor(context: FetchContext): Static<typeof Cursor> {
  const { cursor } = context
  if (cursor === undefined || cursor === null) return { months: {} }
  if (CURSOR.fits(cursor)) return cursor
  // Reading everything again is slow and does no harm; being stuck would do some.
  context.notice(
    `What was kept about which months we have cannot be understood (${CURSOR.fault(cursor)}): all are read anew.`,
  )
  return { months: {} }
}

/** A month that cannot be had keeps no other out: it is asked for again in the next run. */
async function attempt(baseUrl: string, context: FetchContext, update: Update): Promise<Obtained | FeedError> {
  try {
    return await obtain(baseUrl, context, update)
  } catch (error) {
    if (context.signal.aborted || !(error instanceof FeedError)) throw error
    return error
  }
}

/** Its address is built here: the one in the list could lead anywhere. */
async function obtain(baseUrl: string, context: FetchContext, update: Update): Promise<Obtained> {
  const file = fileOf(context, update)
  const url = `${baseUrl}/cvrf/${update.month.id}`
  // Without this header it sends XML.
  const headers = { accept: 'application/json' }
  await context.download.file({ url, maxBytes: MAX_DOCUMENT_BYTES, headers }, file.path)
  return { file, ...(await openDocument(file, update.month)) }
}

function fileOf({ spool }: FetchContext, { month }: Update): DocumentFile {
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
function sayWhatIsEmpty(context: FetchContext, empty: readonly string[], isEverything: boolean): void {
  if (isEverything) throw new FeedError('Not one month of Microsoft lists a vulnerability: that is a breakdown.')
  if (empty.length > 0) context.notice(`Microsoft lists no vulnerability in ${empty.join(', ')}`)
}
