import { describe, expect, it } from 'vitest'
import { bytesHeld, faultOf, hundredMegabytes, inChunks, readDocument } from './json-chunks.ts'

const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE

describe('A document that is refused as a whole', () => {
  it.each([
    ['nothing at all', '', 'it is empty; expected a JSON object with the list "list"'],
    ['nothing but blanks', ' \r\n ', 'it is empty; expected a JSON object with the list "list"'],
    ['a web page', '\n<!DOCTYPE html><html></html>', 'it is a web page or XML; expected JSON'],
    ['an array', '[{"id":1}]', 'it has "[" at byte 0, where we expected a JSON object with the list "list"'],
    ['a string', '"list"', 'it has """ at byte 0, where we expected a JSON object with the list "list"'],
    [
      'binary data',
      Buffer.from([0, 1, 2]),
      'it has the byte 0x0 at byte 0, where we expected a JSON object with the list "list"',
    ],
    [
      'half a byte order mark',
      Buffer.from('\xef\xbb{"list":[]}', 'latin1'),
      'it has "{" at byte 2, where we expected the rest of a byte order mark',
    ],
    ['no members', '{ }', 'it has no list "list"; its members are: none'],
    ['other members only', '{"a":1,"lists":[1]}', 'it has no list "list"; its members are: "a", "lists"'],
    ['the array only deeper inside', '{"data":{"list":[1]}}', 'it has no list "list"; its members are: "data"'],
    ['the array only in a text', '{"data":"\\"list\\":[1]"}', 'it has no list "list"; its members are: "data"'],
    [
      'an object in place of the array',
      '{"list":{"0":1}}',
      'it has "{" at byte 8, where we expected "list" to be a list',
    ],
    ['names of control characters', '{"a\\u001b[31m\\u0007":1}', 'it has no list "list"; its members are: "a [31m "'],
    ['a long name', `{"${'x'.repeat(999)}":1}`, `it has no list "list"; its members are: "${'x'.repeat(40)}…"`],
    ['null in place of the array', '{"list":null}', 'it has "n" at byte 8, where we expected "list" to be a list'],
    ['the array twice', '{"list":[1],"list":[2]}', 'it has the list "list" twice'],
    ['another member twice', '{"total":1,"list":[],"total":2}', 'it has the member "total" twice'],
    [
      'no comma between elements',
      '{"list":[{} {}]}',
      'it has "{" at byte 12, where we expected "," and another element, or "]"',
    ],
    [
      'a colon between elements',
      '{"list":["a":1]}',
      'it has ":" at byte 12, where we expected "," and another element, or "]"',
    ],
    ['two commas between elements', '{"list":[1,,2]}', 'it has "," at byte 11, where we expected list[1]'],
    ['a comma before the first element', '{"list":[,1]}', 'it has "," at byte 9, where we expected list[0]'],
    ['a comma after the last element', '{"list":[1,]}', 'it has "]" at byte 11, where we expected list[1]'],
    ['something that begins no value', '{"list":[1,<b>]}', 'it has "<" at byte 11, where we expected list[1]'],
    [
      'the wrong bracket at the end',
      '{"list":[1}}',
      'it has "}" at byte 10, where we expected "," and another element, or "]"',
    ],
    [
      'no comma between members',
      '{"a":1 "list":[]}',
      'it has """ at byte 7, where we expected "," and another member, or "}"',
    ],
    ['a comma after the last member', '{"list":[],}', 'it has "}" at byte 11, where we expected the name of a member'],
    ['a name without quotes', '{list:[]}', 'it has "l" at byte 1, where we expected the name of a member'],
    ['no colon', '{"list" []}', 'it has "[" at byte 8, where we expected a colon after "list"'],
    ['a member without a value', '{"a":,"list":[]}', 'it has "," at byte 5, where we expected the member "a"'],
    ['a member that is no JSON', '{"a":truth,"list":[]}', /^it has a fault in the member "a": not JSON/],
    [
      'a member beyond all numbers',
      '{"a":1e999,"list":[]}',
      /^it has a fault in the member "a": a number in it is too large/,
    ],
    ['a name that is no JSON', '{"\\x":1,"list":[]}', /^it has a fault in the name of a member: not JSON/],
    ['a second document after it', '{"list":[]}\n{"list":[]}', 'it goes on after its end, with "{" at byte 12'],
    ['a zero after it', '{"list":[]}\0', 'it goes on after its end, with the byte 0x0 at byte 11'],
  ])('has %s', async (_, content, complaint) => {
    for (const sizes of [[1], [7], [1000]])
      expect(await faultOf(readDocument(inChunks(content, sizes)))).toEqual(
        typeof complaint === 'string' ? complaint : expect.stringMatching(complaint),
      )
  })

  it('is cut off anywhere', async () => {
    const bytes = Buffer.from('{"total": 2, "list": [{"a":"é\\n"}, "b", 12], "after": {"x":[true]}}')
    for (let length = 1; length < bytes.length; length += 1)
      expect(await faultOf(readDocument(inChunks(bytes.subarray(0, length), [5]))), `after ${length} bytes`).toMatch(
        /^it is cut off/,
      )
  })

  it('says within which element it is cut off', async () => {
    expect(await faultOf(readDocument(inChunks('{"list":[1,{"id":"CVE-20')))).toBe(
      'it is cut off: it ends within list[1]',
    )
  })

  it.each([
    ['a large member before the array', `{"a":"${'x'.repeat(64 * KIBIBYTE)}","list":[]}`],
    ['a large member after the array', `{"list":[],"a":"${'x'.repeat(64 * KIBIBYTE)}"}`],
    ['many small members', `{${Array.from({ length: 9000 }, (_, at) => `"${at}":1234`).join()},"list":[]}`],
    ['a long name', `{"${'x'.repeat(64 * KIBIBYTE)}":1,"list":[]}`],
    ['the list under another name', JSON.stringify({ lists: Array(9000).fill('an element') })],
  ])('has more than 64 KiB beside the array: %s', async (_, text) => {
    expect(await faultOf(readDocument(inChunks(text, [4096])))).toMatch(
      /^it has more than 65536 bytes beside the list "list", with the (member|name)/,
    )
  })
})

