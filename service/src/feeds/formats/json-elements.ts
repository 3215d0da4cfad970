// Reads a JSON document that is too large for memory as a stream of the elements of its single large array:
// { "some": "members", "list": [ {…}, {…}, … ], "more": "members" }
//
// The structure around the elements is checked to the last byte. An error in the structure makes the whole document
// unusable, because other parts may be missing too. Each element is parsed separately, so that a bad one is rejected on
// its own.

import { FeedError, type Reading } from '../feed.ts'
import { type ByteCursor, close, createByteCursor, peek, takeValue } from './byte-cursor.ts'
import { charCode, expect, expectEnd, expectValue, hasNext, quoteName, skipByteOrderMark } from './json-syntax.ts'
import { parseScanned } from './parse-json.ts'

export interface Elements {
  readonly header: Readonly<Record<string, unknown>>
  /** Can be iterated once. Only iterating to the end proves that the document is complete. */
  readonly elements: AsyncIterable<Reading<unknown>>
  /** All members except the large array. Throws unless all elements have been read. */
  members(): Readonly<Record<string, unknown>>
  [Symbol.asyncDispose](): Promise<void>
}

export interface ElementOptions {
  readonly member: string
  readonly maxElementBytes?: number
  readonly maxOtherBytes?: number
}

interface Document {
  readonly cursor: ByteCursor
  readonly member: string
  readonly maxElementBytes: number
  readonly maxOtherBytes: number
  readonly others: Map<string, unknown>
  bytesLeft: number
  hasArray: boolean
  isComplete: boolean
}

const MEBIBYTE = 1024 * 1024
/** The largest known record is 2 MiB. Hostile JSON, once parsed, takes thirty times its size in memory. */
const MAX_ELEMENT_BYTES = 4 * MEBIBYTE
/** Enough for dates and counts, which are usually the only members outside the large array. */
const MAX_OTHER_BYTES = 64 * 1024
const MAX_NAMES_SHOWN = 10
const CVE_ID = /CVE-\d{4}-\d{4,19}/
/** A record's own CVE id is near its beginning, and other ids are rarely mentioned before it. */
const MAX_ID_SEARCH_BYTES = 2048

/** Error messages do not name the file; the caller adds the name. */
export async function readJsonElements(chunks: AsyncIterable<Buffer>, options: ElementOptions): Promise<Elements> {
  const { member, maxElementBytes = MAX_ELEMENT_BYTES, maxOtherBytes = MAX_OTHER_BYTES } = options
  const document: Document = {
    cursor: createByteCursor(chunks),
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

/** Reads all elements and returns the reader's return value. */
export async function readToEnd<T>(readings: AsyncGenerator<unknown, T, undefined>): Promise<T> {
  for (;;) {
    const { done, value } = await readings.next()
    if (done) return value
  }
}

async function openDocument(document: Document): Promise<void> {
  const { cursor, member } = document
  await skipByteOrderMark(cursor)
  const first = await peek(cursor)
  if (first === undefined) throw new FeedError(`the file is empty, expected a JSON object with the list "${member}"`)
  if (first === charCode('<')) throw new FeedError('the file is an HTML page or XML, expected JSON')
  await expect(cursor, '{', `a JSON object with the list "${member}"`)
  if ((await peek(cursor)) === charCode('}')) throw createMissingArrayError(document)
  await readMembers(document)
}

async function readMembers(document: Document): Promise<void> {
  const { cursor, member, others } = document
  do {
    const name = await takeName(document)
    await expect(cursor, ':', `a colon after ${quoteName(name)}`)
    if (name === member) return enterArray(document)
    if (others.has(name)) throw new FeedError(`the file has the member ${quoteName(name)} twice`)
    others.set(name, await takeMember(document, `the member ${quoteName(name)}`))
  } while (await hasNext(cursor, '}', 'member'))
  await finish(document)
}

async function takeName(document: Document): Promise<string> {
  if ((await peek(document.cursor)) !== charCode('"')) await expect(document.cursor, '"', 'the name of a member')
  return String(await takeMember(document, 'the name of a member'))
}

async function takeMember(document: Document, what: string): Promise<unknown> {
  const { cursor, member, bytesLeft, maxOtherBytes } = document
  await expectValue(cursor, what)
  const { scan, bytes, isTooLarge } = await takeValue(cursor, bytesLeft, what)
  if (isTooLarge)
    throw new FeedError(`the file has more than ${maxOtherBytes} bytes outside the list "${member}", found at ${what}`)
  document.bytesLeft -= bytes.length
  const parsed = parseScanned(bytes, scan)
  if ('error' in parsed) throw new FeedError(`the file has an error in ${what}: ${parsed.error}`)
  return parsed.value
}

async function enterArray(document: Document): Promise<void> {
  if (document.hasArray) throw new FeedError(`the file has the list "${document.member}" twice`)
  document.hasArray = true
  await expect(document.cursor, '[', `"${document.member}" to be a list`)
}

async function* readElements(document: Document): AsyncGenerator<Reading<unknown>, void, undefined> {
  const { cursor, member } = document
  try {
    let index = 0
    let hasMore = (await peek(cursor)) !== charCode(']') || (await hasNext(cursor, ']', 'element'))
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
  if (isTooLarge) return { rejected: addCveId(name, bytes), reason: `larger than ${maxElementBytes} bytes` }
  const parsed = parseScanned(bytes, scan)
  return 'error' in parsed ? { rejected: addCveId(name, bytes), reason: parsed.error } : { raw: parsed.value }
}

/** An array index alone does not help to find a rejected record. */
function addCveId(name: string, bytes: Buffer): string {
  const id = CVE_ID.exec(bytes.toString('latin1', 0, MAX_ID_SEARCH_BYTES))?.[0]
  return id ? `${name} (${id})` : name
}

async function finish(document: Document): Promise<void> {
  if (!document.hasArray) throw createMissingArrayError(document)
  await expectEnd(document.cursor)
  document.isComplete = true
}

function createMissingArrayError({ member, others }: Document): FeedError {
  const names = [...others.keys()].slice(0, MAX_NAMES_SHOWN).map(quoteName).join(', ')
  return new FeedError(`the file has no list "${member}"; its members are: ${names || 'none'}`)
}
