// Opens an untrusted zip file and checks its metadata before any entry is decompressed.
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl'
import { FeedError } from '../feed.ts'
import { sanitizeText } from '../sanitize-text.ts'
import { toFileError } from './file-error.ts'

export interface Archive {
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

/** The caller closes the archive by closing its file handle. */
export async function openArchive(path: string): Promise<Archive> {
  const name = basename(path)
  let handle: FileHandle | undefined
  try {
    handle = await open(path)
    const { size } = await handle.stat()
    await assertOffsetInFile(handle, size, name)
    return { name, handle, size, zip: await fromFdPromise(handle.fd, { autoClose: false, strictFileNames: true }) }
  } catch (error) {
    await handle?.close()
    throw toArchiveError(error, name)
  }
}

/** Yields entries in the order of the central directory. Throws a FeedError for overlapping or unsupported entries. */
export async function* listArchiveFiles(archive: Archive): AsyncGenerator<Entry, void, undefined> {
  const { name, size } = archive
  let packedBytes = 0
  for await (const entry of listEntries(archive)) {
    packedBytes += entry.compressedSize
    if (packedBytes > size) throw new FeedError(`${name} is damaged or malicious: its entries overlap`)
    assertSupported(name, entry)
    if (!entry.fileName.endsWith('/')) yield entry
  }
}

async function* listEntries(archive: Archive): AsyncGenerator<Entry, void, undefined> {
  try {
    yield* archive.zip.eachEntry()
    await assertEntryCount(archive)
  } catch (error) {
    throw toArchiveError(error, archive.name)
  }
}

export function toArchiveError(error: unknown, name: string): unknown {
  const translated = toFileError(error, name)
  // yauzl reports a damaged archive with plain Errors. Subclasses such as TypeError are bugs in our code.
  return translated instanceof Error && translated.constructor === Error
    ? new FeedError(`${name} is damaged or malicious: ${sanitizeText(translated.message)}`, { cause: error })
    : translated
}

/** yauzl 3.4 reads at this offset in a callback, where the error for an impossible offset would crash the process. */
async function assertOffsetInFile(handle: FileHandle, size: number, name: string): Promise<void> {
  const length = Math.min(size, LOCATOR_BYTES + END_BYTES + MAX_COMMENT_LENGTH)
  const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length)
  for (let at = length - LOCATOR_BYTES - END_BYTES; at >= 0; at -= 1) {
    const isLocator =
      buffer.readUInt32LE(at + LOCATOR_BYTES) === END_SIGNATURE && buffer.readUInt32LE(at) === LOCATOR_SIGNATURE
    if (isLocator && buffer.readBigUInt64LE(at + 8) > size)
      throw new FeedError(`${name} is damaged: its central directory would start after the end of the file`)
  }
}

function assertSupported(name: string, entry: Entry): void {
  if (entry.isEncrypted()) throw new FeedError(`${name} contains an encrypted file: ${sanitizeText(entry.fileName)}`)
  const unixMode = entry.externalFileAttributes >>> 16
  if ((unixMode & FILE_TYPE) === SYMBOLIC_LINK)
    throw new FeedError(`${name} contains a symbolic link: ${sanitizeText(entry.fileName)}`)
}

/** Old programs store the number of entries modulo 65,536. In such an archive, yauzl would silently skip entries. */
async function assertEntryCount({ name, handle, zip }: Archive): Promise<void> {
  // yauzl's `readEntryCursor` is always a number here, although its declared type is wider.
  const end = Number(zip.readEntryCursor)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, end)
  if (bytesRead === 4 && buffer.readUInt32LE(0) === DIRECTORY_SIGNATURE)
    throw new FeedError(`${name} is damaged: it contains more than the ${zip.entryCount} entries that it declares`)
}
