// Test helpers for stream readers: sources with chosen chunk sizes, and measurements of the memory that a reader holds.
import { isUtf8 } from 'node:buffer'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { FeedError, isRejected, type Reading, type Rejected } from '../../../src/feeds/feed.ts'
import { type ElementOptions, readJsonElements } from '../../../src/feeds/formats/json-elements.ts'

export interface Source extends AsyncIterable<Buffer> {
  /** Returns true once the reader has read the source to its end or has closed the source. */
  isClosed(): boolean
}

/** Splits content into chunks whose sizes in bytes cycle through `sizes`; a size of 0 yields an empty chunk. */
export function toChunks(content: string | Buffer, sizes: readonly number[] = [content.length]): Source {
  const bytes = Buffer.from(content)
  let isClosed = false
  async function* chunks() {
    try {
      for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1
        yield bytes.subarray(at, at + size)
        at += size
      }
    } finally {
      isClosed = true
    }
  }
  return Object.assign(chunks(), { isClosed: () => isClosed })
}

export interface WholeDocument {
  readonly header: Readonly<Record<string, unknown>>
  readonly members: Readonly<Record<string, unknown>>
  readonly values: readonly unknown[]
  readonly rejected: readonly Rejected[]
}

export async function readDocument(
  chunks: AsyncIterable<Buffer>,
  options: Partial<ElementOptions> = {},
): Promise<WholeDocument> {
  const { header, elements, members } = await readJsonElements(chunks, { member: 'list', ...options })
  const { values, rejected } = await readAll(elements)
  return { header, members: members(), values, rejected }
}

export async function readAll(
  readings: AsyncIterable<Reading<unknown>>,
): Promise<{ values: unknown[]; rejected: Rejected[] }> {
  const values: unknown[] = []
  const rejected: Rejected[] = []
  for await (const reading of readings) {
    if (isRejected(reading)) rejected.push(reading)
    else values.push(reading.raw)
  }
  return { values, rejected }
}

/** Returns the message if `work` fails with a FeedError, or undefined if it succeeds. Throws any other error. */
export async function readErrorMessage(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof FeedError) return error.message
    throw error
  }
}

/** Parses a whole JSON document with JSON.parse. Returns undefined if the document is invalid. */
export function parseWholeDocument(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return undefined
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

/**
 * Collects garbage and returns the bytes that buffers still hold. Two rounds of collection are needed to free all
 * buffers.
 */
export function measureHeldBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc(); gc()')
  return process.memoryUsage().arrayBuffers
}

/**
 * Generates 40 MB of text: the first half repeats the first character of `halves`, the second half the second one.
 * Reports after each half how many bytes are held in buffers. Each report collects the garbage of the whole process.
 */
export async function* generateFortyMegabytes(
  halves: string,
  onSample: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const [chunks, chunkBytes] = [640, 64 * 1024]
  for (let at = 0; at < chunks; at += 1) {
    yield Buffer.alloc(chunkBytes, halves[at < chunks / 2 ? 0 : 1])
    if (at % (chunks / 2) === chunks / 2 - 1) onSample(measureHeldBytes())
  }
}
