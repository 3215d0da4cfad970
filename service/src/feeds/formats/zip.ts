// The entries of a zip file, one at a time and within limits. Their names are looked at and handed on, and never reach
// the file system.

import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { crc32, inflateRawSync } from 'node:zlib'
import type { Entry } from 'yauzl'
import { FeedError } from '../feed.ts'
import { printable } from '../sanitize-text.ts'
import { type Archive, toArchiveError, filesOf, openArchive } from './zip-archive.ts'

export interface ZipLimits {
  /** Which entries are wanted. The others are not unpacked. */
  readonly matches: (name: string) => boolean
  readonly maxEntryBytes: number
  /** Of all entries that are wanted. */
  readonly maxBytes: number
}

export interface ZipEntry {
  readonly name: string
  readonly bytes: Buffer
}

export interface NestedLimits {
  readonly maxBytes: number
}

const MAX_RATIO = 100
/** Short texts may well be that repetitive. */
const BYTES_BEFORE_RATIO_COUNTS = 1024 * 1024
const STORED = 0
const DEFLATED = 8

/** Calls onBytes with how many bytes of the file as it is stored were consumed. */
export async function* zipEntries(
  path: string,
  limits: ZipLimits,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<ZipEntry, void, undefined> {
  const archive = await openArchive(path)
  try {
    yield* wantedEntries(archive, limits, onBytes)
  } finally {
    await archive.handle.close()
  }
}

async function* wantedEntries(
  archive: Archive,
  limits: ZipLimits,
  onBytes: (count: number) => void,
): AsyncGenerator<ZipEntry, void, undefined> {
  const spend = allowance(archive.name, limits)
  let consumed = 0
  for await (const entry of filesOf(archive)) {
    const name = entry.fileName
    if (limits.matches(name)) yield { name, bytes: await contentOf(archive, spend(entry)) }
    consumed += entry.compressedSize
    onBytes(entry.compressedSize)
  }
  onBytes(archive.size - consumed)
}

/** Writes the only file in an archive, which must be a zip file itself, to this path. */
export async function unpackNested(path: string, into: string, limits: NestedLimits): Promise<void> {
  const archive = await openArchive(path)
  try {
    await writeEntry(archive, await onlyZipIn(archive, limits), into)
  } catch (error) {
    await rm(into, { force: true })
    throw toArchiveError(error, archive.name)
  } finally {
    await archive.handle.close()
  }
}

/** Takes the sizes that an archive states: nothing is unpacked beyond them. */
function allowance(name: string, limits: Omit<ZipLimits, 'matches'>): (entry: Entry) => Entry {
  let packedBytes = 0
  let bytes = 0
  return (entry) => {
    packedBytes += entry.compressedSize
    bytes += entry.uncompressedSize
    if (Math.max(entry.compressedSize, entry.uncompressedSize) > limits.maxEntryBytes)
      throw new FeedError(`${labelOf(name, entry)} is larger than the ${limits.maxEntryBytes} bytes allowed`)
    if (bytes > limits.maxBytes) throw new FeedError(`${name} holds more than the ${limits.maxBytes} bytes allowed`)
    if (bytes > BYTES_BEFORE_RATIO_COUNTS && bytes > packedBytes * MAX_RATIO)
      throw new FeedError(`${name} unpacks to more than ${MAX_RATIO} times its size, as no honest file does`)
    return entry
  }
}

/** In one go: a stream for each of some hundred thousand small entries takes twice the time. */
async function contentOf({ name, handle, zip }: Archive, entry: Entry): Promise<Buffer> {
  const label = labelOf(name, entry)
  try {
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
    const packed = Buffer.allocUnsafe(entry.compressedSize)
    await handle.read(packed, 0, packed.length, fileDataStart)
    const bytes = unpacked(label, entry, packed)
    refuseDamage(label, entry, bytes.length, crc32(bytes))
    return bytes
  } catch (error) {
    throw toArchiveError(error, label)
  }
}

function unpacked(label: string, { compressionMethod, uncompressedSize }: Entry, packed: Buffer): Buffer {
  if (compressionMethod === STORED) return packed
  if (compressionMethod === DEFLATED) return inflateRawSync(packed, { maxOutputLength: Math.max(1, uncompressedSize) })
  throw new FeedError(`${label} is packed by method ${compressionMethod}; we read what is stored or deflated`)
}

/** yauzl leaves the checksum to us. */
function refuseDamage(label: string, entry: Entry, bytes: number, checksum: number): void {
  if (bytes !== entry.uncompressedSize || checksum !== entry.crc32)
    throw new FeedError(`${label} is damaged: it is not what its checksum was made from`)
}

async function onlyZipIn(archive: Archive, { maxBytes }: NestedLimits): Promise<Entry> {
  const files: Entry[] = []
  for await (const entry of filesOf(archive)) {
    files.push(entry)
    if (files.length > 1) break
  }
  const [file] = files
  if (!file || files.length > 1 || !file.fileName.endsWith('.zip'))
    throw new FeedError(`${archive.name} was expected to hold one zip file and nothing else`)
  return allowance(archive.name, { maxEntryBytes: maxBytes, maxBytes })(file)
}

async function writeEntry({ name, zip }: Archive, entry: Entry, into: string): Promise<void> {
  let bytes = 0
  let checksum = 0
  await pipeline(
    await zip.openReadStreamPromise(entry),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.length
        checksum = crc32(chunk, checksum)
        yield chunk
      }
    },
    createWriteStream(into, { flags: 'wx' }),
  )
  refuseDamage(labelOf(name, entry), entry, bytes, checksum)
}

function labelOf(archive: string, entry: Entry): string {
  return `${archive}: ${printable(entry.fileName)}`
}
