import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { extractNestedZip, readZipEntries, type ZipLimits } from '../../../src/feeds/formats/zip.ts'
import { readErrorMessage } from './json-chunks.ts'
import { createTestFolder, isFileOpen } from './test-folder.ts'
import { createZip, type TestEntry } from './zip-builder.ts'

const MEBIBYTE = 1024 * 1024
const { path: folder, file } = await createTestFolder()
const HIGH_LIMITS: ZipLimits = { matches: () => true, maxEntryBytes: 10 * MEBIBYTE, maxBytes: 100 * MEBIBYTE }
const VALID: readonly TestEntry[] = [
  { name: 'cves/', content: '', isStored: true },
  { name: 'cves/2026/CVE-2026-0001.json', content: '{"id":"CVE-2026-0001","text":"ä ä ä ä ä ä ä ä"}' },
  { name: 'cves/2026/CVE-2026-0002.json', content: '{"id":"CVE-2026-0002"}', isStored: true },
  { name: 'cves/delta.json', content: '' },
]

const SMALL = [
  { name: 'a.json', content: '{"id":1}' },
  { name: 'b.json', content: '{"id":2}', isStored: true },
]

async function read(zip: Buffer, limits: Partial<ZipLimits> = {}) {
  const entries: Record<string, string> = {}
  let consumed = 0
  const path = await file('a.zip', zip)
  for await (const { name, bytes } of readZipEntries(
    path,
    { ...HIGH_LIMITS, ...limits },
    (count) => (consumed += count),
  ))
    entries[name] = bytes.toString()
  return { entries, consumed }
}

describe('zip reader: entries', () => {
  it('reads stored and deflated files with their names', async () => {
    const zip = createZip(VALID, { comment: 'A comment at the end.' })
    expect(await read(zip)).toEqual({
      entries: {
        'cves/2026/CVE-2026-0001.json': '{"id":"CVE-2026-0001","text":"ä ä ä ä ä ä ä ä"}',
        'cves/2026/CVE-2026-0002.json': '{"id":"CVE-2026-0002"}',
        'cves/delta.json': '',
      },
      consumed: zip.length,
    })
  })

  it('reads only entries whose name matches, and accepts other entries that are too large or damaged', async () => {
    const zip = createZip([...VALID, { name: 'README.txt', content: 'x'.repeat(500), checksum: 0 }])
    const { entries, consumed } = await read(zip, { matches: (name) => name.endsWith('1.json'), maxEntryBytes: 100 })
    expect([Object.keys(entries), consumed]).toEqual([['cves/2026/CVE-2026-0001.json'], zip.length])
  })

  it('reads a zip64 archive', async () => {
    expect(Object.keys((await read(createZip(VALID, { zip64: {} }))).entries)).toHaveLength(3)
  })

  it('accepts an entry of exactly the size limit', async () => {
    const limits = { maxEntryBytes: 1000, maxBytes: 1000 }
    expect((await read(createZip([{ name: 'a', content: 'x'.repeat(1000) }]), limits)).entries).toHaveProperty('a')
  })
})

