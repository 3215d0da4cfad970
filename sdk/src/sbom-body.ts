// Request body of a scan: the document, alone or together with the hits to suppress. It is compressed if it is large.
import { VisError } from './errors.ts'
import type { SbomDocument } from './records.ts'
import type { Content } from './request.ts'

/** Compressing a smaller body takes longer than it saves. */
const MIN_COMPRESSED_BYTES = 8 * 1024
/** Size of the largest document that the service accepts. */
const MAX_BYTES = 10 * 1024 * 1024

export async function encodeSbom(document: SbomDocument, suppress: unknown): Promise<Content> {
  const bytes = toBytes(document)
  if (suppress === undefined) return isGzip(bytes) ? { bytes, isGzip: true } : compress(new Blob([bytes]))
  const plain = isGzip(bytes) ? await inflate(bytes) : bytes
  // The parts are joined as text, so that the service can report a document that is not JSON.
  return compress(new Blob(['{"document":', plain, ',"suppress":', JSON.stringify(suppress), '}']))
}

type Bytes = Uint8Array<ArrayBuffer>

function toBytes(document: SbomDocument): Bytes {
  if (typeof document === 'string') return removeByteOrderMark(new TextEncoder().encode(document))
  if (document instanceof ArrayBuffer) return removeByteOrderMark(new Uint8Array(document))
  // The cast excludes shared memory, which fetch would refuse as a body.
  if (document instanceof Uint8Array) return removeByteOrderMark(document as Bytes)
  return new TextEncoder().encode(JSON.stringify(document))
}

/** Some tools write a byte order mark before the JSON, although it is not part of JSON. */
function removeByteOrderMark(bytes: Bytes): Bytes {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

function isGzip(bytes: Bytes): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

async function compress(content: Blob): Promise<Content> {
  // Some browsers still in use lack CompressionStream.
  const isCompressed = content.size >= MIN_COMPRESSED_BYTES && 'CompressionStream' in globalThis
  const stream = isCompressed ? content.stream().pipeThrough(new CompressionStream('gzip')) : content.stream()
  return { bytes: new Uint8Array(await new Response(stream).arrayBuffer()), isGzip: isCompressed }
}

/**
 * Decompresses a document, but stops at the size that the service would refuse, because a small file can expand
 * enormously.
 */
async function inflate(bytes: Bytes): Promise<Blob> {
  const parts: Bytes[] = []
  let size = 0
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')).getReader()
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw new VisError({ code: 'INVALID_PARAMETER', message: 'the gzip data of the document is damaged', cause })
    })
    if (done) return new Blob(parts)
    size += value.byteLength
    if (size > MAX_BYTES) {
      await reader.cancel()
      throw new VisError({ code: 'PAYLOAD_TOO_LARGE', message: 'the document has more than 10 MiB after inflating' })
    }
    parts.push(value)
  }
}
