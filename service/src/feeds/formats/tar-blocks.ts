// A stream as tar sees it: in blocks of 512 bytes.
import { FeedError } from '../feed.ts'

export const BLOCK_BYTES = 512

export interface Blocks {
  readonly source: AsyncIterator<Buffer>
  /** Of the chunk at hand. */
  rest: Buffer
}

const NOTHING = Buffer.alloc(0)

export function blocksOf(chunks: AsyncIterable<Buffer>): Blocks {
  return { source: chunks[Symbol.asyncIterator](), rest: NOTHING }
}

/**
 * Exactly so many bytes; throws a FeedError if the stream ends before. No room is made beforehand: a size is a claim
 * until the bytes are there.
 */
export async function take(blocks: Blocks, count: number): Promise<Buffer> {
  const parts: Buffer[] = []
  await pass(blocks, count, (part) => void parts.push(part))
  const [first = NOTHING] = parts
  return parts.length > 1 ? Buffer.concat(parts) : first
}

/** The same, and then on to the next block. */
export async function takePadded(blocks: Blocks, count: number): Promise<Buffer> {
  const bytes = await take(blocks, count)
  await pass(blocks, padding(count))
  return bytes
}

/** Without holding them. */
export async function skipPadded(blocks: Blocks, count: number): Promise<void> {
  await pass(blocks, count + padding(count))
}

/** To the end of the stream. */
export async function expectZeros(blocks: Blocks): Promise<void> {
  for (let part = await some(blocks, Infinity); part.length > 0; part = await some(blocks, Infinity))
    if (part.some((byte) => byte !== 0)) throw new FeedError('it is damaged: there is something after its end')
}

export async function close({ source }: Blocks): Promise<void> {
  await source.return?.()
}

async function pass(blocks: Blocks, count: number, onPart: (part: Buffer) => void = () => {}): Promise<void> {
  for (let missing = count; missing > 0; ) {
    const part = await some(blocks, missing)
    if (part.length === 0) throw new FeedError('it is cut off: it ends before the archive in it does')
    missing -= part.length
    onPart(part)
  }
}

/** What is at hand, at most so many bytes; nothing at the end of the stream. */
async function some(blocks: Blocks, maxBytes: number): Promise<Buffer> {
  while (blocks.rest.length === 0) {
    const next = await blocks.source.next()
    if (next.done) return NOTHING
    blocks.rest = next.value
  }
  const part = blocks.rest.subarray(0, maxBytes)
  blocks.rest = blocks.rest.subarray(part.length)
  return part
}

function padding(count: number): number {
  return (BLOCK_BYTES - (count % BLOCK_BYTES)) % BLOCK_BYTES
}
