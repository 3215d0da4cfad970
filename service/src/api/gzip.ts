// gzip whenever the client accepts it, whatever the size, and preferred over every other encoding (decision B14).
import { promisify } from 'node:util'
import { gzip as gzipInBackground, gzipSync } from 'node:zlib'

const inBackground = promisify(gzipInBackground)

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
