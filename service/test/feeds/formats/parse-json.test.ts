import { describe, expect, it } from 'vitest'
import { parseRecord } from '../../../src/feeds/formats/parse-json.ts'

function parse(text: string | Buffer) {
  return parseRecord(Buffer.from(text))
}

describe('JSON record parser', () => {
  it('parses a JSON object', () => {
    expect(parse('{"id":"CVE-2026-0001","scores":[9.8,-0.5e-3,0],"kev":true,"note":null}')).toEqual({
      value: { id: 'CVE-2026-0001', scores: [9.8, -0.0005, 0], kev: true, note: null },
    })
  })

  it('parses any JSON value after whitespace or a byte order mark', () => {
    expect(['7', '"text"', 'null', ' \r\n\t[1] ', '\uFEFF{}'].map(parse)).toEqual([
      { value: 7 },
      { value: 'text' },
      { value: null },
      { value: [1] },
      { value: {} },
    ])
  })

  it('returns an error with the position of the syntax error for invalid JSON', () => {
    expect(parse('{"id":"CVE-2026-0001"')).toEqual({ error: expect.stringMatching(/^not JSON: .*position 21/) })
    expect(parse('{"id":1} {"id":2}')).toEqual({ error: expect.stringMatching(/^not JSON: /) })
    expect(parse('NaN')).toEqual({ error: expect.stringMatching(/^not JSON: /) })
    expect(parse(' \n')).toEqual({ error: 'empty' })
  })

  it('returns an error for invalid UTF-8', () => {
    const latin1 = Buffer.from('{"name":"Müller"}', 'latin1')
    const cutCharacter = Buffer.concat([Buffer.from('{"a":"'), Buffer.from('€').subarray(0, 2), Buffer.from('"}')])
    const surrogateInUtf8 = Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])
    for (const bytes of [latin1, cutCharacter, surrogateInUtf8])
      expect(parse(bytes)).toEqual({ error: 'not valid UTF-8' })
  })
})

describe('JSON record parser: values that PostgreSQL cannot store', () => {
  it('removes NUL characters from values and keys', () => {
    expect(parse(String.raw`{"a\u0000b":["c\u0000d",{"\u0000":"\u0000"}]}`)).toEqual({
      value: { ab: ['cd', { '': '' }] },
    })
  })

  it('replaces unpaired surrogates with the replacement character and keeps surrogate pairs', () => {
    expect(parse(String.raw`{"\ud800":"a\uDFFFb","pair":"\ud83d\ude00","turned":"\ude00\ud83d"}`)).toEqual({
      value: { '\uFFFD': 'a\uFFFDb', pair: '😀', turned: '\uFFFD\uFFFD' },
    })
  })

  it('does not mistake an escaped backslash before the letter u for a Unicode escape', () => {
    expect(parse(String.raw`["C:\\u0000", "\\\u0041"]`)).toEqual({ value: [String.raw`C:\u0000`, String.raw`\A`] })
  })

  it.each([
    ['1e999'],
    ['{"score":1E999}'],
    ['[-1e999]'],
    [`{"a":{"b":[1,${'9'.repeat(400)}]}}`],
    [`[\n${'9'.repeat(400)}\n]`],
    [`{"a":-${'9'.repeat(400)}}`],
  ])('returns an error for the number overflow in %s', (text) => {
    expect(parse(text)).toEqual({ error: 'a number is too large' })
  })

  it('keeps large and small numbers, and long sequences of digits inside strings', () => {
    expect(parse(`[1e308, 1e-999, "${'9'.repeat(400)}", {"e":true,"E":false}]`)).toEqual({
      value: [1e308, 0, '9'.repeat(400), { e: true, E: false }],
    })
  })

  it('sanitizes an error message that quotes the record', () => {
    const { error } = parse(Buffer.from('["\0\u0001\n\u202e😀😀😀😀😀😀😀😀😀😀')) as { error: string }
    expect(error).toMatch(/^not JSON: /)
    expect(error).not.toMatch(/\p{C}/u)
    expect(error.isWellFormed()).toBe(true)
  })
})

describe('JSON record parser: keys named __proto__', () => {
  it('keeps __proto__ as an ordinary key, whether or not other values contain NUL', () => {
    for (const note of ['plain', String.raw`\u0000`]) {
      const { value } = parse(`{"__proto__":{"isAdmin":true},"note":"${note}"}`) as { value: object }
      expect(Object.keys(value)).toEqual(['__proto__', 'note'])
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
      expect('isAdmin' in value).toBe(false)
    }
  })
})

describe('JSON record parser: nesting depth', () => {
  it('allows 64 nesting levels and returns an error for 65', () => {
    expect(parse('['.repeat(64) + ']'.repeat(64))).toHaveProperty('value')
    expect(parse(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`)).toEqual({
      error: 'nested 65 levels deep, at most 64 are allowed',
    })
  })

  it('does not count brackets inside strings', () => {
    expect(parse(JSON.stringify('[{"'.repeat(100)))).toHaveProperty('value')
    expect(parse(JSON.stringify({ text: '[{"\\'.repeat(100) }))).toHaveProperty('value')
  })

  it('measures a nesting depth of one million without recursion', () => {
    expect(parse('['.repeat(1_000_000))).toEqual({ error: expect.stringContaining('1000000 levels deep') })
  })
})
