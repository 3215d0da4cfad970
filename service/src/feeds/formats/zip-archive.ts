// A zip file that is not trusted: what it says of itself is checked before anything is unpacked.
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl'
import { FeedError } from '../feed.ts'
import { printable } from '../sanitize-text.ts'
import { toFileError } from './file-error.ts'

export interface Archive {
  /** For people. */
  readonly name: string
  readonly handle: FileHandle
  readonly size: number
  readonly zip: ZipFile
}

const END_BYTES = 22
const LOCATOR_BYTES = 20
const MAX_COMMENT_LENGTH = 0xffff
const END_SIGNATURE = 0x06054b50
const LOCATOR_SIGNATURE = 0x07064b50
const DIRECTORY_SIGNATURE = 0x02014b50
const FILE_TYPE = 0o170000
const SYMBOLIC_LINK = 0o120000

/** The archive is closed by closing its handle. */
export async function openArchive(path: string): Promise<Archive> {
  const name = basename(path)
  let handle: FileHandle | undefined
  try {
    handle = await open(path)
    const { size } = await handle.stat()
    await refuseWildOffset(handle, size, name)
    return { name, handle, size, zip: await fromFdPromise(handle.fd, { autoClose: false, strictFileNames: true }) }
  } catch (error) {
    await handle?.close()
    throw toArchiveError(error, name)
  }
}

/** Its files in the order of its directory. Throws a FeedError for an archive that no honest program would write. */
export async function* filesOf(archive: Archive): AsyncGenerator<Entry, void, undefined> {
  const { name, size } = archive
  let packedBytes = 0
  for await (const entry of entriesOf(archive)) {
    packedBytes += entry.compressedSize
    if (packedBytes > size) throw new FeedError(`${name} is a trap: its entries overlap`)
    refuseUnreadable(name, entry)
    if (!entry.fileName.endsWith('/')) yield entry
  }
}

async function* entriesOf(archive: Archive): AsyncGenerator<Entry, void, undefined> {
  try {
    yield* archive.zip.eachEntry()
    await refuseShortCount(archive)
  } catch (error) {
    throw toArchiveError(error, archive.name)
  }
}

/** A FeedError for whatever is wrong with the archive, or with this entry of it. */
export function toArchiveError(error: unknown, name: string): unknown {
  const fault = toFileError(error, name)
  // yauzl complains of damage with plain errors; a TypeError would be a mistake of ours.
  return fault instanceof Error && fault.constructor === Error
    ? new FeedError(`${name} is damaged or a trap: ${printable(fault.message)}`, { cause: error })
    : fault
}

/**
 * yauzl 3.4 reads at the place that a zip64 locator names from within a callback, and an impossible place then ends the
 * whole process. So we look for it first.
 */
async function refuseWildOffset(handle: FileHandle, size: number, name: string): Promise<void> {
  const length = Math.min(size, LOCATOR_BYTES + END_BYTES + MAX_COMMENT_LENGTH)
  const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length)
  for (let at = length - LOCATOR_BYTES - END_BYTES; at >= 0; at -= 1) {
    const isLocator =
      buffer.readUInt32LE(at + LOCATOR_BYTES) === END_SIGNATURE && buffer.readUInt32LE(at) === LOCATOR_SIGNATURE
    if (isLocator && buffer.readBigUInt64LE(at + 8) > size)
      throw new FeedError(`${name} is damaged: its directory would be beyond its end`)
  }
}

function refuseUnreadable(name: string, entry: Entry): void {
  if (entry.isEncrypted()) throw new FeedError(`${name} is encrypted: ${printable(entry.fileName)}`)
  const unixMode = entry.externalFileAttributes >>> 16
  if ((unixMode & FILE_TYPE) === SYMBOLIC_LINK)
    throw new FeedError(`${name} holds a symbolic link: ${printable(entry.fileName)}`)
}

/** Old programs count the entries modulo 65,536, and all others would be passed over without a word. */
async function refuseShortCount({ name, handle, zip }: Archive): Promise<void> {
  // It is a number, whatever its type says.
  const end = Number(zip.readEntryCursor)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, end)
  if (bytesRead === 4 && buffer.readUInt32LE(0) === DIRECTORY_SIGNATURE)
    throw new FeedError(`${name} is damaged: it holds more than the ${zip.entryCount} entries that it counts`)
}
