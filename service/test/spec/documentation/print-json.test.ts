import { describe, expect, it } from 'vitest'
import { printJson } from '../../../src/contract/openapi/print-json.ts'

describe('JSON of openapi.json', () => {
  it('keeps a value that fits on one line', () => {
    expect(printJson({ type: 'object', required: ['a', 'b'], none: {}, list: [] })).toBe(
      '{ "type": "object", "required": ["a", "b"], "none": {}, "list": [] }',
    )
  })

  it('breaks a value that is too long for a line', () => {
    const long = 'x'.repeat(150)
    expect(printJson({ a: [1, 2], b: { text: long, c: null } })).toBe(
      `{\n  "a": [1, 2],\n  "b": {\n    "text": "${long}",\n    "c": null\n  }\n}`,
    )
  })

  it('has no line of more than 160 characters that could be broken', () => {
    const value = { numbers: Array.from({ length: 500 }, (_, index) => ({ index, pair: [index, index + 1] })) }
    const lines = printJson(value).split('\n')
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(160)
    expect(JSON.parse(lines.join('\n'))).toEqual(value)
  })

  it('leaves out what JSON leaves out', () => {
    expect(printJson({ a: undefined, b: [undefined], c: new Date(0) })).toBe(
      '{ "b": [null], "c": "1970-01-01T00:00:00.000Z" }',
    )
  })
})
