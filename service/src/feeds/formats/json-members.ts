// Reads a JSON document that is too large for memory as a stream of the members of its single object:
// { "first": {…}, "second": {…}, … }
//
// The structure is checked to the last byte. An error in the structure or in a member makes the whole document unusable,
// because a missing member would look like one that upstream removed.
import { FeedError } from '../feed.ts'
import { type ByteCursor, close, createByteCursor, peek, takeValue } from './byte-cursor.ts'
import { charCode, expect, expectEnd, expectValue, hasNext, quoteName, skipByteOrderMark } from './json-syntax.ts'
import { parseScanned } from './parse-json.ts'

interface Member {
  readonly name: string
  readonly value: unknown
}

const MAX_NAME_BYTES = 1024

/** Error messages do not name the file; the caller adds the name. */
export async function* readJsonMembers(
  chunks: AsyncIterable<Buffer>,
  { maxMemberBytes }: { readonly maxMemberBytes: number },
): AsyncGenerator<Member, void, undefined> {
  const cursor = createByteCursor(chunks)
  try {
    await skipByteOrderMark(cursor)
    if ((await peek(cursor)) === charCode('<')) throw new FeedError('the file is an HTML page or XML, expected JSON')
    await expect(cursor, '{', 'a JSON object')
    let hasMore = (await peek(cursor)) !== charCode('}') || (await hasNext(cursor, '}', 'member'))
    while (hasMore) {
      yield await takeMember(cursor, maxMemberBytes)
      hasMore = await hasNext(cursor, '}', 'member')
    }
    await expectEnd(cursor)
  } finally {
    await close(cursor)
  }
}

async function takeMember(cursor: ByteCursor, maxMemberBytes: number): Promise<Member> {
  if ((await peek(cursor)) !== charCode('"')) await expect(cursor, '"', 'the name of a member')
  const name = String(await takeParsed(cursor, MAX_NAME_BYTES, 'the name of a member'))
  const what = `the member ${quoteName(name)}`
  await expect(cursor, ':', `a colon after ${quoteName(name)}`)
  await expectValue(cursor, what)
  return { name, value: await takeParsed(cursor, maxMemberBytes, what) }
}

async function takeParsed(cursor: ByteCursor, maxBytes: number, what: string): Promise<unknown> {
  const { scan, bytes, isTooLarge } = await takeValue(cursor, maxBytes, what)
  if (isTooLarge) throw new FeedError(`${what} is larger than ${maxBytes} bytes`)
  const parsed = parseScanned(bytes, scan)
  if ('error' in parsed) throw new FeedError(`the file has an error in ${what}: ${parsed.error}`)
  return parsed.value
}
