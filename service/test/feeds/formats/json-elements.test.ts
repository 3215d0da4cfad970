import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJsonElements } from '../../../src/feeds/formats/json-elements.ts'
import { parseWholeDocument, readDocument, readErrorMessage, toChunks } from './json-chunks.ts'

/** A JSON document with quotes, brackets and commas inside strings, and characters of two, three and four bytes. */
const TRICKY = {
  version: '2.0',
  nested: { list: [1, 2] },
  'quotes " and ], [': '"list":[',
  list: [
    { id: 'CVE-2026-0001', text: 'a "quoted" \\ text, ends with a backslash \\' },
    { list: [{ list: [] }], 'odd key "}{': '\\"]}' },
    { text: 'é € 😀 \u2028', escaped: '\\u0041', pair: '\ud83d\ude00' },
    'a ] string, "alone"',
    '',
    -12.5e-3,
    0,
    true,
    false,
    null,
    {},
    [],
    [[], [{}, '[']],
  ],
  totalResults: 13,
  after: { timestamp: '2026-08-22T00:00:00.000' },
}
const { list, ...OTHERS } = TRICKY

describe('JSON element reader', () => {
  it('yields the elements and the members before and after the array', async () => {
    expect(await readDocument(toChunks(JSON.stringify(TRICKY)))).toEqual({
      header: { version: '2.0', nested: { list: [1, 2] }, 'quotes " and ], [': '"list":[' },
      members: OTHERS,
      values: list,
      rejected: [],
    })
  })

  it('yields the same elements wherever the chunks of the file end', async () => {
    const bytes = Buffer.from(JSON.stringify(TRICKY, undefined, '\r\n\t '))
    for (let size = 1; size < bytes.length; size += 1) {
      const { values, members, rejected } = await readDocument(toChunks(bytes, [size, 0, bytes.length]))
      expect({ values, members, rejected }, `cut at byte ${size}`).toEqual({
        values: list,
        members: OTHERS,
        rejected: [],
      })
    }
    expect((await readDocument(toChunks(bytes, [1]))).values).toEqual(list)
  })

  it.each([
    ['an array as its only member', '{"list":[1]}', [1], {}],
    ['an empty array', '{"list":[]}', [], {}],
    ['an empty array with whitespace', '{"list": [ \n ] , "after":1}', [], { after: 1 }],
    ['whitespace everywhere', ' \r\n{ "a" : 1 ,\t"list" : [ {} , 2 ] , "b" : [ ] } \n', [{}, 2], { a: 1, b: [] }],
    ['a byte order mark', '\uFEFF{"list":[1]}', [1], {}],
    ['an escaped array name', String.raw`{"\u006cist":[1]}`, [1], {}],
    ['a member called __proto__', '{"__proto__":{"x":1},"list":[]}', [], JSON.parse('{"__proto__":{"x":1}}')],
  ])('reads a document with %s', async (_, text, values, members) => {
    for (const sizes of [[1], [1000]]) {
      const read = await readDocument(toChunks(text, sizes))
      expect(read).toMatchObject({ values, rejected: [] })
      expect(JSON.stringify(read.members)).toBe(JSON.stringify(members))
    }
  })

  it('removes NUL and unpaired surrogates from elements and members', async () => {
    const text = String.raw`{"\u0000a":"\ud800","list":[{"b\u0000":"c\u0000"}, "\udc00"]}`
    for (const sizes of [[1], [2], [1000]])
      expect(await readDocument(toChunks(text, sizes))).toMatchObject({
        header: { a: '\uFFFD' },
        values: [{ b: 'c' }, '\uFFFD'],
      })
  })
})

