// Reads the entries of a zip file, one at a time and within limits. Entry names are returned to the caller and never
// used as file paths.

import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { crc32, inflateRawSync } from 'node:zlib'
import type { Entry } from 'yauzl'
import { FeedError } from '../feed.ts'
import { sanitizeText } from '../sanitize-text.ts'
import { type Archive, listArchiveFiles, openArchive, toArchiveError } from './zip-archive.ts'

export interface ZipLimits {
  readonly matches: (name: string) => boolean
  readonly maxEntryBytes: number
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
/** Smaller files may be harmless even if they are so repetitive that they exceed the ratio. */
const MIN_BYTES_FOR_RATIO = 1024 * 1024
const STORED = 0
const DEFLATED = 8

export async function* readZipEntries(
  path: string,
  limits: ZipLimits,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<ZipEntry, void, undefined> {
  const archive = await openArchive(path)
  try {
    yield* readSelected(archive, limits, onBytes)
  } finally {
    await archive.handle.close()
  }
}

async function* readSelected(
  archive: Archive,
  limits: ZipLimits,
  onBytes: (count: number) => void,
): AsyncGenerator<ZipEntry, void, undefined> {
  const checkLimits = createLimitCheck(archive.name, limits)
  let consumed = 0
  for await (const entry of listArchiveFiles(archive)) {
    const name = entry.fileName
    if (limits.matches(name)) yield { name, bytes: await readEntry(archive, checkLimits(entry)) }
    consumed += entry.compressedSize
    onBytes(entry.compressedSize)
  }
  onBytes(archive.size - consumed)
}

/** Extracts the only file of a zip archive to the path `into`. That file must itself be a zip file. */
export async function extractNestedZip(path: string, into: string, limits: NestedLimits): Promise<void> {
  const archive = await openArchive(path)
  try {
    await writeEntry(archive, await findOnlyZip(archive, limits), into)
  } catch (error) {
    await rm(into, { force: true })
    throw toArchiveError(error, archive.name)
  } finally {
    await archive.handle.close()
  }
}

/** Checks declared sizes. A wrong one does no harm, because decompression stops at the declared size. */
function createLimitCheck(name: string, limits: Omit<ZipLimits, 'matches'>): (entry: Entry) => Entry {
  let packedBytes = 0
  let bytes = 0
  return (entry) => {
    packedBytes += entry.compressedSize
    bytes += entry.uncompressedSize
    if (Math.max(entry.compressedSize, entry.uncompressedSize) > limits.maxEntryBytes)
      throw new FeedError(`${formatLabel(name, entry)} is larger than the limit of ${limits.maxEntryBytes} bytes`)
    if (bytes > limits.maxBytes) throw new FeedError(`${name} contains more than the limit of ${limits.maxBytes} bytes`)
    if (bytes > MIN_BYTES_FOR_RATIO && bytes > packedBytes * MAX_RATIO)
      throw new FeedError(
        `${name} decompresses to more than ${MAX_RATIO} times its size, which suggests a decompression bomb`,
      )
    return entry
  }
}

/** Decompresses synchronously, because streams take twice as long for several hundred thousand small entries. */
async function readEntry({ name, handle, zip }: Archive, entry: Entry): Promise<Buffer> {
  const label = formatLabel(name, entry)
  try {
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
    const packed = Buffer.allocUnsafe(entry.compressedSize)
    await handle.read(packed, 0, packed.length, fileDataStart)
    const bytes = decompress(label, entry, packed)
    assertIntact(label, entry, bytes.length, crc32(bytes))
    return bytes
  } catch (error) {
    throw toArchiveError(error, label)
  }
}

function decompress(label: string, { compressionMethod, uncompressedSize }: Entry, packed: Buffer): Buffer {
  if (compressionMethod === STORED) return packed
  if (compressionMethod === DEFLATED) return inflateRawSync(packed, { maxOutputLength: Math.max(1, uncompressedSize) })
  throw new FeedError(
    `${label} uses compression method ${compressionMethod}, but only stored and deflated entries are supported`,
  )
}

/** yauzl does not verify checksums. */
function assertIntact(label: string, entry: Entry, bytes: number, checksum: number): void {
  if (bytes !== entry.uncompressedSize || checksum !== entry.crc32)
    throw new FeedError(`${label} is damaged: its size or checksum does not match`)
}

async function findOnlyZip(archive: Archive, { maxBytes }: NestedLimits): Promise<Entry> {
  const files: Entry[] = []
  for await (const entry of listArchiveFiles(archive)) {
    files.push(entry)
    if (files.length > 1) break
  }
  const [file] = files
  if (!file || files.length > 1 || !file.fileName.endsWith('.zip'))
    throw new FeedError(`${archive.name} must contain exactly one file, a zip file`)
  return createLimitCheck(archive.name, { maxEntryBytes: maxBytes, maxBytes })(file)
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
  assertIntact(formatLabel(name, entry), entry, bytes, checksum)
}

function formatLabel(archive: string, entry: Entry): string {
  return `${archive}: ${sanitizeText(entry.fileName)}`
}
