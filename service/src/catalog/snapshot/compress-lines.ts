// Compresses a snapshot into parts of about the same size. Each part is a gzip member that begins and ends at a line
// boundary: a part can be read on its own, and all parts together are one gzip file.
import { hash } from 'node:crypto'
import { createGzip } from 'node:zlib'

/** A part ends once it reaches this size. */
const PART_BYTES = 4 * 1024 * 1024

interface CompressedPart {
  readonly bytes: Buffer
  readonly sha256: Buffer
}

/** Each of the `texts` consists of whole lines. Only one part is in memory at a time. */
export async function* compressLines(
  texts: AsyncIterable<string>,
  partBytes = PART_BYTES,
): AsyncGenerator<CompressedPart> {
  let member: GzipMember | undefined
  for await (const text of texts) {
    member ??= beginMember()
    await member.write(text)
    if (member.size() < partBytes) continue
    yield toPart(await member.end())
    member = undefined
  }
  if (member) yield toPart(await member.end())
}

const toPart = (bytes: Buffer): CompressedPart => ({ bytes, sha256: hash('sha256', bytes, 'buffer') })

interface GzipMember {
  /** Resolves when the text is compressed, except for what is still in zlib's window. */
  write(text: string): Promise<void>
  /** Number of compressed bytes so far. */
  size(): number
  end(): Promise<Buffer>
}

function beginMember(): GzipMember {
  const gzip = createGzip()
  const chunks: Buffer[] = []
  let size = 0
  gzip.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
  })
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        gzip.write(text, (error) => (error ? reject(error) : resolve()))
      }),
    size: () => size,
    end: () =>
      new Promise((resolve, reject) => {
        gzip.once('error', reject).once('end', () => resolve(Buffer.concat(chunks)))
        gzip.end()
      }),
  }
}
