// One record, from bytes to a value that PostgreSQL can store.
import { isUtf8 } from 'node:buffer'
import { printable } from '../sanitize-text.ts'
import { type Scan, scanValue, startScan } from './json-scan.ts'

export type ParsedRecord = { readonly value: unknown } | { readonly fault: string }

/** No upstream nests deeper than 20. Whoever goes through a value may do so by recursion. */
const DEEPEST = 64

const BYTE_ORDER_MARK = Buffer.from('\uFEFF')

/** A record that nobody has looked at yet. */
export function parseRecord(bytes: Buffer): ParsedRecord {
  const record = withoutByteOrderMark(bytes)
  const first = record.findIndex((byte) => byte > 0x20)
  if (first === -1) return { fault: 'empty' }
  const scan = startScan(record[first] ?? 0)
  scanValue(record, first, scan)
  return parseScanned(record, scan)
}

/** A record whose end was just searched for. */
export function parseScanned(bytes: Buffer, scan: Pick<Scan, 'deepest' | 'isSuspicious'>): ParsedRecord {
  if (scan.deepest > DEEPEST) return { fault: `nested ${scan.deepest} levels deep, more than the ${DEEPEST} allowed` }
  if (!isUtf8(bytes)) return { fault: 'not valid UTF-8' }
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return { value: scan.isSuspicious ? storable(value) : value }
  } catch (error) {
    return { fault: complaint(error) }
  }
}

class NumberTooLarge extends Error {
  override message = 'a number in it is too large to be represented'
}

/**
 * PostgreSQL has no NUL in text, and neither it nor UTF-8 has half a surrogate pair. Entries are defined, not assigned,
 * so that a key of the name __proto__ is a key like any other.
 */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (typeof value === 'number' && !Number.isFinite(value)) throw new NumberTooLarge()
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [storableText(key), storable(member)]))
}

function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

/** The parser quotes what it stumbled over, and that can be anything. */
function complaint(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return error instanceof NumberTooLarge ? message : printable(`not JSON: ${message}`)
}

function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? bytes.subarray(BYTE_ORDER_MARK.length)
    : bytes
}
