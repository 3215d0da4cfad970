// The small file beside each of NVD's files, which says what the large one must be.
import { createHash } from 'node:crypto'
import { parseDateTime } from '../../../domain/instant.ts'
import { FeedError } from '../../feed.ts'
import { openFile } from '../../formats/decompress.ts'
import { type ContainerFile, MAX_JSON_BYTES } from './container.ts'

export interface Meta {
  readonly lastModified: Date
  /** Of the JSON, unpacked. */
  readonly bytes: number
  readonly packedBytes: number
  /** Of the JSON, unpacked; in upper case. */
  readonly sha256: string
}

export function parseMeta(name: string, text: string): Meta {
  const lines = new Map(
    text.split(/\r?\n/).map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const line = (key: string, form: RegExp): string => {
    const value = lines.get(key) ?? ''
    if (form.test(value)) return value
    throw new FeedError(`${name} has no usable line "${key}:"; it begins with ${JSON.stringify(text.slice(0, 60))}.`)
  }
  const at = line('lastModifiedDate', /^\d{4}-\d{2}-\d{2}T/)
  const lastModified = parseDateTime(at)
  if (lastModified === undefined) throw new FeedError(`${name} gives a time that does not exist: ${at.slice(0, 40)}.`)
  return {
    lastModified,
    bytes: Number(line('size', /^\d{1,12}$/)),
    packedBytes: Number(line('gzSize', /^\d{1,12}$/)),
    sha256: line('sha256', /^[0-9A-Fa-f]{64}$/).toUpperCase(),
  }
}

/** Throws unless the file's JSON is, byte for byte, what its .meta promises. */
export async function verify(file: ContainerFile, meta: Meta): Promise<void> {
  const complaint = await difference(file, meta)
  if (complaint) throw new FeedError(complaint)
}

/** How a file differs from what its .meta promises, in words; undefined if it does not. */
export async function difference(file: ContainerFile, meta: Meta): Promise<string | undefined> {
  const sha256 = createHash('sha256')
  let bytes = 0
  for await (const chunk of openFile(file.path, { maxBytes: MAX_JSON_BYTES })) {
    sha256.update(chunk)
    bytes += chunk.length
  }
  if (bytes !== meta.bytes)
    return `${file.name} does not agree with its .meta: unpacked it has ${bytes} bytes, and should have ${meta.bytes}.`
  if (sha256.digest('hex').toUpperCase() !== meta.sha256)
    return `${file.name} does not agree with its .meta: the size is right, but the SHA-256 of its content is another.`
  return undefined
}
