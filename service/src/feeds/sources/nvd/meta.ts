// The .meta file of each NVD file, with the size and the SHA-256 hash that the file must have.
import { createHash } from 'node:crypto'
import { parseDateTime } from '../../../domain/instant.ts'
import { FeedError } from '../../feed.ts'
import { readDecompressed } from '../../formats/decompress.ts'
import { type ContainerFile, MAX_JSON_BYTES } from './container.ts'

export interface Meta {
  readonly lastModified: Date
  readonly bytes: number
  readonly packedBytes: number
  /** Hash of the unpacked file, in upper case. */
  readonly sha256: string
}

export function parseMeta(name: string, text: string): Meta {
  const lines = new Map(
    text.split(/\r?\n/).map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const line = (key: string, pattern: RegExp): string => {
    const value = lines.get(key) ?? ''
    if (pattern.test(value)) return value
    throw new FeedError(`${name} has no valid line "${key}:"; it begins with ${JSON.stringify(text.slice(0, 60))}.`)
  }
  const at = line('lastModifiedDate', /^\d{4}-\d{2}-\d{2}T/)
  const lastModified = parseDateTime(at)
  if (lastModified === undefined) throw new FeedError(`${name} has an invalid lastModifiedDate: ${at.slice(0, 40)}.`)
  return {
    lastModified,
    bytes: Number(line('size', /^\d{1,12}$/)),
    packedBytes: Number(line('gzSize', /^\d{1,12}$/)),
    sha256: line('sha256', /^[0-9A-Fa-f]{64}$/).toUpperCase(),
  }
}

export async function assertMatchesMeta(file: ContainerFile, meta: Meta): Promise<void> {
  const mismatch = await compareWithMeta(file, meta)
  if (mismatch) throw new FeedError(mismatch)
}

export async function compareWithMeta(file: ContainerFile, meta: Meta): Promise<string | undefined> {
  const sha256 = createHash('sha256')
  let bytes = 0
  for await (const chunk of readDecompressed(file.path, { maxBytes: MAX_JSON_BYTES })) {
    sha256.update(chunk)
    bytes += chunk.length
  }
  if (bytes !== meta.bytes)
    return `${file.name} does not match its .meta: it has ${bytes} bytes unpacked instead of ${meta.bytes}.`
  if (sha256.digest('hex').toUpperCase() !== meta.sha256)
    return `${file.name} does not match its .meta: the size is right, but the SHA-256 hash differs.`
  return undefined
}
