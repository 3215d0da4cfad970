// A place in a stream of chunks, and what a JSON reader asks of it: the next byte, and the next whole value.
import { FeedError } from '../feed.ts'
import { NOT_ENDED, type Scan, scanValue, startScan } from './json-scan.ts'

export interface ByteCursor {
  readonly source: AsyncIterator<Buffer>
  bytes: Buffer
  /** In the chunk at hand. */
  at: number
  /** Of all chunks before it. */
  bytesBefore: number
}

export interface TakenValue {
  readonly scan: Scan
  /** The whole value, or its beginning when it is too large: no more than allowed is ever held. */
  readonly bytes: Buffer
  readonly isTooLarge: boolean
}

const NOTHING = Buffer.alloc(0)

export function cursorOver(chunks: AsyncIterable<Buffer>): ByteCursor {
  return { source: chunks[Symbol.asyncIterator](), bytes: NOTHING, at: 0, bytesBefore: 0 }
}

/** The next byte, which stays to be taken; undefined at the end. */
export async function peekByte(cursor: ByteCursor): Promise<number | undefined> {
  while (cursor.at >= cursor.bytes.length) {
    if (!(await nextChunk(cursor))) return undefined
  }
  return cursor.bytes[cursor.at]
}

/** The next byte that is not blank, which stays to be taken; undefined at the end. */
export async function peek(cursor: ByteCursor): Promise<number | undefined> {
  do {
    while (isBlank(cursor.bytes[cursor.at])) cursor.at += 1
    if (cursor.at < cursor.bytes.length) return cursor.bytes[cursor.at]
  } while (await nextChunk(cursor))
  return undefined
}

/** The value that begins with the byte that was peeked at. Throws a FeedError if the stream ends within. */
export async function takeValue(cursor: ByteCursor, maxBytes: number, name: string): Promise<TakenValue> {
  const scan = startScan(cursor.bytes[cursor.at] ?? 0)
  const parts: Buffer[] = []
  let size = 0
  for (;;) {
    const end = scanValue(cursor.bytes, cursor.at, scan)
    const part = cursor.bytes.subarray(cursor.at, end === NOT_ENDED ? undefined : end)
    if (size < maxBytes) parts.push(part.subarray(0, maxBytes - size))
    size += part.length
    cursor.at += part.length
    if (end !== NOT_ENDED) return { scan, bytes: joined(parts), isTooLarge: size > maxBytes }
    if (!(await nextChunk(cursor))) throw new FeedError(`it is cut off: it ends within ${name}`)
  }
}

/** How many bytes were taken so far. */
export function position(cursor: ByteCursor): number {
  return cursor.bytesBefore + cursor.at
}

export async function close(cursor: ByteCursor): Promise<void> {
  await cursor.source.return?.()
}

async function nextChunk(cursor: ByteCursor): Promise<boolean> {
  const next = await cursor.source.next()
  cursor.bytesBefore += cursor.bytes.length
  cursor.bytes = next.done ? NOTHING : next.value
  cursor.at = 0
  return !next.done
}

function joined(parts: readonly Buffer[]): Buffer {
  const [first = NOTHING] = parts
  return parts.length > 1 ? Buffer.concat(parts) : first
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}
