// Encodes, hashes and compresses a large response piece by piece. The event loop serves other requests in between: done
// in one go, 10 MB would block them for tens of milliseconds.
import { createHash } from 'node:crypto'
import { createGzip } from 'node:zlib'
import type { PiecedText } from '../../contract/endpoint.ts'
import { waitForEventLoopTurn } from '../../domain/event-loop-turns.ts'
import { formatWeakEtag } from '../etag.ts'

/**
 * Below this size, pieces cost more than they save: the kernel's socket buffer usually accepts the whole response at
 * once, and encoding takes less than 0.1 ms.
 */
export const LARGE_BYTES = 64 * 1024

/** Checked only between pieces, so one large piece can take longer. */
const PAUSE_AFTER_MS = 1

/** The sender removes each chunk from the list, which frees its memory. */
export interface Chunks {
  readonly list: Buffer[]
  readonly bytes: number
}

export function toPieces(text: PiecedText): readonly string[] {
  return typeof text === 'string' ? [text] : text
}

/** Counts characters, because most text has one byte per character. */
export function isLarge(pieces: readonly string[]): boolean {
  return countCharacters(pieces) > LARGE_BYTES
}

export function countCharacters(pieces: readonly string[]): number {
  return pieces.reduce((total, piece) => total + piece.length, 0)
}

/** Returns the same ETag as `buildWeakEtag` for the joined pieces. */
export async function hashPieces(pieces: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  const pause = createPause()
  for (const text of groupPieces(pieces)) {
    hash.update(text)
    await pause()
  }
  return formatWeakEtag(hash.digest('base64url'))
}

/** Empties `pieces`, which frees the memory of each text. */
export async function encodePieces(pieces: string[]): Promise<Chunks> {
  const [list, pause] = [[] as Buffer[], createPause()]
  let bytes = 0
  for (const text of groupPieces(takeAll(pieces))) {
    const chunk = Buffer.from(text)
    list.push(chunk)
    bytes += chunk.length
    await pause()
  }
  return { list, bytes }
}

/**
 * Empties the list. `onProgress` gets the bytes still in memory: the remaining chunks plus the compressed bytes so far.
 */
export async function compressChunks({ list, bytes }: Chunks, onProgress: (bytes: number) => void): Promise<Chunks> {
  const gzip = createGzip()
  const compressed: Buffer[] = []
  let [left, made] = [bytes, 0]
  const ended = new Promise<void>((resolve, reject) => gzip.once('end', resolve).once('error', reject))
  // If a write fails, `ended` is never awaited, and its rejection would end the process.
  ended.catch(() => {})
  gzip.on('data', (chunk: Buffer) => {
    compressed.push(chunk)
    made += chunk.length
  })
  try {
    for (const chunk of takeAll(list)) {
      await new Promise<void>((resolve, reject) => gzip.write(chunk, (error) => (error ? reject(error) : resolve())))
      left -= chunk.length
      onProgress(left + made)
    }
    gzip.end()
    await ended
  } finally {
    gzip.destroy()
  }
  return { list: compressed, bytes: made }
}

/** Joining copies the text, so longer pieces are not joined. */
const MAX_JOINED_LENGTH = 16 * 1024

/** Each group has up to LARGE_BYTES characters. */
function* groupPieces(pieces: Iterable<string>): Generator<string> {
  let group = ''
  for (const piece of pieces) {
    const isSeparate = piece.length > MAX_JOINED_LENGTH
    if (group !== '' && (isSeparate || group.length + piece.length > LARGE_BYTES)) {
      yield group
      group = ''
    }
    if (isSeparate) yield piece
    else group += piece
  }
  if (group !== '') yield group
}

/** Yields each item and removes it from the list. */
function* takeAll<T>(list: T[]): Generator<T> {
  list.reverse()
  for (let item = list.pop(); item !== undefined; item = list.pop()) yield item
}

/** Lets the event loop run if it has not done so for PAUSE_AFTER_MS. */
function createPause(): () => Promise<void> {
  let startedAt = performance.now()
  return async () => {
    if (performance.now() - startedAt < PAUSE_AFTER_MS) return
    await waitForEventLoopTurn()
    startedAt = performance.now()
  }
}
