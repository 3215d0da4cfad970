// Parses one JSON record into a value that PostgreSQL can store.
import { isUtf8 } from 'node:buffer'
import { sanitizeText } from '../sanitize-text.ts'
import { type Scan, scanValue, startScan } from './json-scan.ts'

export type ParsedRecord = { readonly value: unknown } | { readonly error: string }

/** No upstream nests deeper than 20. Recursive functions on deeper values could overflow the stack. */
const MAX_DEPTH = 64

const BYTE_ORDER_MARK = Buffer.from('\uFEFF')

export function parseRecord(bytes: Buffer): ParsedRecord {
  const record = stripByteOrderMark(bytes)
  const first = record.findIndex((byte) => byte > 0x20)
  if (first === -1) return { error: 'empty' }
  const scan = startScan(record[first] ?? 0)
  scanValue(record, first, scan)
  return parseScanned(record, scan)
}

export function parseScanned(bytes: Buffer, scan: Pick<Scan, 'deepest' | 'isSuspicious'>): ParsedRecord {
  if (scan.deepest > MAX_DEPTH) return { error: `nested ${scan.deepest} levels deep, at most ${MAX_DEPTH} are allowed` }
  if (!isUtf8(bytes)) return { error: 'not valid UTF-8' }
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return { value: scan.isSuspicious ? toStorable(value) : value }
  } catch (error) {
    return { error: describeParseError(error) }
  }
}

class NumberTooLargeError extends Error {
  override message = 'a number is too large'
}

/** PostgreSQL text cannot contain NUL or unpaired surrogates. Object.fromEntries makes __proto__ an ordinary key. */
function toStorable(value: unknown): unknown {
  if (typeof value === 'string') return toStorableText(value)
  if (typeof value === 'number' && !Number.isFinite(value)) throw new NumberTooLargeError()
  if (Array.isArray(value)) return value.map(toStorable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [toStorableText(key), toStorable(member)]))
}

function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

/** The message of JSON.parse quotes the input, so it is sanitized. */
function describeParseError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return error instanceof NumberTooLargeError ? message : sanitizeText(`not JSON: ${message}`)
}

function stripByteOrderMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? bytes.subarray(BYTE_ORDER_MARK.length)
    : bytes
}
