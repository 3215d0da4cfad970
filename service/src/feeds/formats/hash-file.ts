import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

export interface HashedFile {
  readonly bytes: number
  /** In lower case hexadecimal digits. */
  readonly sha256: string
}

export async function hashFile(path: string, onBytes?: (count: number) => void): Promise<HashedFile> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const raw of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    const chunk: Buffer = raw
    hash.update(chunk)
    bytes += chunk.length
    onBytes?.(chunk.length)
  }
  return { bytes, sha256: hash.digest('hex') }
}
