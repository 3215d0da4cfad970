// Cuts a JSON document that is too large for memory into the elements of the one array that makes it large:
// { "some": "members", "list": [ {…}, {…}, … ], "more": "members" }
//
// What holds the elements together is checked to the last byte, and a fault in it is a fault of the whole document:
// nobody could say what else is missing. Each element is parsed alone, and a bad one is rejected alone.

import { FeedError, type Reading } from '../feed.ts'
import { printable } from '../sanitize-text.ts'
import { type ByteCursor, close, cursorOver, peek, peekByte, position, takeValue } from './byte-cursor.ts'
import { parseScanned } from './parse-json.ts'

export interface Elements {
  /** The members before the array. */
  readonly header: Readonly<Record<string, unknown>>
  /** To be read once, and to the end: only then is it certain that the end is there. */
  readonly elements: AsyncIterable<Reading<unknown>>
  /** All members but the array, once all elements are read. */
  members(): Readonly<Record<string, unknown>>
  /** For a reader that does not want the elements after all. */
  [Symbol.asyncDispose](): Promise<void>
}

export interface CutOptions {
  /** The name of the array, which is a member of the document itself. */
  readonly member: string
  readonly maxElementBytes?: number
  /** For documents that have more beside the array than dates and numbers. */
  readonly maxOtherBytes?: number
}

interface Document {
  readonly cursor: ByteCursor
  readonly member: string
  readonly maxElementBytes: number
  readonly maxOtherBytes: number
  /** The members beside the array. */
  readonly others: Map<string, unknown>
  /** What they may still take. */
  bytesLeft: number
  hasArray: boolean
  isComplete: boolean
}

const MEBIBYTE = 1024 * 1024
/** The largest known record has two; parsed, hostile JSON takes thirty times its size. */
const MAX_ELEMENT_BYTES = 4 * MEBIBYTE
/** The members beside the array are dates and numbers, as a rule. */
const MAX_OTHER_BYTES = 64 * 1024
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const BEGINS_A_VALUE = new Set(Buffer.from('{["-0123456789tfn'))
const MAX_NAMES_SHOWN = 10
const MAX_SHOWN_NAME_LENGTH = 40
const CVE_ID = /CVE-\d{4}-\d{4,19}/
/** An id stands at the beginning of its record, and what else is named there is rarely another one. */
const BYTES_TO_FIND_AN_ID = 2048

/** Its faults speak of "it": which file it is, the caller knows. */
export async function cutElements(chunks: AsyncIterable<Buffer>, options: CutOptions): Promise<Elements> {
  const { member, maxElementBytes = MAX_ELEMENT_BYTES, maxOtherBytes = MAX_OTHER_BYTES } = options
  const document: Document = {
    cursor: cursorOver(chunks),
    member,
    maxElementBytes,
    maxOtherBytes,
    others: new Map(),
    bytesLeft: maxOtherBytes,
    hasArray: false,
    isComplete: false,
  }
  try {
    await openDocument(document)
  } catch (error) {
    await close(document.cursor)
    throw error
  }
  return {
    header: Object.fromEntries(document.others),
    elements: readElements(document),
    members: () => {
      if (!document.isComplete) throw new Error('the elements were not read to the end')
      return Object.fromEntries(document.others)
    },
    [Symbol.asyncDispose]: () => close(document.cursor),
  }
}

/** Up to the first element. */
async function openDocument(document: Document): Promise<void> {
  const { cursor, member } = document
  await skipByteOrderMark(cursor)
  const first = await peek(cursor)
  if (first === undefined) throw new FeedError(`it is empty; expected a JSON object with the list "${member}"`)
  if (first === code('<')) throw new FeedError('it is a web page or XML; expected JSON')
  await expect(cursor, '{', `a JSON object with the list "${member}"`)
  if ((await peek(cursor)) === code('}')) throw missingArray(document)
  await readMembers(document)
}

async function skipByteOrderMark(cursor: ByteCursor): Promise<void> {
  if ((await peekByte(cursor)) !== BYTE_ORDER_MARK[0]) return
  for (const byte of BYTE_ORDER_MARK) {
    const next = await peekByte(cursor)
    if (next !== byte) throw unexpected(cursor, next, 'the rest of a byte order mark')
    cursor.at += 1
  }
}

/** From a name up to the beginning of the array, or else to the end of the document. */
async function readMembers(document: Document): Promise<void> {
  const { cursor, member, others } = document
  do {
    const name = await takeName(document)
    await expect(cursor, ':', `a colon after ${quotedName(name)}`)
    if (name === member) return enterArray(document)
    if (others.has(name)) throw new FeedError(`it has the member ${quotedName(name)} twice`)
    others.set(name, await takeMember(document, `the member ${quotedName(name)}`))
  } while (await hasNext(cursor, '}', 'member'))
  await finish(document)
}

