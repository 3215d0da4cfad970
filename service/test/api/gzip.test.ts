import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { beginGzip, endGzip } from '../../src/api/gzip.ts'
import type { GzipPrefix } from '../../src/contract/endpoint.ts'

const finish = (prefix: GzipPrefix, tail: Buffer) => Buffer.concat([prefix.bytes, endGzip(prefix, tail)])

describe('Gzip compression with a reusable prefix', () => {
  it('completes one compressed prefix several times, each time with a different tail', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.array(fc.string({ unit: 'binary' })), async (head, tails) => {
        const prefix = await beginGzip(Buffer.from(head))
        for (const tail of tails) {
          expect(gunzipSync(finish(prefix, Buffer.from(tail))).toString()).toBe(head + tail)
        }
      }),
    )
  })

  it('compresses 5 MB of repeated text to less than 50 kB', async () => {
    const head = Buffer.alloc(5_000_000, 'a CVE and ')
    const whole = finish(await beginGzip(head), Buffer.from('the end'))
    expect(gunzipSync(whole).equals(Buffer.concat([head, Buffer.from('the end')]))).toBe(true)
    expect(whole.length).toBeLessThan(50_000)
  })

  it('rejects a tail of more than 65,535 bytes, the maximum size of a stored block', async () => {
    const prefix = await beginGzip(Buffer.from('{'))
    expect(gunzipSync(finish(prefix, Buffer.alloc(65_535, 'x'))).length).toBe(65_536)
    expect(() => endGzip(prefix, Buffer.alloc(65_536, 'x'))).toThrow('65535')
  })
})
