import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { beginGzip, endGzip } from '../../src/api/gzip.ts'
import type { GzipBeginning } from '../../src/contract/endpoint.ts'

const ended = (beginning: GzipBeginning, tail: Buffer) => Buffer.concat([beginning.bytes, endGzip(beginning, tail)])

describe('a gzip stream that was begun once', () => {
  it('can be ended with any text, again and again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.array(fc.string({ unit: 'binary' })), async (head, tails) => {
        const beginning = await beginGzip(Buffer.from(head))
        for (const tail of tails) {
          expect(gunzipSync(ended(beginning, Buffer.from(tail))).toString()).toBe(head + tail)
        }
      }),
    )
  })

  it('holds megabytes, and is small if they are alike', async () => {
    const head = Buffer.alloc(5_000_000, 'a CVE and ')
    const whole = ended(await beginGzip(head), Buffer.from('the end'))
    expect(gunzipSync(whole).equals(Buffer.concat([head, Buffer.from('the end')]))).toBe(true)
    expect(whole.length).toBeLessThan(50_000)
  })

  it('is not ended with more than a stored block holds', async () => {
    const beginning = await beginGzip(Buffer.from('{'))
    expect(gunzipSync(ended(beginning, Buffer.alloc(65_535, 'x'))).length).toBe(65_536)
    expect(() => endGzip(beginning, Buffer.alloc(65_536, 'x'))).toThrow('65535')
  })
})
