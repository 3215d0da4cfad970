// Builds zip files for tests. Files are valid by default; every header field can be overridden with a wrong value.
import { crc32, deflateRawSync } from 'node:zlib'

export interface TestEntry {
  readonly name: string
  readonly content: string | Buffer
  readonly isStored?: boolean
  readonly method?: number
  readonly isEncrypted?: boolean
  readonly unixMode?: number
  readonly checksum?: number
  /** Size in the header of the zip entry, if it differs from the size of the content. */
  readonly size?: number
  readonly packedSize?: number
  /** True if the zip entry has no data of its own and refers to the data of the first entry. */
  readonly sharesFirst?: boolean
}

export interface TestEnd {
  readonly count?: number
  readonly directoryAt?: number
  /**
   * Adds a zip64 end record that states the given offset of the central directory, and a zip64 locator that states the
   * given offset of the end record.
   */
  readonly zip64?: { readonly directoryAt?: number | bigint; readonly recordAt?: bigint }
  readonly comment?: string
}

export function createZip(entries: readonly TestEntry[], end: TestEnd = {}): Buffer {
  const local: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const entry of entries) {
    const data = compress(entry)
    directory.push(buildDirectoryHeader(entry, data, entry.sharesFirst ? 0 : at))
    const own = entry.sharesFirst ? Buffer.alloc(0) : Buffer.concat([buildLocalHeader(entry, data), data])
    local.push(own)
    at += own.length
  }
  return Buffer.concat([...local, ...directory, ...buildEnd(entries.length, at, Buffer.concat(directory).length, end)])
}

function compress({ content, isStored }: TestEntry): Buffer {
  return isStored ? Buffer.from(content) : deflateRawSync(content)
}

/** Builds the fields that the local and the central header of a zip entry share, from the flags to the name length. */
function buildCommonFields(entry: TestEntry, data: Buffer): Buffer {
  const bytes = Buffer.alloc(24)
  bytes.writeUInt16LE(0x800 | (entry.isEncrypted ? 1 : 0), 0)
  bytes.writeUInt16LE(entry.method ?? (entry.isStored ? 0 : 8), 2)
  bytes.writeUInt32LE(entry.checksum ?? crc32(entry.content), 8)
  bytes.writeUInt32LE(entry.packedSize ?? data.length, 12)
  bytes.writeUInt32LE(entry.size ?? Buffer.from(entry.content).length, 16)
  bytes.writeUInt16LE(Buffer.from(entry.name).length, 20)
  return bytes
}

function buildLocalHeader(entry: TestEntry, data: Buffer): Buffer {
  return Buffer.concat([
    writeNumber(0x04034b50, 4),
    writeNumber(20, 2),
    buildCommonFields(entry, data),
    Buffer.from(entry.name),
  ])
}

function buildDirectoryHeader(entry: TestEntry, data: Buffer, at: number): Buffer {
  return Buffer.concat([
    writeNumber(0x02014b50, 4),
    writeNumber(0x0314, 2),
    writeNumber(20, 2),
    buildCommonFields(entry, data),
    Buffer.alloc(6),
    writeNumber(((entry.unixMode ?? 0o100644) << 16) >>> 0, 4),
    writeNumber(at, 4),
    Buffer.from(entry.name),
  ])
}

function buildEnd(entries: number, directoryAt: number, directoryBytes: number, end: TestEnd): Buffer[] {
  const count = end.count ?? entries
  const record = [
    writeNumber(0x06064b50, 4),
    writeNumber(44, 8),
    writeNumber(0x0314, 2),
    writeNumber(45, 2),
    Buffer.alloc(8),
    writeNumber(count, 8),
    writeNumber(count, 8),
    writeNumber(directoryBytes, 8),
    writeNumber(end.zip64?.directoryAt ?? directoryAt, 8),
  ]
  const recordAt = end.zip64?.recordAt ?? BigInt(directoryAt + directoryBytes)
  const locator = [writeNumber(0x07064b50, 4), Buffer.alloc(4), writeNumber(recordAt, 8), writeNumber(1, 4)]
  const comment = Buffer.from(end.comment ?? '')
  return [
    ...(end.zip64 ? [...record, ...locator] : []),
    writeNumber(0x06054b50, 4),
    Buffer.alloc(4),
    writeNumber(end.zip64 ? 0xffff : count, 2),
    writeNumber(end.zip64 ? 0xffff : count, 2),
    writeNumber(directoryBytes, 4),
    writeNumber(end.zip64 ? 0xffffffff : (end.directoryAt ?? directoryAt), 4),
    writeNumber(comment.length, 2),
    comment,
  ]
}

function writeNumber(value: number | bigint, bytes: 2 | 4 | 8): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(BigInt(value))
  return buffer.subarray(0, bytes)
}
