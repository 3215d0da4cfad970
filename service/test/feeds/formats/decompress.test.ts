import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openFile } from '../../../src/feeds/formats/decompress.ts'
import { isOpen, testFolder } from './archive-fixtures.ts'
import { faultOf } from './json-chunks.ts'

const MEBIBYTE = 1024 * 1024
const { path: folder, file } = await testFolder()

/** It does not become smaller by packing. */
const NOISE = randomBytes(3 * MEBIBYTE)

async function read(path: string, maxBytes = 100 * MEBIBYTE): Promise<{ content: Buffer; consumed: number }> {
  const chunks: Buffer[] = []
  let consumed = 0
  const content = openFile(path, { maxBytes }, (count) => {
    consumed += count
  })
  for await (const chunk of content) chunks.push(chunk)
  return { content: Buffer.concat(chunks), consumed }
}

describe('The content of a file', () => {
  it('is what is in it', async () => {
    const { content, consumed } = await read(await file('plain.json', NOISE))
    expect([content.equals(NOISE), consumed]).toEqual([true, NOISE.length])
  })

  it('is what is packed in it, when it begins as gzip does; the bytes are counted as they are stored', async () => {
    const packed = gzipSync(NOISE)
    for (const name of ['packed.json.gz', 'packed without saying so']) {
      const { content, consumed } = await read(await file(name, packed))
      expect([content.equals(NOISE), consumed]).toEqual([true, packed.length])
    }
  })

  it('may be packed in several members, as some programs do', async () => {
    const packed = Buffer.concat([gzipSync('{"list":['), gzipSync(''), gzipSync('1]}')])
    const { content, consumed } = await read(await file('members.gz', packed))
    expect([content.toString(), consumed]).toEqual(['{"list":[1]}', packed.length])
  })

  it('is what is packed in it, when it begins as zstd does, in one frame or in several', async () => {
    const one = zstdCompressSync(NOISE)
    const several = Buffer.concat([one, zstdCompressSync(''), one])
    for (const [packed, whole] of [
      [one, NOISE],
      [several, Buffer.concat([NOISE, NOISE])],
    ] as const) {
      const { content, consumed } = await read(await file('packed.tar.zst', packed))
      expect([content.equals(whole), consumed]).toEqual([true, packed.length])
    }
  })

  it('may be packed better than others, where that is known', async () => {
    const path = await file('repetitive.zst', zstdCompressSync(Buffer.alloc(5 * MEBIBYTE, 'again and ')))
    expect(await faultOf(read(path))).toMatch(/unpacks to more than 100 times its size/)
    const chunks: Buffer[] = []
    for await (const chunk of openFile(path, { maxBytes: 6 * MEBIBYTE, maxRatio: 100_000 })) chunks.push(chunk)
    expect(Buffer.concat(chunks)).toHaveLength(5 * MEBIBYTE)
  })

  it('is counted to the last byte, also where the last chunk holds no content any more', async () => {
    const chunkBytes = 256 * 1024
    const overhead = gzipSync(NOISE.subarray(0, chunkBytes - 1000), { level: 0 }).length - (chunkBytes - 1000)
    const packed = gzipSync(NOISE.subarray(0, chunkBytes + 4 - overhead), { level: 0 })
    expect(packed.length).toBe(chunkBytes + 4)
    expect((await read(await file('trailer.gz', packed))).consumed).toBe(packed.length)
  })

  it('may be plain although its name ends in .gz, as when a proxy has unpacked it', async () => {
    expect((await read(await file('proxied.json.gz', '{"list":[]}'))).content.toString()).toBe('{"list":[]}')
  })

  it('may be exactly as large as is allowed', async () => {
    const path = await file('exact.gz', gzipSync(NOISE))
    expect((await read(path, NOISE.length)).content.length).toBe(NOISE.length)
  })
})

