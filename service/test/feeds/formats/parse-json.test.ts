import { describe, expect, it } from 'vitest'
import { parseRecord } from '../../../src/feeds/formats/parse-json.ts'

function parse(text: string | Buffer) {
  return parseRecord(Buffer.from(text))
}

describe('A record', () => {
  it('is what JSON says', () => {
    expect(parse('{"id":"CVE-2026-0001","scores":[9.8,-0.5e-3,0],"kev":true,"note":null}')).toEqual({
      value: { id: 'CVE-2026-0001', scores: [9.8, -0.0005, 0], kev: true, note: null },
    })
  })

  it('may be any JSON value, with blanks and a byte order mark before it', () => {
    expect(['7', '"text"', 'null', ' \r\n\t[1] ', '\uFEFF{}'].map(parse)).toEqual([
      { value: 7 },
      { value: 'text' },
      { value: null },
      { value: [1] },
      { value: {} },
    ])
  })

  it('that is no JSON is a fault that says where', () => {
    expect(parse('{"id":"CVE-2026-0001"')).toEqual({ fault: expect.stringMatching(/^not JSON: .*position 21/) })
    expect(parse('{"id":1} {"id":2}')).toEqual({ fault: expect.stringMatching(/^not JSON: /) })
    expect(parse('NaN')).toEqual({ fault: expect.stringMatching(/^not JSON: /) })
    expect(parse(' \n')).toEqual({ fault: 'empty' })
  })

  it('that is not valid UTF-8 is a fault', () => {
    const latin1 = Buffer.from('{"name":"Müller"}', 'latin1')
    const cutCharacter = Buffer.concat([Buffer.from('{"a":"'), Buffer.from('€').subarray(0, 2), Buffer.from('"}')])
    const surrogateInUtf8 = Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])
    for (const bytes of [latin1, cutCharacter, surrogateInUtf8])
      expect(parse(bytes)).toEqual({ fault: 'not valid UTF-8' })
  })
})

describe('What PostgreSQL could not store', () => {
  it('NUL is removed, in values and in keys', () => {
    expect(parse(String.raw`{"a\u0000b":["c\u0000d",{"\u0000":"\u0000"}]}`)).toEqual({
      value: { ab: ['cd', { '': '' }] },
    })
  })

  it('half a surrogate pair becomes the replacement character, and a whole pair stays', () => {
    expect(parse(String.raw`{"\ud800":"a\uDFFFb","pair":"\ud83d\ude00","turned":"\ude00\ud83d"}`)).toEqual({
      value: { '\uFFFD': 'a\uFFFDb', pair: '😀', turned: '\uFFFD\uFFFD' },
    })
  })

  it('a backslash before the letter u may also just be a backslash', () => {
    expect(parse(String.raw`["C:\\u0000", "\\\u0041"]`)).toEqual({ value: [String.raw`C:\u0000`, String.raw`\A`] })
  })

  it.each([
    ['1e999'],
    ['{"score":1E999}'],
    ['[-1e999]'],
    [`{"a":{"b":[1,${'9'.repeat(400)}]}}`],
    [`[\n${'9'.repeat(400)}\n]`],
    [`{"a":-${'9'.repeat(400)}}`],
  ])('a number beyond all numbers is a fault: %s', (text) => {
    expect(parse(text)).toEqual({ fault: 'a number in it is too large to be represented' })
  })

  it('numbers that are merely large, small or written in a text stay', () => {
    expect(parse(`[1e308, 1e-999, "${'9'.repeat(400)}", {"e":true,"E":false}]`)).toEqual({
      value: [1e308, 0, '9'.repeat(400), { e: true, E: false }],
    })
  })

  it('a fault that quotes the record is storable itself', () => {
    const { fault } = parse(Buffer.from('["\0\u0001\n\u202e😀😀😀😀😀😀😀😀😀😀')) as { fault: string }
    expect(fault).toMatch(/^not JSON: /)
    expect(fault).not.toMatch(/\p{C}/u)
    expect(fault.isWellFormed()).toBe(true)
  })
})

describe('A key called __proto__', () => {
  it('is a key like any other, also where the record had to be cleaned', () => {
    for (const note of ['plain', String.raw`\u0000`]) {
      const { value } = parse(`{"__proto__":{"isAdmin":true},"note":"${note}"}`) as { value: object }
      expect(Object.keys(value)).toEqual(['__proto__', 'note'])
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
      expect('isAdmin' in value).toBe(false)
    }
  })
})

describe('Depth', () => {
  it('of 64 levels is allowed, and one more is a fault', () => {
    expect(parse('['.repeat(64) + ']'.repeat(64))).toHaveProperty('value')
    expect(parse(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`)).toEqual({
      fault: 'nested 65 levels deep, more than the 64 allowed',
    })
  })

  it('is not fooled by brackets in text', () => {
    expect(parse(JSON.stringify('[{"'.repeat(100)))).toHaveProperty('value')
    expect(parse(JSON.stringify({ text: '[{"\\'.repeat(100) }))).toHaveProperty('value')
  })

  it('of a million is found without a million calls', () => {
    expect(parse('['.repeat(1_000_000))).toEqual({ fault: expect.stringContaining('1000000 levels deep') })
  })
})