describe('JSON element reader: generated documents', () => {
  const utf16 = fc
    .array(fc.integer({ min: 1, max: 0xffff }), { maxLength: 8 })
    .map((units) => String.fromCharCode(...units))
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    utf16,
    fc.constantFrom('list', '"list":[', '\\', ']}'),
  )
  // The generated keys have no backslashes, because JSON.parse of V8 confuses keys that start with the same escape
  // (nodejs/node#63785).
  const key = text.map((each) => each.toWellFormed().replaceAll(/[\p{Cc}"\\]/gu, ''))
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.oneof(
        text,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
      ),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    ),
  }))
  const others = fc.dictionary(key, value, { maxKeys: 3 }).filter((each) => !('list' in each))
  const blanks = fc.string({ unit: fc.constantFrom(' ', '\t', '\r', '\n'), maxLength: 3 })
  const document = fc
    .tuple(others, fc.array(value, { maxLength: 6 }), others, blanks, fc.boolean())
    .map(([before, elements, after, indent, isAscii]) => {
      const json = JSON.stringify({ ...before, list: elements, ...after }, undefined, indent)
      return Buffer.from(isAscii ? escaped(json) : json)
    })
  const sizes = fc
    .array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 5 })
    .filter((each) => each.some((size) => size > 0))

  it('yields the same values as JSON.parse of the whole document for any chunk sizes', async () => {
    await fc.assert(
      fc.asyncProperty(document, sizes, async (bytes, sizes) => {
        const { list, ...members } = JSON.parse(bytes.toString(), cleaned)
        const read = await readDocument(toChunks(bytes, sizes))
        expect(read.rejected).toEqual([])
        expect(JSON.stringify(read.values)).toBe(JSON.stringify(list))
        expect(JSON.stringify(read.members)).toBe(JSON.stringify(members))
      }),
      { numRuns: 500 },
    )
  })

  it('either rejects a document with a lost or changed byte or yields the same values as JSON.parse', async () => {
    const hostile = fc.constantFrom(...Buffer.from('"\\{}[],: \n0-eE.tfnu/\u0000'), 0x80, 0xc3, 0xff)
    const seen = { rejected: 0, equal: 0 }
    await fc.assert(
      fc.asyncProperty(document, sizes, fc.nat(), fc.option(hostile), async (bytes, sizes, place, byte) => {
        const at = place % bytes.length
        const mutated = Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from(byte === null ? [] : [byte]),
          bytes.subarray(at + 1),
        ])
        const read = await readUnlessRejected(readDocument(toChunks(mutated, sizes)))
        seen[read ? 'equal' : 'rejected'] += 1
        if (!read) return
        const { list, ...members } = JSON.parse(mutated.toString(), cleaned)
        expect(parseWholeDocument(mutated)).toBeDefined()
        expect(JSON.stringify(read)).toBe(JSON.stringify({ values: list, members }))
      }),
      { numRuns: 2000 },
    )
    expect(Math.min(seen.rejected, seen.equal)).toBeGreaterThan(100)
  })

  function escaped(json: string): string {
    return json.replaceAll(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  }

  function cleaned(_: string, member: unknown): unknown {
    if (typeof member === 'string') return clean(member)
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
    return Object.fromEntries(Object.entries(member).map(([key, value]) => [clean(key), value]))
  }

  function clean(text: string): string {
    return text.toWellFormed().replaceAll('\0', '')
  }

  async function readUnlessRejected(reading: ReturnType<typeof readDocument>) {
    const isRejected = (await readErrorMessage(reading)) !== undefined
    if (isRejected) return undefined
    const { values, members, rejected } = await reading
    return rejected.length > 0 ? undefined : { values, members }
  }
})

describe('JSON element reader: source stream', () => {
  const text = JSON.stringify({ list: Array.from({ length: 100 }, (_, id) => ({ id })) })

  it('closes the source stream after the last element', async () => {
    const source = toChunks(text, [16])
    await readDocument(source)
    expect(source.isClosed()).toBe(true)
  })

  it('closes the source stream when the consumer stops early', async () => {
    const source = toChunks(text, [16])
    for await (const element of (await readJsonElements(source, { member: 'list' })).elements)
      if ('raw' in element) break
    expect(source.isClosed()).toBe(true)
  })

  it('closes the source stream when the consumer reads no elements', async () => {
    const source = toChunks(text, [16])
    const readHeader = async () => {
      await using document = await readJsonElements(source, { member: 'list' })
      return 'version' in document.header
    }
    expect([await readHeader(), source.isClosed()]).toEqual([false, true])
  })

  it('closes the source stream when the document is truncated', async () => {
    const source = toChunks(text.slice(0, -50), [16])
    expect(await readErrorMessage(readDocument(source))).toContain('truncated')
    expect(source.isClosed()).toBe(true)
  })

  it('closes the source stream when the document starts with an error', async () => {
    const source = toChunks('{"list":7, "much": "more"}', [4])
    expect(await readErrorMessage(readDocument(source))).toBeDefined()
    expect(source.isClosed()).toBe(true)
  })

  it('reads no more of the source stream than the consumer needs', async () => {
    const taken: number[] = []
    async function* source() {
      for (const id of [0, 1, 2]) {
        taken.push(id)
        yield Buffer.from(id === 0 ? '{"list":[0' : `,${id}`)
      }
    }
    const { elements } = await readJsonElements(source(), { member: 'list' })
    const iterator = elements[Symbol.asyncIterator]()
    expect([taken.length, (await iterator.next()).value, taken.length]).toEqual([1, { raw: 0 }, 2])
  })

  it('throws an error when the members are requested before all elements are read', async () => {
    const { members } = await readJsonElements(toChunks(text), { member: 'list' })
    expect(members).toThrow('not read to the end')
  })
})
