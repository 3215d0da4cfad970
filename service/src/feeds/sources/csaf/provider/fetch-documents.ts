// Downloads the selected documents, a few at a time, and yields them in deliveries with the position after each.
import { readFile, rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { PublicKey } from 'openpgp'
import type { DownloadContext } from '../../../download.ts'
import type { Delivery, FeedError, Reading, Rejected } from '../../../feed.ts'
import type { RawCsaf } from '../normalise.ts'
import { parseDocument } from '../read-documents.ts'
import { findOriginIssue } from './check-origin.ts'
import { advance, type ProviderCursor } from './cursor.ts'
import type { ListedDocument } from './listing.ts'
import { type ProviderOptions, readFileName } from './provider-url.ts'
import { downloadDocument, type FailedDocument, type VerifiedDocument, type Verifier } from './verify.ts'

export interface Work {
  readonly cursor: ProviderCursor
  /** Number of documents in all lists; undefined if a list is unchanged and was not read. */
  readonly listed: number | undefined
  /** Entries of the lists that cannot be used. */
  readonly rejected: readonly Rejected[]
  readonly selected: readonly ListedDocument[]
  /** Number of changed documents that the next runs download. */
  readonly postponed: number
  readonly validators: ProviderCursor['validators']
}

export interface Provider {
  readonly options: ProviderOptions
  readonly context: DownloadContext
  readonly keys: readonly PublicKey[]
  readonly publisher: string
}

/** The documents stay on disk until the delivery is stored. */
export const DOCUMENTS_PER_DELIVERY = 100
const MAX_CONCURRENT = 4
/** If the server fails to deliver so many documents of one run, it is down. */
const MAX_ERRORS = 5

export async function* fetchDocuments(work: Work, provider: Provider): AsyncGenerator<Delivery<RawCsaf>> {
  const { selected, postponed, listed } = work
  const { context } = provider
  const batch = startBatches(provider)
  let cursor: ProviderCursor = { ...work.cursor, listed: listed ?? work.cursor.listed }
  let rejected = work.rejected
  // Rejected entries and a shorter list are recorded even if no document has changed.
  const hasNews = rejected.length > 0 || cursor.listed < work.cursor.listed
  const end = hasNews ? Math.max(1, selected.length) : selected.length
  for (let from = 0; from < end; from += DOCUMENTS_PER_DELIVERY) {
    const requested = selected.slice(from, from + DOCUMENTS_PER_DELIVERY)
    const { verified, failed, error } = await downloadBatch(batch, requested)
    if (error) throw error
    cursor = advance(cursor, { requested, failed: failed.map(({ document }) => document) })
    const isLast = from + requested.length >= selected.length && postponed === 0
    if (isLast && Object.keys(cursor.failed).length === 0) cursor = { ...cursor, validators: work.validators }
    yield buildDelivery({ verified, failed, rejected, cursor, formerly: work.cursor.listed }, provider)
    rejected = []
    await Promise.all(verified.map(({ path }) => rm(path, { force: true })))
  }
  for (const sentence of summarise(batch, work)) context.notice(sentence)
}

interface BatchResult {
  readonly verified: readonly VerifiedDocument[]
  readonly failed: readonly FailedDocument[]
  /** The server is down: the batch is not stored, and the next run continues with it. */
  readonly error: FeedError | undefined
}

interface Batches {
  readonly verifier: Verifier
  readonly errors: FeedError[]
  readonly counts: { documents: number; hashes: number; signatures: number }
}

export function startBatches({ options, context, keys }: Provider): Batches {
  let nextSlot = Promise.resolve()
  // Requests start at least pauseMs apart, although several run concurrently.
  const wait = () => {
    const slot = nextSlot
    nextSlot = slot.then(() => pause(options.pauseMs, undefined, { signal: context.signal }))
    // The next request receives this promise's error. If there is no next request, the rejection would be unhandled.
    nextSlot.catch(() => {})
    return slot
  }
  return {
    verifier: { options, context, keys, missingHashes: 0, wait },
    errors: [],
    counts: { documents: 0, hashes: 0, signatures: 0 },
  }
}

export async function downloadBatch(
  { verifier, errors, counts }: Batches,
  requested: readonly ListedDocument[],
): Promise<BatchResult> {
  const queue = [...requested.entries()]
  const verified: VerifiedDocument[] = []
  const failed: FailedDocument[] = []
  const worker = async () => {
    for (let next = queue.shift(); next && errors.length < MAX_ERRORS; next = queue.shift()) {
      const [index, document] = next
      const result = await downloadDocument(verifier, document, `document-${index}`)
      if ('path' in result) {
        verified.push(result)
        counts.documents += 1
        counts.hashes += result.verification.hash ? 1 : 0
        counts.signatures += result.verification.signature ? 1 : 0
        continue
      }
      failed.push(result)
      if (result.error) errors.push(result.error)
    }
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, worker))
  return { verified, failed, error: errors.length >= MAX_ERRORS ? errors.at(-1) : undefined }
}

interface Batch extends Omit<BatchResult, 'error'> {
  readonly rejected: readonly Rejected[]
  readonly cursor: ProviderCursor
  /** Number of listed documents before this run. */
  readonly formerly: number
}

function buildDelivery(
  { verified, failed, rejected, cursor, formerly }: Batch,
  { publisher }: Provider,
): Delivery<RawCsaf> {
  const sorted = verified.toSorted((one, other) => (one.document.key < other.document.key ? -1 : 1))
  return {
    label: `${verified.length + failed.length} changed documents`,
    kind: 'delta',
    isPerDocument: true,
    upstreamAt: sorted.at(-1)?.document.at,
    indexCount: cursor.listed,
    unlisted: { missing: Math.max(0, formerly - cursor.listed), of: formerly },
    cursor,
    async *records() {
      yield* rejected
      for (const { document, reason } of failed) yield { rejected: readFileName(document.url), reason }
      for (const { document, path } of sorted) yield readDocument(await readFile(path), document, publisher)
    },
  }
}

export function readDocument(bytes: Buffer, { url }: ListedDocument, publisher: string): Reading<RawCsaf> {
  const name = readFileName(url)
  const reading = parseDocument(bytes, name)
  if (!('raw' in reading)) return reading
  const reason = 'value' in reading.raw ? findOriginIssue(reading.raw.value, name, publisher) : undefined
  return reason === undefined ? reading : { rejected: name, reason }
}

export function summarise({ counts, verifier }: Batches, { postponed }: Pick<Work, 'postponed'>): string[] {
  const { documents, hashes, signatures } = counts
  const signed = verifier.keys.length > 0 ? `${signatures} signatures` : 'no signatures, because no key is pinned'
  return [
    ...(documents > 0 ? [`Downloaded ${documents} documents; verified ${hashes} hashes and ${signed}.`] : []),
    ...(postponed > 0 ? [`${postponed} more documents changed; the next runs download them.`] : []),
  ]
}
