import { describe, expect, it } from 'vitest'
import { generateFortyMegabytes, measureHeldBytes, readDocument, readErrorMessage, toChunks } from './json-chunks.ts'

const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE

describe('JSON element reader: rejected documents', () => {
  it.each([
    ['no content', '', 'the file is empty, expected a JSON object with the list "list"'],
    ['only whitespace', ' \r\n ', 'the file is empty, expected a JSON object with the list "list"'],
    ['an HTML page', '\n<!DOCTYPE html><html></html>', 'the file is an HTML page or XML, expected JSON'],
    ['a top-level array', '[{"id":1}]', 'the file has "[" at byte 0, expected a JSON object with the list "list"'],
    ['a top-level string', '"list"', 'the file has """ at byte 0, expected a JSON object with the list "list"'],
    [
      'binary data',
      Buffer.from([0, 1, 2]),
      'the file has the byte 0x0 at byte 0, expected a JSON object with the list "list"',
    ],
    [
      'half a byte order mark',
      Buffer.from('\xef\xbb{"list":[]}', 'latin1'),
      'the file has "{" at byte 2, expected the rest of a byte order mark',
    ],
    ['no members', '{ }', 'the file has no list "list"; its members are: none'],
    ['other members only', '{"a":1,"lists":[1]}', 'the file has no list "list"; its members are: "a", "lists"'],
    [
      'the array only at a deeper level',
      '{"data":{"list":[1]}}',
      'the file has no list "list"; its members are: "data"',
    ],
    [
      'the array only inside a string',
      '{"data":"\\"list\\":[1]"}',
      'the file has no list "list"; its members are: "data"',
    ],
    ['an object in place of the array', '{"list":{"0":1}}', 'the file has "{" at byte 8, expected "list" to be a list'],
    [
      'names with control characters',
      '{"a\\u001b[31m\\u0007":1}',
      'the file has no list "list"; its members are: "a [31m "',
    ],
    ['a long name', `{"${'x'.repeat(999)}":1}`, `the file has no list "list"; its members are: "${'x'.repeat(40)}…"`],
    ['null in place of the array', '{"list":null}', 'the file has "n" at byte 8, expected "list" to be a list'],
    ['the array twice', '{"list":[1],"list":[2]}', 'the file has the list "list" twice'],
    ['another member twice', '{"total":1,"list":[],"total":2}', 'the file has the member "total" twice'],
    [
      'no comma between elements',
      '{"list":[{} {}]}',
      'the file has "{" at byte 12, expected "," and another element, or "]"',
    ],
    [
      'a colon between elements',
      '{"list":["a":1]}',
      'the file has ":" at byte 12, expected "," and another element, or "]"',
    ],
    ['two commas between elements', '{"list":[1,,2]}', 'the file has "," at byte 11, expected list[1]'],
    ['a comma before the first element', '{"list":[,1]}', 'the file has "," at byte 9, expected list[0]'],
    ['a comma after the last element', '{"list":[1,]}', 'the file has "]" at byte 11, expected list[1]'],
    ['a character that cannot start a value', '{"list":[1,<b>]}', 'the file has "<" at byte 11, expected list[1]'],
    [
      'the wrong bracket at the end',
      '{"list":[1}}',
      'the file has "}" at byte 10, expected "," and another element, or "]"',
    ],
    [
      'no comma between members',
      '{"a":1 "list":[]}',
      'the file has """ at byte 7, expected "," and another member, or "}"',
    ],
    ['a comma after the last member', '{"list":[],}', 'the file has "}" at byte 11, expected the name of a member'],
    ['a name without quotes', '{list:[]}', 'the file has "l" at byte 1, expected the name of a member'],
    ['no colon', '{"list" []}', 'the file has "[" at byte 8, expected a colon after "list"'],
    ['a member without a value', '{"a":,"list":[]}', 'the file has "," at byte 5, expected the member "a"'],
    ['a member that is not JSON', '{"a":truth,"list":[]}', /^the file has an error in the member "a": not JSON/],
    [
      'a member with a number overflow',
      '{"a":1e999,"list":[]}',
      /^the file has an error in the member "a": a number is too large/,
    ],
    ['a name that is not JSON', '{"\\x":1,"list":[]}', /^the file has an error in the name of a member: not JSON/],
    [
      'another document after its end',
      '{"list":[]}\n{"list":[]}',
      'the file continues after its end with "{" at byte 12',
    ],
    ['a NUL byte after its end', '{"list":[]}\0', 'the file continues after its end with the byte 0x0 at byte 11'],
  ])('rejects a document with %s', async (_, content, message) => {
    for (const sizes of [[1], [7], [1000]])
      expect(await readErrorMessage(readDocument(toChunks(content, sizes)))).toEqual(
        typeof message === 'string' ? message : expect.stringMatching(message),
      )
  })

  it('reports a document as truncated wherever it is cut off', async () => {
    const bytes = Buffer.from('{"total": 2, "list": [{"a":"é\\n"}, "b", 12], "after": {"x":[true]}}')
    for (let length = 1; length < bytes.length; length += 1)
      expect(
        await readErrorMessage(readDocument(toChunks(bytes.subarray(0, length), [5]))),
        `after ${length} bytes`,
      ).toMatch(/^the file is truncated/)
  })

  it('names the element in which a document is truncated', async () => {
    expect(await readErrorMessage(readDocument(toChunks('{"list":[1,{"id":"CVE-20')))).toBe(
      'the file is truncated: it ends within list[1]',
    )
  })

  it.each([
    ['a large member before the array', `{"a":"${'x'.repeat(64 * KIBIBYTE)}","list":[]}`],
    ['a large member after the array', `{"list":[],"a":"${'x'.repeat(64 * KIBIBYTE)}"}`],
    ['many small members', `{${Array.from({ length: 9000 }, (_, at) => `"${at}":1234`).join()},"list":[]}`],
    ['a long name', `{"${'x'.repeat(64 * KIBIBYTE)}":1,"list":[]}`],
    ['an array under another name', JSON.stringify({ lists: Array(9000).fill('an element') })],
  ])('rejects a document with more than 64 KiB outside the array because of %s', async (_, text) => {
    expect(await readErrorMessage(readDocument(toChunks(text, [4096])))).toMatch(
      /^the file has more than 65536 bytes outside the list "list", found at the (member|name)/,
    )
  })
})

