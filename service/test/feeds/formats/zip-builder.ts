// Zip files, honest by default; any statement in them can be made a lie.
import { crc32, deflateRawSync } from 'node:zlib'

export interface TestEntry {
  readonly name: string
  readonly content: string | Buffer
  readonly isStored?: boolean
  readonly method?: number
  readonly isEncrypted?: boolean
  readonly unixMode?: number
  readonly checksum?: number
  /** As it is stated. */
  readonly size?: number
  readonly packedSize?: number
  /** It has no data of its own: those of the first entry are used once more. */
  readonly isAtFirst?: boolean
}

export interface TestEnd {
  readonly count?: number
  readonly directoryAt?: number
  /** A zip64 end with this place of the directory, to which a locator leads. */
  readonly zip64?: { readonly directoryAt?: number | bigint; readonly recordAt?: bigint }
  readonly comment?: string
}

export function zipOf(entries: readonly TestEntry[], end: TestEnd = {}): Buffer {
  const local: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const entry of entries) {
    const data = packed(entry)
    directory.push(directoryHeader(entry, data, entry.isAtFirst ? 0 : at))
    const own = entry.isAtFirst ? Buffer.alloc(0) : Buffer.concat([localHeader(entry, data), data])
    local.push(own)
    at += own.length
  }
  return Buffer.concat([...local, ...directory, ...endOf(entries.length, at, Buffer.concat(directory).length, end)])
}

function packed({ content, isStored }: TestEntry): Buffer {
  return isStored ? Buffer.from(content) : deflateRawSync(content)
}

/** What both headers have in common, from the flags to the length of the name. */
function statements(entry: TestEntry, data: Buffer): Buffer {
  const bytes = Buffer.alloc(24)
  bytes.writeUInt16LE(0x800 | (entry.isEncrypted ? 1 : 0), 0)
  bytes.writeUInt16LE(entry.method ?? (entry.isStored ? 0 : 8), 2)
  bytes.writeUInt32LE(entry.checksum ?? crc32(entry.content), 8)
  bytes.writeUInt32LE(entry.packedSize ?? data.length, 12)
  bytes.writeUInt32LE(entry.size ?? Buffer.from(entry.content).length, 16)
  bytes.writeUInt16LE(Buffer.from(entry.name).length, 20)
  return bytes
}

function localHeader(entry: TestEntry, data: Buffer): Buffer {
  return Buffer.concat([numbers(0x04034b50, 4), numbers(20, 2), statements(entry, data), Buffer.from(entry.name)])
}

function directoryHeader(entry: TestEntry, data: Buffer, at: number): Buffer {
  return Buffer.concat([
    numbers(0x02014b50, 4),
    numbers(0x0314, 2),
    numbers(20, 2),
    statements(entry, data),
    Buffer.alloc(6),
    numbers(((entry.unixMode ?? 0o100644) << 16) >>> 0, 4),
    numbers(at, 4),
    Buffer.from(entry.name),
  ])
}

function endOf(entries: number, directoryAt: number, directoryBytes: number, end: TestEnd): Buffer[] {
  const count = end.count ?? entries
  const record = [
    numbers(0x06064b50, 4),
    numbers(44, 8),
    numbers(0x0314, 2),
    numbers(45, 2),
    Buffer.alloc(8),
    numbers(count, 8),
    numbers(count, 8),
    numbers(directoryBytes, 8),
    numbers(end.zip64?.directoryAt ?? directoryAt, 8),
  ]
  const recordAt = end.zip64?.recordAt ?? BigInt(directoryAt + directoryBytes)
  const locator = [numbers(0x07064b50, 4), Buffer.alloc(4), numbers(recordAt, 8), numbers(1, 4)]
  const comment = Buffer.from(end.comment ?? '')
  return [
    ...(end.zip64 ? [...record, ...locator] : []),
    numbers(0x06054b50, 4),
    Buffer.alloc(4),
    numbers(end.zip64 ? 0xffff : count, 2),
    numbers(end.zip64 ? 0xffff : count, 2),
    numbers(directoryBytes, 4),
    numbers(end.zip64 ? 0xffffffff : (end.directoryAt ?? directoryAt), 4),
    numbers(comment.length, 2),
    comment,
  ]
}

function numbers(value: number | bigint, bytes: 2 | 4 | 8): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(BigInt(value))
  return buffer.subarray(0, bytes)
}
