// gzip whenever the client accepts it, whatever the size, and preferred over every other encoding (decision B14).
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw, deflateRawSync, gzip as gzipInBackground, gzipSync } from 'node:zlib'
import type { GzipBeginning } from '../contract/endpoint.ts'

const inBackground = promisify(gzipInBackground)
const deflateInBackground = promisify(deflateRaw)

/** Below this size the way to the thread pool and back costs more than the work. */
const SMALL_BYTES = 16 * 1024

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
  return body.length < SMALL_BYTES ? gzipSync(body) : inBackground(body)
}

/** RFC 1952: magic, deflate, no flags, no time, no extra flags, unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/** Most records fit into one; of the usual 16 KiB each would leave most for the garbage collector to find. */
const CHUNK_BYTES = 2048

/** Compressed up to the end of a byte, without the mark of the last block: another block may follow. */
export async function beginGzip(body: Buffer): Promise<GzipBeginning> {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: CHUNK_BYTES }
  const deflated = body.length < SMALL_BYTES ? deflateRawSync(body, options) : await deflateInBackground(body, options)
  return { bytes: Buffer.concat([HEADER, deflated]), checksum: crc32(body), length: body.length }
}

const MAX_STORED_LENGTH = 0xffff

/** RFC 1951, RFC 1952: `tail` as one last block that is stored as it is, then the checksum and length of the whole. */
export function endGzip({ checksum, length }: GzipBeginning, tail: Buffer): Buffer {
  if (tail.length > MAX_STORED_LENGTH) throw new Error(`a stored block holds ${MAX_STORED_LENGTH} bytes, not ${tail.length}`)
  const end = Buffer.allocUnsafe(5 + tail.length + 8)
  let at = end.writeUInt8(1, 0)
  at = end.writeUInt16LE(tail.length, at)
  at = end.writeUInt16LE(MAX_STORED_LENGTH - tail.length, at)
  at += tail.copy(end, at)
  at = end.writeUInt32LE(crc32(tail, checksum), at)
  end.writeUInt32LE((length + tail.length) >>> 0, at)
  return end
}
