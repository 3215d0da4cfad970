import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonLines } from '../../../src/feeds/formats/json-lines.ts'
import { bytesHeld, faultOf, hundredMegabytes, inChunks, readAll } from './json-chunks.ts'

const MEBIBYTE = 1024 * 1024

function read(content: string | Buffer, sizes?: readonly number[], maxLineBytes?: number) {
  return readAll(jsonLines(inChunks(content, sizes), maxLineBytes === undefined ? {} : { maxLineBytes }))
}

describe('Newline-delimited JSON', () => {
  it.each([
    ['with a newline after the last line', '{"id":1}\n{"id":2}\n'],
    ['without a newline after the last line', '{"id":1}\n{"id":2}'],
    ['with lines that end as on Windows', '{"id":1}\r\n{"id":2}\r\n'],
    ['with blank lines', '\n \r\n{"id":1}\n\n\t\n{"id":2}\n\n  '],
    ['with a byte order mark', '\uFEFF{"id":1}\n{"id":2}'],
  ])('is a record a line, %s', async (_, text) => {
    for (const sizes of [[1], [3], [1000]])
      expect(await read(text, sizes)).toEqual({ values: [{ id: 1 }, { id: 2 }], rejected: [] })
  })

  it('yields what JSON.parse makes of each line, wherever the chunks end', async () => {
    const text = fc.string({ unit: 'grapheme' })
    const record = fc.record({ id: text, tags: fc.array(text), score: fc.option(fc.integer()) })
    const values = fc.array(fc.oneof(record, text), { minLength: 1, maxLength: 8 })
    const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(values, sizes, fc.boolean(), async (values, sizes, isEnded) => {
        const text = values.map((each) => JSON.stringify(each)).join('\n') + (isEnded ? '\n' : '')
        const read = await readAll(jsonLines(inChunks(text, sizes)))
        expect(JSON.stringify(read)).toBe(JSON.stringify({ values, rejected: [] }))
      }),
      { numRuns: 300 },
    )
  })

  it('cut off within a record is a fault; cut off after one it is as if there were no more', async () => {
    const bytes = Buffer.from('{"id":"é"}\n{"id":2}')
    const outcomes = Array.from({ length: bytes.length }, async (_, length) => {
      const fault = await faultOf(read(bytes.subarray(0, length), [4]))
      return fault ? fault.slice(0, 29) : 'read'
    })
    expect(await Promise.all(outcomes)).toEqual([
      'it has no lines; expected a JSON record a line'.slice(0, 29),
      ...Array(10).fill('it is cut off: it ends within'),
      'read',
      'read',
      ...Array(7).fill('it is cut off: it ends within'),
    ])
    expect(await faultOf(read('{"id":1}\n{"id":'))).toMatch(/^it is cut off: it ends within line 2 \(not JSON/)
  })
})

describe('A line that is rejected alone', () => {
  it.each([
    ['is no JSON', '{"id":}', /^not JSON: /],
    ['holds two records', '{"id":1} {"id":2}', /^not JSON: /],
    ['is not UTF-8', Buffer.from('{"a":"\xff"}', 'latin1'), 'not valid UTF-8'],
    ['is nested too deep', '['.repeat(65) + ']'.repeat(65), 'nested 65 levels deep, more than the 64 allowed'],
    ['is too long', `"${'x'.repeat(199)}"`, 'longer than 200 bytes'],
    ['is blank and too long', ' '.repeat(201), 'longer than 200 bytes'],
  ])('%s; the others are read', async (_, line, reason) => {
    const bytes = Buffer.concat([Buffer.from('{"id":1}\n\n'), Buffer.from(line), Buffer.from('\n{"id":4}\n')])
    for (const sizes of [[1], [7], [1000]])
      expect(await read(bytes, sizes, 200)).toEqual({
        values: [{ id: 1 }, { id: 4 }],
        rejected: [{ rejected: 'line 3', reason: typeof reason === 'string' ? reason : expect.stringMatching(reason) }],
      })
  })

  it('may be exactly as long as is allowed', async () => {
    expect(await read(`"${'x'.repeat(198)}"\n`, [50], 200)).toEqual({ values: ['x'.repeat(198)], rejected: [] })
  })
})

describe('What is refused as a whole', () => {
  it.each([
    ['nothing', '', 'it has no lines; expected a JSON record a line'],
    ['nothing but blank lines', '\n \r\n\n', 'it has no lines; expected a JSON record a line'],
    ['a web page', '\n <!DOCTYPE html>\n<html>\n</html>\n', 'it is a web page or XML; expected a JSON record a line'],
  ])('is %s', async (_, text, complaint) => {
    expect(await faultOf(read(text, [5]))).toBe(complaint)
  })
})

describe('The source', () => {
  it('is let go of when the reader stops early', async () => {
    const source = inChunks('{"id":1}\n'.repeat(100), [16])
    for await (const line of jsonLines(source)) if ('raw' in line) break
    expect(source.isClosed()).toBe(true)
  })

  it('may hold a line of 100 MB, which is passed over without being held', async () => {
    const held = [bytesHeld()]
    async function* source() {
      yield Buffer.from('{"id":1}\n"')
      yield* hundredMegabytes('xx', (bytes) => held.push(bytes))
      yield Buffer.from('"\n{"id":3}\n')
    }
    expect(await readAll(jsonLines(source(), { maxLineBytes: MEBIBYTE }))).toEqual({
      values: [{ id: 1 }, { id: 3 }],
      rejected: [{ rejected: 'line 2', reason: 'longer than 1048576 bytes' }],
    })
    expect(Math.max(...held) - Math.min(...held)).toBeLessThan(20 * MEBIBYTE)
  })
})
