import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJsonLines } from '../../../src/feeds/formats/json-lines.ts'
import { generateFortyMegabytes, measureHeldBytes, readAll, readErrorMessage, toChunks } from './json-chunks.ts'

const MEBIBYTE = 1024 * 1024

function read(content: string | Buffer, sizes?: readonly number[], maxLineBytes?: number) {
  return readAll(readJsonLines(toChunks(content, sizes), maxLineBytes === undefined ? {} : { maxLineBytes }))
}

describe('JSON lines reader', () => {
  it.each([
    ['with a newline after the last line', '{"id":1}\n{"id":2}\n'],
    ['without a newline after the last line', '{"id":1}\n{"id":2}'],
    ['with Windows line breaks', '{"id":1}\r\n{"id":2}\r\n'],
    ['with blank lines', '\n \r\n{"id":1}\n\n\t\n{"id":2}\n\n  '],
    ['with a byte order mark', '\uFEFF{"id":1}\n{"id":2}'],
  ])('reads one record per line of a file %s', async (_, text) => {
    for (const sizes of [[1], [3], [1000]])
      expect(await read(text, sizes)).toEqual({ values: [{ id: 1 }, { id: 2 }], rejected: [] })
  })

  it('yields the same values as JSON.parse of each line wherever the chunks of the file end', async () => {
    const text = fc.string({ unit: 'grapheme' })
    const record = fc.record({ id: text, tags: fc.array(text), score: fc.option(fc.integer()) })
    const values = fc.array(fc.oneof(record, text), { minLength: 1, maxLength: 8 })
    const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(values, sizes, fc.boolean(), async (values, sizes, isEnded) => {
        const text = values.map((each) => JSON.stringify(each)).join('\n') + (isEnded ? '\n' : '')
        const read = await readAll(readJsonLines(toChunks(text, sizes)))
        expect(JSON.stringify(read)).toBe(JSON.stringify({ values, rejected: [] }))
      }),
      { numRuns: 300 },
    )
  })

  it('rejects a file that is truncated within a record, and reads a file that ends between two records', async () => {
    const bytes = Buffer.from('{"id":"é"}\n{"id":2}')
    const outcomes = Array.from({ length: bytes.length }, async (_, length) => {
      const error = await readErrorMessage(read(bytes.subarray(0, length), [4]))
      return error ? error.slice(0, 37) : 'read'
    })
    expect(await Promise.all(outcomes)).toEqual([
      'the file has no lines, expected one JSON record per line'.slice(0, 37),
      ...Array(10).fill('the file is truncated: it ends within'),
      'read',
      'read',
      ...Array(7).fill('the file is truncated: it ends within'),
    ])
    expect(await readErrorMessage(read('{"id":1}\n{"id":'))).toMatch(
      /^the file is truncated: it ends within line 2 \(not JSON/,
    )
  })
})

describe('JSON lines reader: rejected lines', () => {
  it.each([
    ['that is not JSON', '{"id":}', /^not JSON: /],
    ['with two records', '{"id":1} {"id":2}', /^not JSON: /],
    ['above the length limit', `"${'x'.repeat(199)}"`, 'longer than 200 bytes'],
    ['of only spaces above the length limit', ' '.repeat(201), 'longer than 200 bytes'],
  ])('rejects a line %s and reads the other lines', async (_, line, reason) => {
    const bytes = Buffer.concat([Buffer.from('{"id":1}\n\n'), Buffer.from(line), Buffer.from('\n{"id":4}\n')])
    for (const sizes of [[1], [7], [1000]])
      expect(await read(bytes, sizes, 200)).toEqual({
        values: [{ id: 1 }, { id: 4 }],
        rejected: [{ rejected: 'line 3', reason: typeof reason === 'string' ? reason : expect.stringMatching(reason) }],
      })
  })

  it('accepts a line of exactly the length limit', async () => {
    expect(await read(`"${'x'.repeat(198)}"\n`, [50], 200)).toEqual({ values: ['x'.repeat(198)], rejected: [] })
  })
})

describe('JSON lines reader: rejected files', () => {
  it.each([
    ['an empty file', '', 'the file has no lines, expected one JSON record per line'],
    ['a file of blank lines', '\n \r\n\n', 'the file has no lines, expected one JSON record per line'],
    [
      'an HTML page',
      '\n <!DOCTYPE html>\n<html>\n</html>\n',
      'the file is an HTML page or XML, expected one JSON record per line',
    ],
  ])('throws a FeedError for %s', async (_, text, message) => {
    expect(await readErrorMessage(read(text, [5]))).toBe(message)
  })
})

describe('JSON lines reader: source stream', () => {
  it('closes the source stream when the consumer stops early', async () => {
    const source = toChunks('{"id":1}\n'.repeat(100), [16])
    for await (const line of readJsonLines(source)) if ('raw' in line) break
    expect(source.isClosed()).toBe(true)
  })

  it('skips a line of 40 MB without holding it in memory', async () => {
    const held = [measureHeldBytes()]
    async function* source() {
      yield Buffer.from('{"id":1}\n"')
      yield* generateFortyMegabytes('xx', (bytes) => held.push(bytes))
      yield Buffer.from('"\n{"id":3}\n')
    }
    expect(await readAll(readJsonLines(source(), { maxLineBytes: MEBIBYTE }))).toEqual({
      values: [{ id: 1 }, { id: 3 }],
      rejected: [{ rejected: 'line 2', reason: 'longer than 1048576 bytes' }],
    })
    expect(Math.max(...held) - Math.min(...held)).toBeLessThan(20 * MEBIBYTE)
  })
})
