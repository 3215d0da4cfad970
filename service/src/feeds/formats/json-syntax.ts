// Checks the syntax around the values of a JSON document that is read as a stream.
import { FeedError } from '../feed.ts'
import { sanitizeText } from '../sanitize-text.ts'
import { type ByteCursor, peek, peekByte, position } from './byte-cursor.ts'

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const VALUE_STARTS = new Set(Buffer.from('{["-0123456789tfn'))
const MAX_SHOWN_NAME_LENGTH = 40

export async function skipByteOrderMark(cursor: ByteCursor): Promise<void> {
  if ((await peekByte(cursor)) !== BYTE_ORDER_MARK[0]) return
  for (const byte of BYTE_ORDER_MARK) {
    const next = await peekByte(cursor)
    if (next !== byte) throw createSyntaxError(cursor, next, 'the rest of a byte order mark')
    cursor.at += 1
  }
}

/** Consumes a comma or the closing bracket. Returns false for the bracket. */
export async function hasNext(cursor: ByteCursor, end: string, what: string): Promise<boolean> {
  const next = await peek(cursor)
  if (next !== charCode(',') && next !== charCode(end))
    throw createSyntaxError(cursor, next, `"," and another ${what}, or "${end}"`)
  cursor.at += 1
  return next !== charCode(end)
}

export async function expectEnd(cursor: ByteCursor): Promise<void> {
  const next = await peek(cursor)
  if (next !== undefined)
    throw new FeedError(`the file continues after its end with ${quoteByte(next)} at byte ${position(cursor)}`)
}

export function quoteName(name: string): string {
  return `"${sanitizeText(name, MAX_SHOWN_NAME_LENGTH)}"`
}

export async function expectValue(cursor: ByteCursor, what: string): Promise<void> {
  const next = await peek(cursor)
  if (next === undefined || !VALUE_STARTS.has(next)) throw createSyntaxError(cursor, next, what)
}

export async function expect(cursor: ByteCursor, character: string, what: string): Promise<void> {
  const next = await peek(cursor)
  if (next !== charCode(character)) throw createSyntaxError(cursor, next, what)
  cursor.at += 1
}

function createSyntaxError(cursor: ByteCursor, found: number | undefined, what: string): FeedError {
  return found === undefined
    ? new FeedError(`the file is truncated: it ends at byte ${position(cursor)}, expected ${what}`)
    : new FeedError(`the file has ${quoteByte(found)} at byte ${position(cursor)}, expected ${what}`)
}

function quoteByte(byte: number): string {
  return byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `the byte 0x${byte.toString(16)}`
}

export function charCode(character: string): number {
  return character.charCodeAt(0)
}