it('JSON element reader allows members outside the array up to maxOtherBytes', async () => {
  const text = (bytes: number) => `{"a":"${'x'.repeat(bytes)}","list":[7]}`
  const read = (bytes: number) => readDocument(toChunks(text(bytes), [4096]), { maxOtherBytes: 128 * KIBIBYTE })

  expect(await read(100 * KIBIBYTE)).toMatchObject({ values: [7] })
  expect(await readErrorMessage(read(128 * KIBIBYTE))).toMatch(
    /^the file has more than 131072 bytes outside the list "list"/,
  )
})

describe('JSON element reader: rejected elements', () => {
  it.each([
    ['that is not JSON', '{"id":}', /^not JSON: /],
    ['that is an unknown word', 'nul', /^not JSON: /],
    ['that is a number with a leading zero', '01', /^not JSON: /],
    ['with an unescaped control character', '"a\nb"', /^not JSON: /],
    ['with mismatched brackets', '{"a":[1}]', /^not JSON: /],
    ['that is not UTF-8', Buffer.from('{"a":"\xff"}', 'latin1'), 'not valid UTF-8'],
    ['with a number overflow', '{"score":1e999}', 'a number is too large'],
    ['that is nested too deeply', '['.repeat(65) + ']'.repeat(65), 'nested 65 levels deep, at most 64 are allowed'],
    ['one byte above the size limit', `"${'x'.repeat(199)}"`, 'larger than 200 bytes'],
    ['above the size limit that is not JSON', `{${'x'.repeat(300)}`.concat('}'), 'larger than 200 bytes'],
  ])('rejects an element %s and reads the elements before and after it', async (_, element, reason) => {
    const bytes = Buffer.concat([Buffer.from('{"list":[{"id":1}, '), Buffer.from(element), Buffer.from(', {"id":3}]}')])
    for (const sizes of [[1], [7], [1000]])
      expect(await readDocument(toChunks(bytes, sizes), { maxElementBytes: 200 })).toMatchObject({
        values: [{ id: 1 }, { id: 3 }],
        rejected: [
          { rejected: 'list[1]', reason: typeof reason === 'string' ? reason : expect.stringMatching(reason) },
        ],
      })
  })

  it('rejects an element with a number of 400 digits, wherever the chunks of the file end', async () => {
    const text = `{"list":[{"id":1}, {"score":${'9'.repeat(400)}}, {"id":3}]}`
    for (const size of [1, 10, 100, 250, 1000])
      expect(await readDocument(toChunks(text, [size]))).toMatchObject({
        values: [{ id: 1 }, { id: 3 }],
        rejected: [{ rejected: 'list[1]', reason: 'a number is too large' }],
      })
  })

  it('identifies a rejected element by the CVE id near the beginning of the element', async () => {
    const text = `{"list":[{"cve":{"id":"CVE-2026-0007","score":}},{"cve":{"id":"CVE-2026-0008","text":"${'x'.repeat(200)}"}}]}`
    const { rejected } = await readDocument(toChunks(text, [16]), { maxElementBytes: 100 })
    expect(rejected.map((each) => each.rejected)).toEqual(['list[0] (CVE-2026-0007)', 'list[1] (CVE-2026-0008)'])
  })

  it('accepts an element of exactly the maximum size and depth', async () => {
    const [large, deep] = [`"${'x'.repeat(198)}"`, '['.repeat(64) + ']'.repeat(64)]
    expect(await readDocument(toChunks(`{"list":[${large},${deep}]}`), { maxElementBytes: 200 })).toMatchObject({
      values: [JSON.parse(large), JSON.parse(deep)],
      rejected: [],
    })
  })
})

describe('JSON element reader: memory', () => {
  it.each([
    ['a string of 40 MB', '"', 'xx', '"'],
    ['a list of 40 MB', '{"a":[', '10', ']}'],
    ['20 million nested arrays', '[', '[]', ']'],
  ])('holds less than 20 MiB in memory while skipping %s', async (_, opening, halves, closing) => {
    const held = [measureHeldBytes()]
    async function* source() {
      yield Buffer.from(`{"list":[{"id":1},${opening}`)
      yield* generateFortyMegabytes(halves, (bytes) => held.push(bytes))
      yield Buffer.from(`${closing},{"id":3}]}`)
    }

    const { values, rejected } = await readDocument(source(), { maxElementBytes: MEBIBYTE })

    expect(values).toEqual([{ id: 1 }, { id: 3 }])
    expect(rejected).toEqual([{ rejected: 'list[1]', reason: 'larger than 1048576 bytes' }])
    expect(Math.max(...held) - Math.min(...held)).toBeLessThan(20 * MEBIBYTE)
  })
})
