// Reads files from a tar archive, one after another and within limits. modern-tar parses the archive (ADR 0004); entry
// names are returned to the caller and never used as file paths.
import { ReadableStream } from 'node:stream/web'
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar'
import { FeedError } from '../feed.ts'

export interface TarLimits {
  /** Selects files of the tar archive by name. Other entries are skipped. */
  readonly matches: (name: string) => boolean
  readonly maxEntryBytes: number
}

export interface TarEntry {
  readonly name: string
  /** Content of the file, or undefined if the file was skipped because it is larger than `maxEntryBytes`. */
  readonly bytes: Buffer | undefined
}

/**
 * Maximum length of the name of a tar entry. Entries with longer names are skipped. Linux allows paths of 4096 bytes,
 * but the library modern-tar accepts names of up to 8 MiB.
 */
const MAX_NAME_LENGTH = 4096

/**
 * Reads files from a tar archive. Skips directories, links, devices and names that lead out of the archive. Throws a
 * FeedError if the archive is truncated or damaged. Error messages do not name the archive; the caller adds the name.
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
    // The promise `copying` settles after the source stream is closed. It is awaited so that the file handle of the
    // source is closed when the generator returns.
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
 * Translates errors of the library modern-tar, which are plain Errors, to FeedErrors. Other errors stay unchanged:
 * FeedErrors of the source stream, and errors that are bugs in our code.
 */
function toTarError(error: unknown): unknown {
  if (!(error instanceof Error) || error.constructor !== Error) return error
  const message = error.message.includes('truncated')
    ? 'the file is truncated: the tar archive in it is incomplete'
    : `the file is damaged or not a tar archive (${error.message.replace(/\.$/, '')})`
  return new FeedError(message, { cause: error })
}
