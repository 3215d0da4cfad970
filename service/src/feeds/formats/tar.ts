// Reads files from a tar archive, one after another and within limits. modern-tar parses the archive (ADR 0004); entry
// names are returned to the caller and never used as file paths.
import { ReadableStream } from 'node:stream/web'
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar'
import { FeedError } from '../feed.ts'

export interface TarLimits {
  readonly matches: (name: string) => boolean
  readonly maxEntryBytes: number
}

export interface TarEntry {
  readonly name: string
  readonly bytes: Buffer | undefined
}

/** Entries with longer names are skipped: Linux allows 4096 bytes, but modern-tar accepts up to 8 MiB. */
const MAX_NAME_LENGTH = 4096

/**
 * Skips directories, links, devices and names that lead out of the archive. The caller adds the archive's name to
 * errors.
 */
export async function* readTarEntries(
  chunks: AsyncIterable<Buffer>,
  limits: TarLimits,
): AsyncGenerator<TarEntry, void, undefined> {
  // The option `strict` checks header checksums, the end-of-archive blocks, and that only zeros follow these blocks.
  const { readable, writable } = createTarDecoder({ strict: true })
  const stop = new AbortController()
  const copying = ReadableStream.from<Uint8Array>(chunks).pipeTo(writable, {
    signal: stop.signal,
  })
  copying.catch(() => {})
  try {
    for await (const { header, body } of readable) {
      const name = header.name.replace(/^(?:\.\/)+/, '')
      const isSelected = header.type === 'file' && isSafeName(name) && limits.matches(name)
      const isReadable = isSelected && header.size <= limits.maxEntryBytes
      if (!isReadable) await body.cancel()
      if (isSelected) yield { name, bytes: isReadable ? await readBody(body) : undefined }
    }
  } catch (error) {
    throw toTarError(error)
  } finally {
    stop.abort()
    // Settles after the source stream is closed, so that its file handle is closed when the generator returns.
    await copying.catch(() => {})
  }
}

function isSafeName(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && !/^\/|^[a-z]:|\\/i.test(name) && !name.split('/').includes('..')
}

async function readBody(body: ParsedTarEntry['body']): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts)
}

/**
 * modern-tar throws plain Errors. Subclasses are returned unchanged: FeedErrors from the source, and bugs such as
 * TypeErrors.
 */
function toTarError(error: unknown): unknown {
  if (!(error instanceof Error) || error.constructor !== Error) return error
  const message = error.message.includes('truncated')
    ? 'the file is truncated: the tar archive in it is incomplete'
    : `the file is damaged or not a tar archive (${error.message.replace(/\.$/, '')})`
  return new FeedError(message, { cause: error })
}
