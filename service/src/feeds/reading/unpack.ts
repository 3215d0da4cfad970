// The content of a file, unpacked when it is packed with gzip, chunk by chunk and within limits.
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip, type Gunzip } from 'node:zlib'
import { FeedFault } from '../feed.ts'
import { fileFault } from './file-fault.ts'

export interface UnpackLimits {
  /** Unpacked, at most. */
  readonly mostBytes: number
}

/** Large enough that the reader is busy with one while the next is unpacked on another core. */
const CHUNK_BYTES = 256 * 1024
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b])
/** Vulnerability data packs ten to one. Only bombs pack better than this. */
const MOST_RATIO = 100
/** Short texts may well be that repetitive. */
const BYTES_BEFORE_RATIO_COUNTS = 1024 * 1024

/** Calls onBytes with how many bytes of the file as it is stored were consumed. Whatever is wrong with it is a FeedFault. */
export async function* openFile(
  path: string,
  limits: UnpackLimits,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<Buffer, void, undefined> {
  const name = basename(path)
  const handle = await opened(path, name)
  try {
    const isPacked = isGzip(await beginning(handle, name))
    yield* limited(isPacked ? unpacked(handle, name, onBytes) : stored(handle, onBytes), name, limits)
  } catch (error) {
    throw fileFault(error, name)
  } finally {
    await handle.close()
  }
}

async function opened(path: string, name: string): Promise<FileHandle> {
  try {
    return await open(path)
  } catch (error) {
    throw fileFault(error, name)
  }
}

async function beginning(handle: FileHandle, name: string): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0)
  const bytes = buffer.subarray(0, bytesRead)
  if (bytesRead === 0) throw new FeedFault(`${name} is empty`)
  if (name.endsWith('.gz') && !isGzip(bytes) && bytes.toString('latin1').trimStart().startsWith('<'))
    throw new FeedFault(`${name} is not packed with gzip, as its name says; it begins like a web page`)
  return bytes
}

function isGzip(bytes: Buffer): boolean {
  return bytes.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)
}

async function* limited(
  content: AsyncIterable<Buffer>,
  name: string,
  limits: UnpackLimits,
): AsyncGenerator<Buffer, void, undefined> {
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > limits.mostBytes) throw new FeedFault(`${name} holds more than the ${limits.mostBytes} bytes allowed`)
    yield chunk
  }
}

async function* stored(handle: FileHandle, onBytes: (count: number) => void): AsyncGenerator<Buffer, void, undefined> {
  for (;;) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES))
    if (bytesRead === 0) return
    onBytes(bytesRead)
    yield buffer.subarray(0, bytesRead)
  }
}

async function* unpacked(
  handle: FileHandle,
  name: string,
  onBytes: (count: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  // A failure of either end destroys the other, and arrives where the chunks are read.
  pipeline(
    stored(handle, () => {}),
    gunzip,
    () => {},
  )
  const chunks: AsyncIterable<Buffer> = gunzip
  let head = Buffer.alloc(0)
  let unpackedBytes = 0
  let reported = 0
  for await (const chunk of chunks) {
    unpackedBytes += chunk.length
    head = Buffer.concat([head, chunk.subarray(0, GZIP_MAGIC.length - head.length)])
    if (isGzip(head)) throw new FeedFault(`${name} is packed twice`)
    refuseBomb(name, unpackedBytes, gunzip)
    onBytes(gunzip.bytesWritten - reported)
    reported = gunzip.bytesWritten
    yield chunk
  }
  if (unpackedBytes === 0) throw new FeedFault(`${name} is empty once unpacked`)
  await refuseTrailer(handle, name, gunzip)
  onBytes(gunzip.bytesWritten - reported)
}

function refuseBomb(name: string, unpackedBytes: number, gunzip: Gunzip): void {
  if (unpackedBytes > BYTES_BEFORE_RATIO_COUNTS && unpackedBytes > gunzip.bytesWritten * MOST_RATIO)
    throw new FeedFault(`${name} unpacks to more than ${MOST_RATIO} times its size, as no honest file does`)
}

/** Unpacking stops at the first zero after a member; whatever follows would be ignored without a word. */
async function refuseTrailer(handle: FileHandle, name: string, gunzip: Gunzip): Promise<void> {
  const { size } = await handle.stat()
  if (gunzip.bytesWritten < size)
    throw new FeedFault(`${name} has ${size - gunzip.bytesWritten} bytes after the end of what is packed`)
}
