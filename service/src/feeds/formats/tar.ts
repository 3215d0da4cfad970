// The files in a tar archive, one after another and within limits. Their names are looked at and handed on, and never
// reach the file system.
import { FeedError } from '../feed.ts'
import { printable } from '../sanitize-text.ts'
import { BLOCK_BYTES, type Blocks, blocksOf, close, expectZeros, skipPadded, take, takePadded } from './tar-blocks.ts'
import { isEmptyBlock, longNameIn, readHeader, recordsIn, type TarHeader } from './tar-header.ts'

export interface TarLimits {
  /** Which files are wanted. The others are passed over. */
  readonly matches: (name: string) => boolean
  readonly maxEntryBytes: number
}

export interface TarEntry {
  readonly name: string
  /** Undefined if it is larger than allowed: then it was passed over. */
  readonly bytes: Buffer | undefined
}

/** Names and other extensions; honest ones have some hundred bytes. */
const MAX_EXTENSION_BYTES = 64 * 1024
/** Those that speak of the next file, and those of all that follow. */
const EXTENSIONS = ['x', 'g', 'L', 'K']
const FILES = ['0', '\0']
const FOLDER = '5'

/** What the entries before a file said of it. */
interface Announced {
  readonly name?: string
  readonly size?: number
}

/** Its faults speak of "it": which file it is, the caller knows. */
export async function* tarEntries(
  chunks: AsyncIterable<Buffer>,
  limits: TarLimits,
): AsyncGenerator<TarEntry, void, undefined> {
  const blocks = blocksOf(chunks)
  try {
    yield* entriesIn(blocks, limits)
  } finally {
    await close(blocks)
  }
}

async function* entriesIn(blocks: Blocks, limits: TarLimits): AsyncGenerator<TarEntry, void, undefined> {
  let announced: Announced = {}
  for (let header = await nextHeader(blocks); header; header = await nextHeader(blocks)) {
    if (EXTENSIONS.includes(header.type)) {
      announced = { ...announced, ...(await extension(blocks, header)) }
      continue
    }
    const entry = await entryOf(blocks, { ...header, ...announced }, limits)
    announced = {}
    if (entry) yield entry
  }
}

/** Undefined at the end, which must be there: two empty blocks, and nothing but zeros behind them. */
async function nextHeader(blocks: Blocks): Promise<TarHeader | undefined> {
  const block = await take(blocks, BLOCK_BYTES)
  if (!isEmptyBlock(block)) return readHeader(block)
  if (!isEmptyBlock(await take(blocks, BLOCK_BYTES)))
    throw new FeedError('it is damaged: an empty block is in its midst')
  await expectZeros(blocks)
  return undefined
}

async function extension(blocks: Blocks, { type, size }: TarHeader): Promise<Announced> {
  if (size > MAX_EXTENSION_BYTES) throw new FeedError(`it is a trap: it has a name or note of ${size} bytes`)
  const bytes = await takePadded(blocks, size)
  if (type === 'x') return recordsIn(bytes)
  return type === 'L' ? { name: longNameIn(bytes) } : {}
}

async function entryOf(blocks: Blocks, header: TarHeader, limits: TarLimits): Promise<TarEntry | undefined> {
  const { type, size } = header
  const name = header.name.replace(/^(?:\.\/)+/, '')
  if (isOutside(name)) throw new FeedError(`it is a trap: it holds a file called ${printable(header.name)}`)
  if (type !== FOLDER && !FILES.includes(type))
    throw new FeedError(`it holds ${printable(name)}, which is neither a file nor a folder`)
  const isWanted = type !== FOLDER && limits.matches(name)
  if (isWanted && size <= limits.maxEntryBytes) return { name, bytes: await takePadded(blocks, size) }
  await skipPadded(blocks, size)
  return isWanted ? { name, bytes: undefined } : undefined
}

function isOutside(name: string): boolean {
  return /^\/|^[a-z]:|\\/i.test(name) || name.split('/').includes('..')
}
