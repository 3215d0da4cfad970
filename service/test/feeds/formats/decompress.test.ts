import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readDecompressed } from '../../../src/feeds/formats/decompress.ts'
import { readErrorMessage } from './json-chunks.ts'
import { createTestFolder, isFileOpen } from './test-folder.ts'

const MEBIBYTE = 1024 * 1024
const { path: folder, file } = await createTestFolder()

/** Random bytes as file content, because they cannot be compressed. */
const NOISE = randomBytes(3 * MEBIBYTE)

async function read(path: string, maxBytes = 100 * MEBIBYTE): Promise<{ content: Buffer; consumed: number }> {
  const chunks: Buffer[] = []
  let consumed = 0
  const content = readDecompressed(path, { maxBytes }, (count) => {
    consumed += count
  })
  for await (const chunk of content) chunks.push(chunk)
  return { content: Buffer.concat(chunks), consumed }
}

describe('decompression: contents', () => {
  it('reads an uncompressed file unchanged', async () => {
    const { content, consumed } = await read(await file('plain.json', NOISE))
    expect([content.equals(NOISE), consumed]).toEqual([true, NOISE.length])
  })

  it('recognises gzip by its first bytes, whatever the file name, and counts the compressed bytes', async () => {
    const packed = gzipSync(NOISE)
    for (const name of ['packed.json.gz', 'packed without a suffix']) {
      const { content, consumed } = await read(await file(name, packed))
      expect([content.equals(NOISE), consumed]).toEqual([true, packed.length])
    }
  })

  it('decompresses a gzip file with several members', async () => {
    const packed = Buffer.concat([gzipSync('{"list":['), gzipSync(''), gzipSync('1]}')])
    const { content, consumed } = await read(await file('members.gz', packed))
    expect([content.toString(), consumed]).toEqual(['{"list":[1]}', packed.length])
  })

  it('decompresses a zstd file with one or several frames', async () => {
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

  it('accepts a higher compression ratio if the caller allows it', async () => {
    const path = await file('repetitive.zst', zstdCompressSync(Buffer.alloc(5 * MEBIBYTE, 'again and ')))
    expect(await readErrorMessage(read(path))).toMatch(/decompresses to more than 100 times its size/)
    const chunks: Buffer[] = []
    for await (const chunk of readDecompressed(path, { maxBytes: 6 * MEBIBYTE, maxRatio: 100_000 })) chunks.push(chunk)
    expect(Buffer.concat(chunks)).toHaveLength(5 * MEBIBYTE)
  })

  it('counts all compressed bytes even if the last chunk contains only the gzip trailer', async () => {
    const chunkBytes = 256 * 1024
    const overhead = gzipSync(NOISE.subarray(0, chunkBytes - 1000), { level: 0 }).length - (chunkBytes - 1000)
    const packed = gzipSync(NOISE.subarray(0, chunkBytes + 4 - overhead), { level: 0 })
    expect(packed.length).toBe(chunkBytes + 4)
    expect((await read(await file('trailer.gz', packed))).consumed).toBe(packed.length)
  })

  it('reads an uncompressed file whose name ends in .gz', async () => {
    expect((await read(await file('proxied.json.gz', '{"list":[]}'))).content.toString()).toBe('{"list":[]}')
  })

  it('accepts a file of exactly the size limit', async () => {
    const path = await file('exact.gz', gzipSync(NOISE))
    expect((await read(path, NOISE.length)).content.length).toBe(NOISE.length)
  })
})

describe('decompression: rejected files', () => {
  const packed = gzipSync(NOISE)
  const damaged = Buffer.from(packed)
  damaged.writeUInt8(damaged.readUInt8(packed.length - 8) ^ 1, packed.length - 8)
  const zeros = Buffer.alloc(20 * MEBIBYTE)
  const nothing = Buffer.concat(Array(20_000).fill(gzipSync('')))
  const apart = Buffer.concat([gzipSync('\x1f'), nothing, gzipSync(Buffer.from([0x8b]))])

  it.each([
    ['that is empty', 'empty.json', '', 'empty.json is empty'],
    ['that is empty after decompression', 'empty.gz', gzipSync(''), 'empty.gz is empty after decompression'],
    ['that is truncated', 'cut.gz', packed.subarray(0, 1000), /^cut.gz is truncated/],
    ['without its last byte', 'last.gz', packed.subarray(0, -1), /^last.gz is truncated/],
    ['with only its first two bytes', 'begun.gz', packed.subarray(0, 2), /^begun.gz is truncated/],
    ['with a wrong checksum', 'sum.gz', damaged, 'sum.gz is damaged: incorrect data check'],
    ['with text after its end', 'text.gz', Buffer.concat([packed, Buffer.from('more')]), /^text.gz is damaged/],
    [
      'with zeros after its end',
      'zeros.gz',
      Buffer.concat([packed, Buffer.alloc(9)]),
      'zeros.gz has 9 bytes after the end of the compressed data',
    ],
    [
      'with a truncated member after its end',
      'half.gz',
      Buffer.concat([packed, packed.subarray(0, 50)]),
      /^half.gz is truncated/,
    ],
    ['that is compressed twice', 'twice.gz', gzipSync(gzipSync('{}')), 'twice.gz is compressed twice'],
    ['that is compressed twice, with the magic bytes far apart', 'apart.gz', apart, 'apart.gz is compressed twice'],
    [
      'that is an HTML page',
      'page.json.gz',
      '\n<!DOCTYPE html>',
      'page.json.gz is not gzip-compressed although its name ends in .gz; it starts like an HTML page',
    ],
    [
      'above the size limit after decompression',
      'large.gz',
      packed,
      'large.gz has more than 2097152 bytes, which is the limit',
    ],
    [
      'above the size limit without compression',
      'large.json',
      NOISE,
      'large.json has more than 2097152 bytes, which is the limit',
    ],
    ['that is a gzip bomb', 'bomb.gz', gzipSync(zeros), /^bomb.gz decompresses to more than 100 times its size/],
    [
      'that is a zstd bomb',
      'bomb.zst',
      zstdCompressSync(zeros),
      /^bomb.zst decompresses to more than 100 times its size/,
    ],
    ['that is truncated zstd', 'cut.zst', zstdCompressSync(NOISE).subarray(0, -1), /^cut.zst is truncated/],
    [
      'with text after a zstd frame',
      'text.zst',
      Buffer.concat([zstdCompressSync(NOISE), Buffer.from('more')]),
      /^text.zst is /,
    ],
    ['that is zstd inside gzip', 'both.gz', gzipSync(zstdCompressSync('{}')), 'both.gz is compressed twice'],
    [
      'with more than 4096 zstd frames',
      'frames.zst',
      Buffer.concat(Array(4097).fill(zstdCompressSync(''))),
      'frames.zst is compressed in more than 4096 frames',
    ],
  ])('rejects a file %s', async (_, name, content, message) => {
    const limit = name.startsWith('large') ? 2 * MEBIBYTE : undefined
    expect(await readErrorMessage(read(await file(name, content), limit))).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    )
  })

  it('rejects a missing file and a directory', async () => {
    expect(await readErrorMessage(read(join(folder, 'none.json')))).toBe('none.json does not exist')
    await file('inner/file', '')
    expect(await readErrorMessage(read(join(folder, 'inner')))).toBe('inner is a directory')
  })

  it('either rejects a gzip file with one changed byte or reads the original content', async () => {
    const content = 'A text that is short, and short, and packs a little.'
    const packed = gzipSync(content)
    let refused = 0
    for (let at = 0; at < packed.length; at += 1) {
      const changed = Buffer.from(packed)
      changed.writeUInt8(changed.readUInt8(at) ^ 0xff, at)
      const reading = read(await file('changed.json', changed))
      const error = await readErrorMessage(reading)
      refused += error ? 1 : 0
      // Without the gzip magic number in the first two bytes, the file is read as an uncompressed file.
      if (!error && at > 1) expect((await reading).content.toString(), `byte ${at}`).toBe(content)
    }
    expect(refused).toBeGreaterThan(content.length / 2)
  })

  it('stops after 2 MiB of a 10 GB decompression bomb', async () => {
    const member = gzipSync(zeros)
    const path = await file('large-bomb.gz', Buffer.concat(Array(500).fill(member)))
    let unpacked = 0
    const reading = (async () => {
      for await (const chunk of readDecompressed(path, { maxBytes: 100_000 * MEBIBYTE })) unpacked += chunk.length
    })()
    expect(await readErrorMessage(reading)).toMatch(/decompresses to more than 100 times its size/)
    expect(unpacked).toBeLessThanOrEqual(2 * MEBIBYTE)
  })
})

describe('decompression: file handling', () => {
  it.each([
    ['plain', NOISE],
    ['packed', gzipSync(NOISE)],
  ])('closes a %s file after reading to the end, after an early stop and after an error', async (kind, content) => {
    const path = await file(`closed-${kind}`, content)
    await read(path)
    expect(await isFileOpen(path)).toBe(false)
    for await (const chunk of readDecompressed(path, { maxBytes: 100 * MEBIBYTE })) {
      expect([chunk.length > 0, await isFileOpen(path)]).toEqual([true, true])
      break
    }
    expect(await isFileOpen(path)).toBe(false)
    expect(await readErrorMessage(read(path, MEBIBYTE))).toBeDefined()
    expect(await isFileOpen(path)).toBe(false)
  })

  it('reads only a few chunks ahead of a slow consumer', async () => {
    const packed = gzipSync(Buffer.concat(Array.from({ length: 8 }, () => NOISE)), { level: 0 })
    let consumed = 0
    const content = readDecompressed(await file('ahead.gz', packed), { maxBytes: 100 * MEBIBYTE }, (count) => {
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