describe('zip reader: rejected archives', () => {
  const one = (changed: Partial<TestEntry>) => [{ name: 'a.json', content: '{"id":1}', ...changed }]
  const zeros = Buffer.alloc(2 * MEBIBYTE)

  it.each([
    ['with an absolute name', one({ name: '/etc/passwd' }), /absolute path: \/etc\/passwd/],
    ['with an absolute Windows path', one({ name: 'C:/autoexec.bat' }), /absolute path/],
    ['with a name that points outside the archive', one({ name: 'cves/../../a.json' }), /invalid relative path/],
    ['with a backslash in a name', one({ name: 'cves\\..\\a.json' }), /invalid characters/],
    ['with an encrypted entry', one({ isEncrypted: true }), 'a.zip contains an encrypted file: a.json'],
    ['with a symbolic link', one({ unixMode: 0o120777 }), 'a.zip contains a symbolic link: a.json'],
    [
      'with an unsupported compression method',
      one({ method: 12 }),
      'a.zip: a.json uses compression method 12, but only stored and deflated entries are supported',
    ],
    ['with a wrong checksum', one({ checksum: 7 }), 'a.zip: a.json is damaged: its size or checksum does not match'],
    [
      'with a wrong checksum for a stored entry',
      one({ checksum: 7, isStored: true }),
      /its size or checksum does not match/,
    ],
    [
      'with an entry that is larger than its declared size',
      one({ size: 3 }),
      'a.zip: a.json is damaged: it decompresses to more than its stated size',
    ],
    ['with an entry that is smaller than its declared size', one({ size: 300 }), /its size or checksum does not match/],
    ['with a compressed size that exceeds the file', one({ packedSize: 5000 }), /its entries overlap/],
    ['with compressed data that extends beyond the file', one({ packedSize: 90 }), /overflows file bounds/],
    [
      'with an entry above the size limit',
      one({ content: 'x'.repeat(11 * MEBIBYTE) }),
      /a.json is larger than the limit of 10485760 bytes/,
    ],
    ['with a declared size above the size limit', one({ size: 0xfffffffe }), /a.json is larger than/],
    ['that is a decompression bomb', one({ content: zeros }), /decompresses to more than 100 times its size/],
  ])('rejects an archive %s', async (_, entries, message) => {
    expect(await readErrorMessage(read(createZip(entries)))).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    )
  })

  it.each([
    [
      'has a name that points outside the archive',
      { name: '../a\0\u001b[31m' },
      'a.zip is damaged or malicious: invalid relative path: ../a [31m',
    ],
    [
      'has a very long name',
      { name: 'x'.repeat(60_000), isEncrypted: true },
      `a.zip contains an encrypted file: ${'x'.repeat(200)}…`,
    ],
  ])('sanitizes and truncates, in its error message, the name of an entry that %s', async (_, entry, message) => {
    expect(await readErrorMessage(read(createZip(one(entry))))).toBe(message)
  })

  it('rejects a decompression bomb of many small entries', async () => {
    const many = Array.from({ length: 50 }, (_, at) => ({ name: `${at}`, content: zeros.subarray(0, 100_000) }))
    expect(await readErrorMessage(read(createZip(many)))).toMatch(/decompresses to more than 100 times its size/)
  })

  it('rejects a decompression bomb whose entries share the same data', async () => {
    const content = randomBytes(5000)
    const many = Array.from({ length: 20 }, (_, at) => ({ name: `${at}`, content, sharesFirst: at > 0 }))
    expect(await readErrorMessage(read(createZip(many)))).toBe('a.zip is damaged or malicious: its entries overlap')
  })

  it('rejects an archive whose entries together exceed the size limit', async () => {
    expect(await readErrorMessage(read(createZip(VALID), { maxBytes: 60 }))).toBe(
      'a.zip contains more than the limit of 60 bytes',
    )
  })

  it.each([
    ['that is empty', Buffer.alloc(0)],
    ['that is an HTML page', Buffer.from('<!DOCTYPE html>')],
    ['with data after its end', Buffer.concat([createZip(VALID), Buffer.from('more')])],
    ['with a central directory after its end', createZip(VALID, { directoryAt: 100_000 })],
    ['with a central directory at a wrong offset', createZip(VALID, { directoryAt: 3 })],
    ['that declares more entries than it has', createZip(VALID, { count: 5 })],
    ['that declares fewer entries than it has', createZip(VALID, { count: 3 })],
    ['with an impossible zip64 directory offset', createZip(VALID, { zip64: { directoryAt: 2n ** 64n - 2n } })],
    ['with an impossible zip64 record offset', createZip(VALID, { zip64: { recordAt: 2n ** 64n - 2n } })],
  ])('rejects an archive %s', async (_, zip) => {
    expect(await readErrorMessage(read(zip))).toMatch(/^a.zip is damaged|^a.zip cannot be read/)
  })

  it('rejects an archive truncated at any byte', async () => {
    const zip = createZip(SMALL)
    for (let length = 0; length < zip.length; length += 1)
      expect(await readErrorMessage(read(zip.subarray(0, length))), `after ${length} bytes`).toMatch(
        /^a.zip is damaged/,
      )
  })

  it('either rejects an archive with one changed byte or reads the original contents', async () => {
    const zip = createZip(SMALL, { zip64: {} })
    const contents = Object.values((await read(zip)).entries)
    let refused = 0
    for (const [at, mask] of zip.keys().flatMap((at) => [[at, 0x01] as const, [at, 0xff] as const])) {
      const changed = Buffer.from(zip)
      changed.writeUInt8(changed.readUInt8(at) ^ mask, at)
      const reading = read(changed)
      const isRefused = (await readErrorMessage(reading)) !== undefined
      refused += isRefused ? 1 : 0
      if (!isRefused) expect(Object.values((await reading).entries), `byte ${at} ^ ${mask}`).toEqual(contents)
    }
    expect(refused).toBeGreaterThan(zip.length / 2)
  })

  it('closes the zip file after reading to the end, after an early stop and after an error', async () => {
    const path = await file('closed.zip', createZip(VALID))
    for await (const { name } of readZipEntries(path, HIGH_LIMITS))
      expect([name !== '', await isFileOpen(path)]).toEqual([true, true])
    expect(await isFileOpen(path)).toBe(false)
    for await (const { name } of readZipEntries(path, HIGH_LIMITS)) if (name !== '') break
    expect(await isFileOpen(path)).toBe(false)
    const damaged = await file('damaged.zip', createZip(VALID).subarray(0, -5))
    expect(await readErrorMessage(readZipEntries(damaged, HIGH_LIMITS).next())).toBeDefined()
    expect(await isFileOpen(damaged)).toBe(false)
  })

  it('rejects a file that does not exist', async () => {
    const reading = readZipEntries(join(folder, 'none.zip'), HIGH_LIMITS).next()
    expect(await readErrorMessage(reading)).toBe('none.zip does not exist')
  })
})

