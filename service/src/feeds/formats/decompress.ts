// The content of a file, unpacked when it is packed with gzip or zstd, chunk by chunk and within limits.
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { FeedError } from '../feed.ts'
import { toFileError } from './file-error.ts'

export interface UnpackLimits {
  /** Unpacked, at most. */
  readonly maxBytes: number
  /** For those whose data repeat themselves more than others do. */
  readonly maxRatio?: number
}

/** A way of packing, told by the first bytes. */
interface Packing {
  readonly magic: Buffer
  open(): Unpacker
  /** The platform unpacks one frame of zstd and stops; of gzip it unpacks all members. */
  readonly isInFrames: boolean
}

type Unpacker = ReturnType<typeof createGunzip | typeof createZstdDecompress>

/** Large enough that the reader is busy with one while the next is unpacked on another core. */
const CHUNK_BYTES = 256 * 1024
const GZIP: Packing = {
  magic: Buffer.from([0x1f, 0x8b]),
  open: () => createGunzip({ chunkSize: CHUNK_BYTES }),
  isInFrames: false,
}
const ZSTD: Packing = {
  magic: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
  open: () => createZstdDecompress({ chunkSize: CHUNK_BYTES }),
  isInFrames: true,
}
const MAX_MAGIC_BYTES = 4
/** Programs that pack on many cores make one of every few megabytes. */
const MAX_FRAMES = 4096
/** Vulnerability data packs ten to one. Only bombs pack better than this. */
const MAX_RATIO = 100
/** Short texts may well be that repetitive. */
const BYTES_BEFORE_RATIO_COUNTS = 1024 * 1024

/** Calls onBytes with how many bytes of the file as it is stored were consumed. Whatever is wrong with it is a FeedError. */
export async function* openFile(
  path: string,
  limits: UnpackLimits,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<Buffer, void, undefined> {
  const name = basename(path)
  const handle = await opened(path, name)
  try {
    const packing = packingOf(await beginning(handle, name))
    const content = packing ? unpacked(handle, { name, packing, ...limits }, onBytes) : stored(handle, onBytes)
    yield* limited(content, name, limits)
  } catch (error) {
    throw toFileError(error, name)
  } finally {
    await handle.close()
  }
}

async function opened(path: string, name: string): Promise<FileHandle> {
  try {
    return await open(path)
  } catch (error) {
    throw toFileError(error, name)
  }
}

async function beginning(handle: FileHandle, name: string): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0)
  const bytes = buffer.subarray(0, bytesRead)
  if (bytesRead === 0) throw new FeedError(`${name} is empty`)
  if (name.endsWith('.gz') && !packingOf(bytes) && bytes.toString('latin1').trimStart().startsWith('<'))
    throw new FeedError(`${name} is not packed with gzip, as its name says; it begins like a web page`)
  return bytes
}

function packingOf(bytes: Buffer): Packing | undefined {
  return [GZIP, ZSTD].find(({ magic }) => bytes.subarray(0, magic.length).equals(magic))
}

async function* limited(
  content: AsyncIterable<Buffer>,
  name: string,
  limits: UnpackLimits,
): AsyncGenerator<Buffer, void, undefined> {
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > limits.maxBytes) throw new FeedError(`${name} holds more than the ${limits.maxBytes} bytes allowed`)
    yield chunk
  }
}

async function* stored(
  handle: FileHandle,
  onBytes: (count: number) => void,
  from = 0,
): AsyncGenerator<Buffer, void, undefined> {
  for (let at = from; ; ) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, at)
    if (bytesRead === 0) return
    at += bytesRead
    onBytes(bytesRead)
    yield buffer.subarray(0, bytesRead)
  }
}

interface Packed {
  readonly name: string
  readonly packing: Packing
  readonly maxRatio?: number
}

async function* unpacked(
  handle: FileHandle,
  { name, packing, maxRatio = MAX_RATIO }: Packed,
  onBytes: (count: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  const { size } = await handle.stat()
  let head = Buffer.alloc(0)
  let [unpackedBytes, consumed, reported] = [0, 0, 0]
  for await (const { chunk, at } of partsOf(handle, name, packing)) {
    consumed = at
    unpackedBytes += chunk.length
    head = Buffer.concat([head, chunk.subarray(0, MAX_MAGIC_BYTES - head.length)])
    if (packingOf(head)) throw new FeedError(`${name} is packed twice`)
    if (unpackedBytes > BYTES_BEFORE_RATIO_COUNTS && unpackedBytes > consumed * maxRatio)
      throw new FeedError(`${name} unpacks to more than ${maxRatio} times its size, as no honest file does`)
    onBytes(consumed - reported)
    reported = consumed
    if (chunk.length > 0) yield chunk
  }
  if (unpackedBytes === 0) throw new FeedError(`${name} is empty once unpacked`)
  // Unpacking stops at the first zero after a member; whatever follows would be ignored without a word.
  if (consumed < size) throw new FeedError(`${name} has ${size - consumed} bytes after the end of what is packed`)
}

interface Part {
  readonly chunk: Buffer
  /** How much of the file it took to come here. */
  readonly at: number
}

async function* partsOf(handle: FileHandle, name: string, packing: Packing): AsyncGenerator<Part, void, undefined> {
  const { size } = await handle.stat()
  let [from, frames] = [0, 0]
  do {
    frames += 1
    if (frames > MAX_FRAMES) throw new FeedError(`${name} is packed in more than ${MAX_FRAMES} frames`)
    const unpacker = packing.open()
    // A failure of either end destroys the other, and arrives where the chunks are read.
    pipeline(
      stored(handle, () => {}, from),
      unpacker,
      () => {},
    )
    const chunks: AsyncIterable<Buffer> = unpacker
    for await (const chunk of chunks) yield { chunk, at: from + unpacker.bytesWritten }
    from += unpacker.bytesWritten
    unpacker.destroy()
    yield { chunk: Buffer.alloc(0), at: from }
  } while (packing.isInFrames && from < size)
}
