// Encodes, hashes and compresses the text of a large response piece by piece. Between pieces the event loop serves other
// requests: in one go, a response of 10 MB would stop all other requests for tens of milliseconds.
import { createHash } from 'node:crypto'
import { createGzip } from 'node:zlib'
import type { PiecedText } from '../../contract/endpoint.ts'
import { waitForEventLoopTurn } from '../../domain/event-loop-turns.ts'
import { formatWeakEtag } from '../etag.ts'

/**
 * Responses above this size are large. Below it, sending in pieces costs more than it saves: the kernel's socket buffer
 * usually takes the whole response at once, and encoding takes less than 0.1 ms.
 */
export const LARGE_BYTES = 64 * 1024

/**
 * Time after which the work on a response pauses for other requests. It is checked between pieces, so one large piece
 * can take longer.
 */
const PAUSE_AFTER_MS = 1

/** Encoded parts of a response body. The sender removes each chunk from the list, so that its memory can be freed. */
export interface Chunks {
  readonly list: Buffer[]
  readonly bytes: number
}

export function toPieces(text: PiecedText): readonly string[] {
  return typeof text === 'string' ? [text] : text
}

/** Returns whether a text has more than LARGE_BYTES characters. Most texts have one byte per character. */
export function isLarge(pieces: readonly string[]): boolean {
  return countCharacters(pieces) > LARGE_BYTES
}

export function countCharacters(pieces: readonly string[]): number {
  return pieces.reduce((total, piece) => total + piece.length, 0)
}

/** Computes the same ETag as `buildWeakEtag` for the joined pieces. */
export async function hashPieces(pieces: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  const pause = createPause()
  for (const text of groupPieces(pieces)) {
    hash.update(text)
    await pause()
  }
  return formatWeakEtag(hash.digest('base64url'))
}

/** Encodes the pieces as UTF-8. Removes them from `pieces`, so that the memory of each text can be freed. */
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
 * Compresses the chunks in Node's thread pool and removes them from the list. After each chunk, calls `onProgress` with
 * the number of bytes that are still in memory: the rest of the chunks and the compressed bytes so far.
 */
export async function compressChunks({ list, bytes }: Chunks, onProgress: (bytes: number) => void): Promise<Chunks> {
  const gzip = createGzip()
  const compressed: Buffer[] = []
  let [left, made] = [bytes, 0]
  const ended = new Promise<void>((resolve, reject) => gzip.once('end', resolve).once('error', reject))
  // If a write fails, nobody waits for `ended`, and its rejection would end the process.
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

/** Pieces above this length are not joined with others, because joining copies them. */
const MAX_JOINED_LENGTH = 16 * 1024

/** Joins small pieces to groups of up to LARGE_BYTES characters. */
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

/** Iterates over a list and removes each item from it. */
function* takeAll<T>(list: T[]): Generator<T> {
  list.reverse()
  for (let item = list.pop(); item !== undefined; item = list.pop()) yield item
}

/** Returns a function that lets the event loop run if more than PAUSE_AFTER_MS have passed since it last ran. */
function createPause(): () => Promise<void> {
  let startedAt = performance.now()
  return async () => {
    if (performance.now() - startedAt < PAUSE_AFTER_MS) return
    await waitForEventLoopTurn()
    startedAt = performance.now()
  }
}
