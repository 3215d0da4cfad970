// Reads a file chunk by chunk. Files compressed with gzip or zstd are decompressed, within limits.
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { FeedError } from '../feed.ts'
import { toFileError } from './file-error.ts'

export interface DecompressLimits {
  readonly maxBytes: number
  readonly maxRatio?: number
}

interface Compression {
  readonly magic: Buffer
  createDecompressor(chunkBytes: number): Decompressor
  /** Node's decompressor stops after one zstd frame, but reads all members of a gzip file. */
  readonly stopsAfterFrame: boolean
}

type Decompressor = ReturnType<typeof createGunzip | typeof createZstdDecompress>

/** Large enough that the reader processes one chunk while another CPU core decompresses the next. */
const CHUNK_BYTES = 256 * 1024
/** Chunk size near the end of a file. With full-size chunks, a 37 kB file with 4096 frames would allocate 2 GB. */
const MIN_CHUNK_BYTES = 4 * 1024
const GZIP: Compression = {
  magic: Buffer.from([0x1f, 0x8b]),
  createDecompressor: (chunkSize) => createGunzip({ chunkSize }),
  stopsAfterFrame: false,
}
const ZSTD: Compression = {
  magic: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
  createDecompressor: (chunkSize) => createZstdDecompress({ chunkSize }),
  stopsAfterFrame: true,
}
const MAX_MAGIC_BYTES = 4
/** Compressors that use many cores write one zstd frame for every few megabytes. */
const MAX_FRAMES = 4096
/** Vulnerability data compresses about ten to one; only decompression bombs exceed 100 to one. */
const MAX_RATIO = 100
/** Smaller files may be harmless even if they are so repetitive that they exceed the ratio. */
const MIN_BYTES_FOR_RATIO = 1024 * 1024

/** Calls onBytes with the bytes of the stored file that were consumed. Throws a FeedError for a damaged file. */
export async function* readDecompressed(
  path: string,
  limits: DecompressLimits,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<Buffer, void, undefined> {
  const name = basename(path)
  const handle = await openHandle(path, name)
  try {
    const compression = detectCompression(await readBeginning(handle, name))
    const content = compression
      ? decompress(handle, { name, compression, ...limits }, onBytes)
      : readStored(handle, onBytes)
    yield* limitSize(content, name, limits)
  } catch (error) {
    throw toFileError(error, name)
  } finally {
    await handle.close()
  }
}

export async function readWholeFile(...file: Parameters<typeof readDecompressed>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(readDecompressed(...file)))
}

async function openHandle(path: string, name: string): Promise<FileHandle> {
  try {
    return await open(path)
  } catch (error) {
    throw toFileError(error, name)
  }
}

async function readBeginning(handle: FileHandle, name: string): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0)
  const bytes = buffer.subarray(0, bytesRead)
  if (bytesRead === 0) throw new FeedError(`${name} is empty`)
  if (name.endsWith('.gz') && !detectCompression(bytes) && bytes.toString('latin1').trimStart().startsWith('<'))
    throw new FeedError(`${name} is not gzip-compressed although its name ends in .gz; it starts like an HTML page`)
  return bytes
}

function detectCompression(bytes: Buffer): Compression | undefined {
  return [GZIP, ZSTD].find(({ magic }) => bytes.subarray(0, magic.length).equals(magic))
}

async function* limitSize(
  content: AsyncIterable<Buffer>,
  name: string,
  limits: DecompressLimits,
): AsyncGenerator<Buffer, void, undefined> {
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > limits.maxBytes)
      throw new FeedError(`${name} has more than ${limits.maxBytes} bytes, which is the limit`)
    yield chunk
  }
}

async function* readStored(
  handle: FileHandle,
  onBytes: (count: number) => void,
  { from, chunkBytes } = { from: 0, chunkBytes: CHUNK_BYTES },
): AsyncGenerator<Buffer, void, undefined> {
  for (let at = from; ; ) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, at)
    if (bytesRead === 0) return
    at += bytesRead
    onBytes(bytesRead)
    yield buffer.subarray(0, bytesRead)
  }
}

interface CompressedFile {
  readonly name: string
  readonly compression: Compression
  readonly maxRatio?: number
}

async function* decompress(
  handle: FileHandle,
  { name, compression, maxRatio = MAX_RATIO }: CompressedFile,
  onBytes: (count: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  const { size } = await handle.stat()
  let head = Buffer.alloc(0)
  let [bytes, consumed, reported] = [0, 0, 0]
  for await (const { chunk, at } of decompressParts(handle, name, compression)) {
    consumed = at
    bytes += chunk.length
    head = Buffer.concat([head, chunk.subarray(0, MAX_MAGIC_BYTES - head.length)])
    if (detectCompression(head)) throw new FeedError(`${name} is compressed twice`)
    if (bytes > MIN_BYTES_FOR_RATIO && bytes > consumed * maxRatio)
      throw new FeedError(
        `${name} decompresses to more than ${maxRatio} times its size, which suggests a decompression bomb`,
      )
    onBytes(consumed - reported)
    reported = consumed
    if (chunk.length > 0) yield chunk
  }
  if (bytes === 0) throw new FeedError(`${name} is empty after decompression`)
  // Node stops at the first zero byte after a gzip member and silently ignores the rest of the file.
  if (consumed < size) throw new FeedError(`${name} has ${size - consumed} bytes after the end of the compressed data`)
}

interface Part {
  readonly chunk: Buffer
  readonly at: number
}

async function* decompressParts(
  handle: FileHandle,
  name: string,
  compression: Compression,
): AsyncGenerator<Part, void, undefined> {
  const { size } = await handle.stat()
  let [from, frames] = [0, 0]
  do {
    frames += 1
    if (frames > MAX_FRAMES) throw new FeedError(`${name} is compressed in more than ${MAX_FRAMES} frames`)
    const chunkBytes = Math.min(Math.max(size - from, MIN_CHUNK_BYTES), CHUNK_BYTES)
    const decompressor = compression.createDecompressor(chunkBytes)
    // An error in the file or in the decompressor destroys both streams and is thrown where the chunks are read.
    pipeline(
      readStored(handle, () => {}, { from, chunkBytes }),
      decompressor,
      () => {},
    )
    const chunks: AsyncIterable<Buffer> = decompressor
    for await (const chunk of chunks) yield { chunk, at: from + decompressor.bytesWritten }
    from += decompressor.bytesWritten
    decompressor.destroy()
    yield { chunk: Buffer.alloc(0), at: from }
  } while (compression.stopsAfterFrame && from < size)
}
