// A read position in a stream of chunks, with the operations that the JSON reader needs: peek at the next byte, and
// take the next JSON value.
import { FeedError } from '../feed.ts'
import { NOT_ENDED, type Scan, scanValue, startScan } from './json-scan.ts'

export interface ByteCursor {
  readonly source: AsyncIterator<Buffer>
  bytes: Buffer
  at: number
  bytesBefore: number
}

export interface TakenValue {
  readonly scan: Scan
  readonly bytes: Buffer
  readonly isTooLarge: boolean
}

const EMPTY = Buffer.alloc(0)

export function createByteCursor(chunks: AsyncIterable<Buffer>): ByteCursor {
  return { source: chunks[Symbol.asyncIterator](), bytes: EMPTY, at: 0, bytesBefore: 0 }
}

export async function peekByte(cursor: ByteCursor): Promise<number | undefined> {
  while (cursor.at >= cursor.bytes.length) {
    if (!(await nextChunk(cursor))) return undefined
  }
  return cursor.bytes[cursor.at]
}

/** Skips whitespace. Returns undefined at the end of the stream. */
export async function peek(cursor: ByteCursor): Promise<number | undefined> {
  do {
    while (isBlank(cursor.bytes[cursor.at])) cursor.at += 1
    if (cursor.at < cursor.bytes.length) return cursor.bytes[cursor.at]
  } while (await nextChunk(cursor))
  return undefined
}

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
    if (end !== NOT_ENDED) return { scan, bytes: concatParts(parts), isTooLarge: size > maxBytes }
    if (!(await nextChunk(cursor))) throw new FeedError(`the file is truncated: it ends within ${name}`)
  }
}

export function position(cursor: ByteCursor): number {
  return cursor.bytesBefore + cursor.at
}

export async function close(cursor: ByteCursor): Promise<void> {
  await cursor.source.return?.()
}

async function nextChunk(cursor: ByteCursor): Promise<boolean> {
  const next = await cursor.source.next()
  cursor.bytesBefore += cursor.bytes.length
  cursor.bytes = next.done ? EMPTY : next.value
  cursor.at = 0
  return !next.done
}

function concatParts(parts: readonly Buffer[]): Buffer {
  const [first = EMPTY] = parts
  return parts.length > 1 ? Buffer.concat(parts) : first
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}