it('What is beside the array may be larger where the reader says so, and no larger than that', async () => {
  const text = (bytes: number) => `{"a":"${'x'.repeat(bytes)}","list":[7]}`
  const read = (bytes: number) => readDocument(inChunks(text(bytes), [4096]), { maxOtherBytes: 128 * KIBIBYTE })

  expect(await read(100 * KIBIBYTE)).toMatchObject({ values: [7] })
  expect(await faultOf(read(128 * KIBIBYTE))).toMatch(/^it has more than 131072 bytes beside the list "list"/)
})

describe('An element that is rejected alone', () => {
  it.each([
    ['no JSON', '{"id":}', /^not JSON: /],
    ['a word that JSON does not have', 'nul', /^not JSON: /],
    ['a number that JSON does not have', '01', /^not JSON: /],
    ['an unescaped control character', '"a\nb"', /^not JSON: /],
    ['brackets that do not match', '{"a":[1}]', /^not JSON: /],
    ['not UTF-8', Buffer.from('{"a":"\xff"}', 'latin1'), 'not valid UTF-8'],
    ['a number beyond all numbers', '{"score":1e999}', 'a number in it is too large to be represented'],
    ['nested too deep', '['.repeat(65) + ']'.repeat(65), 'nested 65 levels deep, more than the 64 allowed'],
    ['too large by a byte', `"${'x'.repeat(199)}"`, 'larger than 200 bytes'],
    ['too large, and no JSON', `{${'x'.repeat(300)}`.concat('}'), 'larger than 200 bytes'],
  ])('is %s; its neighbours are read', async (_, element, reason) => {
    const bytes = Buffer.concat([Buffer.from('{"list":[{"id":1}, '), Buffer.from(element), Buffer.from(', {"id":3}]}')])
    for (const sizes of [[1], [7], [1000]])
      expect(await readDocument(inChunks(bytes, sizes), { maxElementBytes: 200 })).toMatchObject({
        values: [{ id: 1 }, { id: 3 }],
        rejected: [
          { rejected: 'list[1]', reason: typeof reason === 'string' ? reason : expect.stringMatching(reason) },
        ],
      })
  })

  it('holds a number of more digits than there are numbers, wherever the chunks end', async () => {
    const text = `{"list":[{"id":1}, {"score":${'9'.repeat(400)}}, {"id":3}]}`
    for (const size of [1, 10, 100, 250, 1000])
      expect(await readDocument(inChunks(text, [size]))).toMatchObject({
        values: [{ id: 1 }, { id: 3 }],
        rejected: [{ rejected: 'list[1]', reason: 'a number in it is too large to be represented' }],
      })
  })

  it('is called by the CVE id that it begins with, if there is one', async () => {
    const text = `{"list":[{"cve":{"id":"CVE-2026-0007","score":}},{"cve":{"id":"CVE-2026-0008","text":"${'x'.repeat(200)}"}}]}`
    const { rejected } = await readDocument(inChunks(text, [16]), { maxElementBytes: 100 })
    expect(rejected.map((each) => each.rejected)).toEqual(['list[0] (CVE-2026-0007)', 'list[1] (CVE-2026-0008)'])
  })

  it('may have exactly the size and the depth that are allowed', async () => {
    const [large, deep] = [`"${'x'.repeat(198)}"`, '['.repeat(64) + ']'.repeat(64)]
    expect(await readDocument(inChunks(`{"list":[${large},${deep}]}`), { maxElementBytes: 200 })).toMatchObject({
      values: [JSON.parse(large), JSON.parse(deep)],
      rejected: [],
    })
  })
})

describe('Memory', () => {
  it.each([
    ['a text of 100 MB', '"', 'xx', '"'],
    ['a list of 100 MB', '{"a":[', '10', ']}'],
    ['50 million brackets, and as many that close them', '[', '[]', ']'],
  ])('stays small while %s passes', async (_, opening, halves, closing) => {
    const held = [bytesHeld()]
    async function* source() {
      yield Buffer.from(`{"list":[{"id":1},${opening}`)
      yield* hundredMegabytes(halves, (bytes) => held.push(bytes))
      yield Buffer.from(`${closing},{"id":3}]}`)
    }

    const { values, rejected } = await readDocument(source(), { maxElementBytes: MEBIBYTE })

    expect(values).toEqual([{ id: 1 }, { id: 3 }])
    expect(rejected).toEqual([{ rejected: 'list[1]', reason: 'larger than 1048576 bytes' }])
    expect(Math.max(...held) - Math.min(...held)).toBeLessThan(20 * MEBIBYTE)
  })
})
