// Imports Microsoft's monthly documents from its API: all documents in the first run, then the documents that were
// revised.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import type { CollectContext, Collection } from '../../collect.ts'
import { type Delivery, FeedError, type FetchContext } from '../../feed.ts'
import { compileSchema } from '../../schema-check.ts'
import {
  type DocumentFile,
  type DocumentHeader,
  MAX_DOCUMENT_BYTES,
  type MsrcRecord,
  readDocumentHeader,
  readVulnerabilities,
} from './document.ts'
import { fetchUpdates, type Update } from './updates.ts'

const Cursor = Type.Object({
  /** Revision dates of the imported Microsoft documents, by month id. */
  months: Type.Record(Type.String(), Type.String()),
})
const CURSOR = compileSchema(Cursor)

/** A single month may be missing or broken; after three failures the API is considered to be down. */
const MAX_FAILED_MONTHS = 3

interface FetchedDocument {
  readonly file: DocumentFile
  readonly header: DocumentHeader
  readonly count: number
}

/** Each month is a delta: Microsoft does not withdraw a CVE by dropping it from a document. */
export async function* fetchFromNetwork(url: string, context: FetchContext): AsyncGenerator<Delivery<MsrcRecord>> {
  const baseUrl = url.replace(/\/$/, '')
  let { months } = readCursor(context)
  const isFirst = Object.keys(months).length === 0
  const updates = await fetchUpdates(baseUrl, context)
  const errors: FeedError[] = []
  const empty: string[] = []
  for (const update of updates.filter(({ month, revised }) => months[month.id] !== revised)) {
    const document = await tryFetchDocument(baseUrl, context, update)
    if (document instanceof FeedError) errors.push(document)
    else if (document.count === 0) empty.push(update.month.name)
    else {
      months = { ...months, [update.month.id]: update.revised }
      yield buildDelivery(document, update, { months })
    }
    await rm(chooseFile(context, update).path, { force: true })
    if (errors.length === MAX_FAILED_MONTHS) break
  }
  reportEmptyMonths(context, empty, isFirst && empty.length === updates.length)
  if (errors.length > 0) throw new FeedError(errors.map(({ message }) => message).join(' '))
}

function readCursor(context: FetchContext): Static<typeof Cursor> {
  const { cursor } = context
  if (cursor === undefined || cursor === null) return { months: {} }
  if (CURSOR.matches(cursor)) return cursor
  // Importing everything again is slow but harmless; an error would make every later run fail too.
  context.notice(
    `The stored list of imported Microsoft months is invalid (${CURSOR.describeMismatch(cursor)}): importing all months again.`,
  )
  return { months: {} }
}

/** Returns the error, so that the other months are still imported. The next run tries the month again. */
async function tryFetchDocument(
  baseUrl: string,
  context: FetchContext,
  update: Update,
): Promise<FetchedDocument | FeedError> {
  try {
    return await fetchDocument(baseUrl, context, update)
  } catch (error) {
    if (context.signal.aborted || !(error instanceof FeedError)) throw error
    return error
  }
}

/** Puts all months into a bundle. */
export async function collectMonths(url: string, context: CollectContext): Promise<Collection> {
  const baseUrl = url.replace(/\/$/, '')
  const errors: FeedError[] = []
  for (const { month, revised } of await fetchUpdates(baseUrl, context)) {
    const name = toFileName(month)
    const check = async (path: string) => {
      await readDocumentHeader({ name, path }, month)
    }
    await context.file({ ...buildRequest(baseUrl, month), name, version: revised, check }).catch((error: unknown) => {
      if (context.signal.aborted || !(error instanceof FeedError)) throw error
      errors.push(error)
    })
    if (errors.length === MAX_FAILED_MONTHS) break
  }
  if (errors.length > 0) throw new FeedError(errors.map(({ message }) => message).join(' '))
  return { index: null }
}

/** The URL is built from the month id, because the URL in Microsoft's list could name any host. */
function buildRequest(baseUrl: string, { id }: Update['month']) {
  // Without the header `accept: application/json`, Microsoft sends XML.
  return { url: `${baseUrl}/cvrf/${id}`, maxBytes: MAX_DOCUMENT_BYTES, headers: { accept: 'application/json' } }
}

async function fetchDocument(baseUrl: string, context: FetchContext, update: Update): Promise<FetchedDocument> {
  const file = chooseFile(context, update)
  await context.download.file(buildRequest(baseUrl, update.month), file.path)
  return { file, ...(await readDocumentHeader(file, update.month)) }
}

function chooseFile({ spool }: FetchContext, { month }: Update): DocumentFile {
  const name = toFileName(month)
  return { name, path: join(spool, name) }
}

function toFileName({ id }: Update['month']): string {
  return `msrc-${id}.json`
}

function buildDelivery(
  { file, header }: FetchedDocument,
  { revisedAt }: Update,
  cursor: Static<typeof Cursor>,
): Delivery<MsrcRecord> {
  return {
    label: file.name,
    kind: 'delta',
    upstreamAt: revisedAt,
    cursor,
    records: (onBytes) => readVulnerabilities(file, header, onBytes),
  }
}

/** Some old months are empty. They are not added to the cursor, so every run checks them again. */
function reportEmptyMonths(context: FetchContext, empty: readonly string[], isEveryMonth: boolean): void {
  if (isEveryMonth) throw new FeedError('No document of Microsoft lists a vulnerability; the API seems to be broken.')
  if (empty.length > 0) context.notice(`Microsoft lists no vulnerabilities in ${empty.join(', ')}`)
}