describe('A file that is refused', () => {
  const packed = gzipSync(NOISE)
  const damaged = Buffer.from(packed)
  damaged.writeUInt8(damaged.readUInt8(packed.length - 8) ^ 1, packed.length - 8)
  const zeros = Buffer.alloc(20 * MEBIBYTE)
  const nothing = Buffer.concat(Array.from({ length: 20_000 }, () => gzipSync('')))
  const apart = Buffer.concat([gzipSync('\x1f'), nothing, gzipSync(Buffer.from([0x8b]))])

  it.each([
    ['is empty', 'empty.json', '', 'empty.json is empty'],
    ['is empty once unpacked', 'empty.gz', gzipSync(''), 'empty.gz is empty once unpacked'],
    ['is cut off', 'cut.gz', packed.subarray(0, 1000), /^cut.gz is cut off/],
    ['lacks its last byte', 'last.gz', packed.subarray(0, -1), /^last.gz is cut off/],
    ['has only begun', 'begun.gz', packed.subarray(0, 2), /^begun.gz is cut off/],
    ['has a wrong checksum', 'sum.gz', damaged, 'sum.gz is damaged: incorrect data check'],
    ['has text after its end', 'text.gz', Buffer.concat([packed, Buffer.from('more')]), /^text.gz is damaged/],
    [
      'has zeros after its end',
      'zeros.gz',
      Buffer.concat([packed, Buffer.alloc(9)]),
      'zeros.gz has 9 bytes after the end of what is packed',
    ],
    [
      'has half a member after its end',
      'half.gz',
      Buffer.concat([packed, packed.subarray(0, 50)]),
      /^half.gz is cut off/,
    ],
    ['is packed twice', 'twice.gz', gzipSync(gzipSync('{}')), 'twice.gz is packed twice'],
    ['is packed twice, in members far apart', 'apart.gz', apart, 'apart.gz is packed twice'],
    [
      'is a web page',
      'page.json.gz',
      '\n<!DOCTYPE html>',
      'page.json.gz is not packed with gzip, as its name says; it begins like a web page',
    ],
    ['holds too much', 'large.gz', packed, 'large.gz holds more than the 2097152 bytes allowed'],
    ['is too large as it is', 'large.json', NOISE, 'large.json holds more than the 2097152 bytes allowed'],
    ['is a bomb', 'bomb.gz', gzipSync(zeros), /^bomb.gz unpacks to more than 100 times its size/],
    ['is a bomb of zstd', 'bomb.zst', zstdCompressSync(zeros), /^bomb.zst unpacks to more than 100 times its size/],
    ['is cut off in zstd', 'cut.zst', zstdCompressSync(NOISE).subarray(0, -1), /^cut.zst is cut off/],
    [
      'has text after its frame',
      'text.zst',
      Buffer.concat([zstdCompressSync(NOISE), Buffer.from('more')]),
      /^text.zst is /,
    ],
    ['is zstd in gzip', 'both.gz', gzipSync(zstdCompressSync('{}')), 'both.gz is packed twice'],
    [
      'is packed in frames without end',
      'frames.zst',
      Buffer.concat(Array.from({ length: 4097 }, () => zstdCompressSync(''))),
      'frames.zst is packed in more than 4096 frames',
    ],
  ])('%s', async (_, name, content, complaint) => {
    const limit = name.startsWith('large') ? 2 * MEBIBYTE : undefined
    expect(await faultOf(read(await file(name, content), limit))).toEqual(
      typeof complaint === 'string' ? complaint : expect.stringMatching(complaint),
    )
  })

  it('is not there, or is a directory', async () => {
    expect(await faultOf(read(join(folder, 'none.json')))).toBe('none.json does not exist')
    await file('inner/file', '')
    expect(await faultOf(read(join(folder, 'inner')))).toBe('inner is a directory')
  })

  it('has one byte changed; or the change does not matter', async () => {
    const content = 'A text that is short, and short, and packs a little.'
    const packed = gzipSync(content)
    let refused = 0
    for (let at = 0; at < packed.length; at += 1) {
      const changed = Buffer.from(packed)
      changed.writeUInt8(changed.readUInt8(at) ^ 0xff, at)
      const reading = read(await file('changed.json', changed))
      const fault = await faultOf(reading)
      refused += fault ? 1 : 0
      // Without the first two bytes it is not gzip at all, and whoever parses it will say so.
      if (!fault && at > 1) expect((await reading).content.toString(), `byte ${at}`).toBe(content)
    }
    expect(refused).toBeGreaterThan(content.length / 2)
  })

  it('is a bomb of 10 GB: of it no more than the first megabytes are unpacked', async () => {
    const member = gzipSync(zeros)
    const path = await file('large-bomb.gz', Buffer.concat(Array.from({ length: 500 }, () => member)))
    let unpacked = 0
    const reading = (async () => {
      for await (const chunk of openFile(path, { maxBytes: 100_000 * MEBIBYTE })) unpacked += chunk.length
    })()
    expect(await faultOf(reading)).toMatch(/unpacks to more than 100 times its size/)
    expect(unpacked).toBeLessThanOrEqual(2 * MEBIBYTE)
  })
})

describe('The file itself', () => {
  it.each([
    ['plain', NOISE],
    ['packed', gzipSync(NOISE)],
  ])(
    'is closed when it was read to the end, when the reader stops early, and when there is a fault (%s)',
    async (kind, content) => {
      const path = await file(`closed-${kind}`, content)
      await read(path)
      expect(await isOpen(path)).toBe(false)
      for await (const chunk of openFile(path, { maxBytes: 100 * MEBIBYTE })) {
        expect([chunk.length > 0, await isOpen(path)]).toEqual([true, true])
        break
      }
      expect(await isOpen(path)).toBe(false)
      expect(await faultOf(read(path, MEBIBYTE))).toBeDefined()
      expect(await isOpen(path)).toBe(false)
    },
  )

  it('is read no further ahead than a few chunks while the reader is busy', async () => {
    const packed = gzipSync(Buffer.concat(Array.from({ length: 8 }, () => NOISE)))
    let consumed = 0
    const content = openFile(await file('ahead.gz', packed), { maxBytes: 100 * MEBIBYTE }, (count) => {
      consumed += count
    })
    await content.next()
    const atFirst = consumed
    await new Promise((resolve) => setTimeout(resolve, 100))
    await content.next()
    expect(consumed - atFirst).toBeLessThan(2 * MEBIBYTE)
    await content.return()
  })
})