async function takeName(document: Document): Promise<string> {
  if ((await peek(document.cursor)) !== code('"')) await expect(document.cursor, '"', 'the name of a member')
  return String(await takeMember(document, 'the name of a member'))
}

async function takeMember(document: Document, what: string): Promise<unknown> {
  const { cursor, member, bytesLeft, maxOtherBytes } = document
  await expectValue(cursor, what)
  const { scan, bytes, isTooLarge } = await takeValue(cursor, bytesLeft, what)
  if (isTooLarge)
    throw new FeedError(`it has more than ${maxOtherBytes} bytes beside the list "${member}", with ${what}`)
  document.bytesLeft -= bytes.length
  const parsed = parseScanned(bytes, scan)
  if ('fault' in parsed) throw new FeedError(`it has a fault in ${what}: ${parsed.fault}`)
  return parsed.value
}

async function enterArray(document: Document): Promise<void> {
  if (document.hasArray) throw new FeedError(`it has the list "${document.member}" twice`)
  document.hasArray = true
  await expect(document.cursor, '[', `"${document.member}" to be a list`)
}

async function* readElements(document: Document): AsyncGenerator<Reading<unknown>, void, undefined> {
  const { cursor, member } = document
  try {
    let index = 0
    let hasMore = (await peek(cursor)) !== code(']') || (await hasNext(cursor, ']', 'element'))
    while (hasMore) {
      yield await takeElement(document, `${member}[${index++}]`)
      hasMore = await hasNext(cursor, ']', 'element')
    }
    if (await hasNext(cursor, '}', 'member')) await readMembers(document)
    else await finish(document)
  } finally {
    await close(cursor)
  }
}

async function takeElement({ cursor, maxElementBytes }: Document, name: string): Promise<Reading<unknown>> {
  await expectValue(cursor, name)
  const { scan, bytes, isTooLarge } = await takeValue(cursor, maxElementBytes, name)
  if (isTooLarge) return { rejected: withId(name, bytes), reason: `larger than ${maxElementBytes} bytes` }
  const parsed = parseScanned(bytes, scan)
  return 'fault' in parsed ? { rejected: withId(name, bytes), reason: parsed.fault } : { raw: parsed.value }
}

/** In a document without lines, its number does not help anybody to find a record. */
function withId(name: string, bytes: Buffer): string {
  const id = CVE_ID.exec(bytes.toString('latin1', 0, BYTES_TO_FIND_AN_ID))?.[0]
  return id ? `${name} (${id})` : name
}

/** What follows something in a list: a comma and something else, or the end. */
async function hasNext(cursor: ByteCursor, end: string, what: string): Promise<boolean> {
  const next = await peek(cursor)
  if (next !== code(',') && next !== code(end)) throw unexpected(cursor, next, `"," and another ${what}, or "${end}"`)
  cursor.at += 1
  return next !== code(end)
}

async function finish(document: Document): Promise<void> {
  if (!document.hasArray) throw missingArray(document)
  const { cursor } = document
  const next = await peek(cursor)
  if (next !== undefined)
    throw new FeedError(`it goes on after its end, with ${quoted(next)} at byte ${position(cursor)}`)
  document.isComplete = true
}

function missingArray({ member, others }: Document): FeedError {
  const names = [...others.keys()].slice(0, MAX_NAMES_SHOWN).map(quotedName).join(', ')
  return new FeedError(`it has no list "${member}"; its members are: ${names || 'none'}`)
}

function quotedName(name: string): string {
  return `"${printable(name, MAX_SHOWN_NAME_LENGTH)}"`
}

async function expectValue(cursor: ByteCursor, what: string): Promise<void> {
  const next = await peek(cursor)
  if (next === undefined || !BEGINS_A_VALUE.has(next)) throw unexpected(cursor, next, what)
}

async function expect(cursor: ByteCursor, character: string, what: string): Promise<void> {
  const next = await peek(cursor)
  if (next !== code(character)) throw unexpected(cursor, next, what)
  cursor.at += 1
}

function unexpected(cursor: ByteCursor, found: number | undefined, what: string): FeedError {
  return found === undefined
    ? new FeedError(`it is cut off: it ends at byte ${position(cursor)}, where we expected ${what}`)
    : new FeedError(`it has ${quoted(found)} at byte ${position(cursor)}, where we expected ${what}`)
}

function quoted(byte: number): string {
  return byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `the byte 0x${byte.toString(16)}`
}

function code(character: string): number {
  return character.charCodeAt(0)
}
