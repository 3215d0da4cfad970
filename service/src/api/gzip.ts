// Every response is compressed if the client accepts gzip, regardless of its size (decision B14).
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw, deflateRawSync, gzip as gzipCallback, gzipSync } from 'node:zlib'
import type { GzipPrefix } from '../contract/endpoint.ts'

const gzipAsync = promisify(gzipCallback)
const deflateAsync = promisify(deflateRaw)

/** Below this size, using the thread pool costs more than the compression. */
const MAX_SYNC_BYTES = 16 * 1024

export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false
  const quality = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...options] = part.split(';').map((each) => each.trim())
    const q = options.find((each) => each.startsWith('q='))?.slice(2)
    quality.set(coding, q === undefined ? 1 : Number(q))
  }
  return (quality.get('gzip') ?? quality.get('x-gzip') ?? quality.get('*') ?? 0) > 0
}

export async function gzip(body: Buffer): Promise<Buffer> {
  return body.length < MAX_SYNC_BYTES ? gzipSync(body) : gzipAsync(body)
}

/** RFC 1952: magic number, method deflate, no flags, no time, no extra flags, unknown operating system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/** Most compressed CVE records fit into 2 KiB; zlib's default output buffer of 16 KiB would waste memory. */
const CHUNK_BYTES = 2048

/** Compresses the first part of a body into a gzip stream without a last block; `endGzip` completes it. */
export async function beginGzip(body: Buffer): Promise<GzipPrefix> {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: CHUNK_BYTES }
  const deflated = body.length < MAX_SYNC_BYTES ? deflateRawSync(body, options) : await deflateAsync(body, options)
  return { bytes: Buffer.concat([HEADER, deflated]), checksum: crc32(body), length: body.length }
}

const MAX_STORED_LENGTH = 0xffff

/**
 * Appends `tail` as an uncompressed last block, then the checksum and length of the whole body (RFC 1951, RFC 1952).
 */
export function endGzip({ checksum, length }: GzipPrefix, tail: Buffer): Buffer {
  if (tail.length > MAX_STORED_LENGTH)
    throw new Error(`The tail has ${tail.length} bytes; a stored block holds at most ${MAX_STORED_LENGTH}.`)
  const end = Buffer.allocUnsafe(5 + tail.length + 8)
  let at = end.writeUInt8(1, 0)
  at = end.writeUInt16LE(tail.length, at)
  at = end.writeUInt16LE(MAX_STORED_LENGTH - tail.length, at)
  at += tail.copy(end, at)
  at = end.writeUInt32LE(crc32(tail, checksum), at)
  end.writeUInt32LE((length + tail.length) >>> 0, at)
  return end
}