describe('zip reader: zip file inside a zip file', () => {
  const inner = createZip(VALID)
  const nest = async (entries: readonly TestEntry[], into: string, maxBytes = MEBIBYTE) =>
    extractNestedZip(await file('outer.zip', createZip(entries)), join(folder, into), { maxBytes })

  it('extracts the inner zip file to the given path', async () => {
    for (const isStored of [true, false]) {
      await nest([{ name: 'cves.zip', content: inner, isStored }], `inner-${isStored}.zip`)
      expect((await readFile(join(folder, `inner-${isStored}.zip`))).equals(inner)).toBe(true)
    }
  })

  it.each([
    ['a file that is not a zip file', [{ name: 'cves.json', content: '{}' }], /exactly one file, a zip file/],
    ['no file', [], /exactly one file, a zip file/],
    ['two zip files', [1, 2].map((at) => ({ name: `${at}.zip`, content: inner })), /exactly one file, a zip file/],
    [
      'a zip file whose name points outside the archive',
      [{ name: '../cves.zip', content: inner }],
      /invalid relative path/,
    ],
    [
      'a zip file above the size limit',
      [{ name: 'cves.zip', content: Buffer.alloc(MEBIBYTE + 1) }],
      /larger than the limit of 1048576 bytes/,
    ],
    [
      'a zip file with a wrong checksum',
      [{ name: 'cves.zip', content: inner, checksum: 7 }],
      /its size or checksum does not match/,
    ],
    ['a zip file larger than its declared size', [{ name: 'cves.zip', content: inner, size: 30 }], /too many bytes/],
  ])('rejects an outer zip file that contains %s and leaves no extracted file', async (_, entries, message) => {
    expect(await readErrorMessage(nest(entries, 'refused.zip'))).toMatch(message)
    await expect(stat(join(folder, 'refused.zip'))).rejects.toThrow('ENOENT')
  })
})
