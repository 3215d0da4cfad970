// Bytes as they come from a file or a network: in chunks that end anywhere.
import { isUtf8 } from 'node:buffer'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { FeedError, isRejected, type Reading, type Rejected } from '../../../src/feeds/feed.ts'
import { type CutOptions, cutElements } from '../../../src/feeds/formats/json-elements.ts'

export interface Source extends AsyncIterable<Buffer> {
  /** Whether whoever reads it has read it to the end, or let go of it. */
  isClosed(): boolean
}

/** Chunks of these sizes in turn, over and over; 0 is an empty chunk. */
export function inChunks(content: string | Buffer, sizes: readonly number[] = [content.length]): Source {
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
  options: Partial<CutOptions> = {},
): Promise<WholeDocument> {
  const { header, elements, members } = await cutElements(chunks, { member: 'list', ...options })
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

/** What it complained of; undefined if it did not. Anything that is no FeedError is thrown on. */
export async function faultOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof FeedError) return error.message
    throw error
  }
}

/** What JSON.parse, which reads it as a whole, makes of it; undefined if it refuses. */
export function parsedWhole(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return undefined
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

/** What is held in buffers, once everything that nobody holds is gone: the second round ends what the first began. */
export function bytesHeld(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc(); gc()')
  return process.memoryUsage().arrayBuffers
}

/** A hundred megabytes, the two halves of which are filled with one character each. Tells what is held meanwhile. */
export async function* hundredMegabytes(halves: string, onSample: (bytes: number) => void): AsyncGenerator<Buffer> {
  const [chunks, chunkBytes] = [1600, 64 * 1024]
  for (let at = 0; at < chunks; at += 1) {
    yield Buffer.alloc(chunkBytes, halves[at < chunks / 2 ? 0 : 1])
    if (at % 200 === 199) onSample(bytesHeld())
  }
}
