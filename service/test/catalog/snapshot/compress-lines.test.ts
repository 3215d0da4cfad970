import { hash, randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { compressLines } from '../../../src/catalog/snapshot/compress-lines.ts'

async function* toTexts(lines: readonly string[]): AsyncGenerator<string> {
  for (const line of lines) yield `${line}\n`
}

describe('compressLines', () => {
  it('writes parts of the given size that begin and end at a line, and that together form one gzip file', async () => {
    const lines = Array.from({ length: 100 }, () => randomBytes(3000).toString('base64'))
    const parts = await Array.fromAsync(compressLines(toTexts(lines), 60_000))

    expect(parts.length).toBeGreaterThan(3)
    for (const { bytes, sha256 } of parts) {
      expect(gunzipSync(bytes).toString()).toMatch(/^[^\n]{4000}\n(?:[^\n]{4000}\n)*$/)
      expect(sha256).toEqual(hash('sha256', bytes, 'buffer'))
    }
    for (const { bytes } of parts.slice(0, -1)) expect(Math.abs(bytes.length - 60_000)).toBeLessThan(25_000)
    const file = gunzipSync(Buffer.concat(parts.map(({ bytes }) => bytes)))
    expect(file.toString()).toBe(lines.map((line) => `${line}\n`).join(''))
  })

  it('writes no part if there are no lines', async () => {
    expect(await Array.fromAsync(compressLines(toTexts([])))).toEqual([])
  })
})
