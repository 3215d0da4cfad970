import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { unpackNested, type ZipLimits, zipEntries } from '../../../src/feeds/formats/zip.ts'
import { isOpen, testFolder } from './archive-fixtures.ts'
import { faultOf } from './json-chunks.ts'
import { type TestEntry, zipOf } from './zip-builder.ts'

const MEBIBYTE = 1024 * 1024
const { path: folder, file } = await testFolder()
const GENEROUS: ZipLimits = { matches: () => true, maxEntryBytes: 10 * MEBIBYTE, maxBytes: 100 * MEBIBYTE }
const HONEST: readonly TestEntry[] = [
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
  for await (const { name, bytes } of zipEntries(path, { ...GENEROUS, ...limits }, (count) => (consumed += count)))
    entries[name] = bytes.toString()
  return { entries, consumed }
}

describe('The entries of a zip file', () => {
  it('are its files, stored or deflated, with the names that they have there', async () => {
    const zip = zipOf(HONEST, { comment: 'A comment at the end.' })
    expect(await read(zip)).toEqual({
      entries: {
        'cves/2026/CVE-2026-0001.json': '{"id":"CVE-2026-0001","text":"ä ä ä ä ä ä ä ä"}',
        'cves/2026/CVE-2026-0002.json': '{"id":"CVE-2026-0002"}',
        'cves/delta.json': '',
      },
      consumed: zip.length,
    })
  })

  it('are those that match; the others may be larger than allowed, or damaged', async () => {
    const zip = zipOf([...HONEST, { name: 'README.txt', content: 'x'.repeat(500), checksum: 0 }])
    const { entries, consumed } = await read(zip, { matches: (name) => name.endsWith('1.json'), maxEntryBytes: 100 })
    expect([Object.keys(entries), consumed]).toEqual([['cves/2026/CVE-2026-0001.json'], zip.length])
  })

  it('may be listed in the form for large archives', async () => {
    expect(Object.keys((await read(zipOf(HONEST, { zip64: {} }))).entries)).toHaveLength(3)
  })

  it('may be exactly as large as is allowed', async () => {
    const limits = { maxEntryBytes: 1000, maxBytes: 1000 }
    expect((await read(zipOf([{ name: 'a', content: 'x'.repeat(1000) }]), limits)).entries).toHaveProperty('a')
  })
})

describe('A zip file that is refused', () => {
  const one = (changed: Partial<TestEntry>) => [{ name: 'a.json', content: '{"id":1}', ...changed }]
  const zeros = Buffer.alloc(2 * MEBIBYTE)

  it.each([
    ['holds an absolute name', one({ name: '/etc/passwd' }), /absolute path: \/etc\/passwd/],
    ['holds an absolute name of Windows', one({ name: 'C:/autoexec.bat' }), /absolute path/],
    ['holds a name that leads out', one({ name: 'cves/../../a.json' }), /invalid relative path/],
    ['holds a name with a backslash', one({ name: 'cves\\..\\a.json' }), /invalid characters/],
    ['is encrypted', one({ isEncrypted: true }), 'a.zip is encrypted: a.json'],
    ['holds a symbolic link', one({ unixMode: 0o120777 }), 'a.zip holds a symbolic link: a.json'],
    [
      'is packed by a method we do not know',
      one({ method: 12 }),
      'a.zip: a.json is packed by method 12; we read what is stored or deflated',
    ],
    [
      'has a wrong checksum',
      one({ checksum: 7 }),
      'a.zip: a.json is damaged: it is not what its checksum was made from',
    ],
    ['has a wrong checksum of a stored entry', one({ checksum: 7, isStored: true }), /is not what its checksum/],
    ['unpacks to more than it says', one({ size: 3 }), 'a.zip: a.json is damaged: it unpacks to more than it says'],
    ['unpacks to less than it says', one({ size: 300 }), /is not what its checksum was made from/],
    ['says that it is larger than the file', one({ packedSize: 5000 }), /its entries overlap/],
    ['has packed data that go on beyond the file', one({ packedSize: 90 }), /overflows file bounds/],
    [
      'holds an entry that is too large',
      one({ content: 'x'.repeat(11 * MEBIBYTE) }),
      /a.json is larger than the 10485760 bytes allowed/,
    ],
    ['says that an entry is too large', one({ size: 0xfffffffe }), /a.json is larger than/],
    ['is a bomb', one({ content: zeros }), /unpacks to more than 100 times its size/],
  ])('%s', async (_, entries, complaint) => {
    expect(await faultOf(read(zipOf(entries)))).toEqual(
      typeof complaint === 'string' ? complaint : expect.stringMatching(complaint),
    )
  })

  it.each([
    ['leads out', { name: '../a\0\u001b[31m' }, 'a.zip is damaged or a trap: invalid relative path: ../a [31m'],
    ['is very long', { name: 'x'.repeat(60_000), isEncrypted: true }, `a.zip is encrypted: ${'x'.repeat(200)}…`],
  ])('holds a name that %s, and shows no more of it than can be stored and shown', async (_, entry, complaint) => {
    expect(await faultOf(read(zipOf(one(entry))))).toBe(complaint)
  })

  it('is a bomb of many small entries', async () => {
    const many = Array.from({ length: 50 }, (_, at) => ({ name: `${at}`, content: zeros.subarray(0, 100_000) }))
    expect(await faultOf(read(zipOf(many)))).toMatch(/unpacks to more than 100 times its size/)
  })

  it('is a bomb whose entries all use the same data', async () => {
    const content = randomBytes(5000)
    const many = Array.from({ length: 20 }, (_, at) => ({ name: `${at}`, content, isAtFirst: at > 0 }))
    expect(await faultOf(read(zipOf(many)))).toBe('a.zip is a trap: its entries overlap')
  })

  it('holds more than is allowed in all', async () => {
    expect(await faultOf(read(zipOf(HONEST), { maxBytes: 60 }))).toBe('a.zip holds more than the 60 bytes allowed')
  })

  it.each([
    ['is empty', Buffer.alloc(0)],
    ['is no zip file', Buffer.from('<!DOCTYPE html>')],
    ['has something after its end', Buffer.concat([zipOf(HONEST), Buffer.from('more')])],
    ['lists its entries beyond its end', zipOf(HONEST, { directoryAt: 100_000 })],
    ['lists its entries where there are none', zipOf(HONEST, { directoryAt: 3 })],
    ['counts more entries than there are', zipOf(HONEST, { count: 5 })],
    ['counts fewer entries than there are', zipOf(HONEST, { count: 3 })],
    ['has its list at an impossible place', zipOf(HONEST, { zip64: { directoryAt: 2n ** 64n - 2n } })],
    ['has its end at an impossible place', zipOf(HONEST, { zip64: { recordAt: 2n ** 64n - 2n } })],
  ])('%s', async (_, zip) => {
    expect(await faultOf(read(zip))).toMatch(/^a.zip is damaged|^a.zip cannot be read/)
  })

  it('is cut off anywhere', async () => {
    const zip = zipOf(SMALL)
    for (let length = 0; length < zip.length; length += 1)
      expect(await faultOf(read(zip.subarray(0, length))), `after ${length} bytes`).toMatch(/^a.zip is damaged/)
  })

  it('has one byte changed; or the content is the same all the same', async () => {
    const zip = zipOf(SMALL, { zip64: {} })
    const contents = Object.values((await read(zip)).entries)
    let refused = 0
    for (const [at, mask] of zip.keys().flatMap((at) => [[at, 0x01] as const, [at, 0xff] as const])) {
      const changed = Buffer.from(zip)
      changed.writeUInt8(changed.readUInt8(at) ^ mask, at)
      const reading = read(changed)
      const isRefused = (await faultOf(reading)) !== undefined
      refused += isRefused ? 1 : 0
      if (!isRefused) expect(Object.values((await reading).entries), `byte ${at} ^ ${mask}`).toEqual(contents)
    }
    expect(refused).toBeGreaterThan(zip.length / 2)
  })

  it('is closed when it was read to the end, when the reader stops early, and when there is a fault', async () => {
    const path = await file('closed.zip', zipOf(HONEST))
    for await (const { name } of zipEntries(path, GENEROUS))
      expect([name !== '', await isOpen(path)]).toEqual([true, true])
    expect(await isOpen(path)).toBe(false)
    for await (const { name } of zipEntries(path, GENEROUS)) if (name !== '') break
    expect(await isOpen(path)).toBe(false)
    const damaged = await file('damaged.zip', zipOf(HONEST).subarray(0, -5))
    expect(await faultOf(zipEntries(damaged, GENEROUS).next())).toBeDefined()
    expect(await isOpen(damaged)).toBe(false)
  })

  it('is not there', async () => {
    const reading = zipEntries(join(folder, 'none.zip'), GENEROUS).next()
    expect(await faultOf(reading)).toBe('none.zip does not exist')
  })
})

describe('A zip file in a zip file', () => {
  const inner = zipOf(HONEST)
  const nest = async (entries: readonly TestEntry[], into: string, maxBytes = MEBIBYTE) =>
    unpackNested(await file('outer.zip', zipOf(entries)), join(folder, into), { maxBytes })

  it('is written to a file of our own name', async () => {
    for (const isStored of [true, false]) {
      await nest([{ name: 'cves.zip', content: inner, isStored }], `inner-${isStored}.zip`)
      expect((await readFile(join(folder, `inner-${isStored}.zip`))).equals(inner)).toBe(true)
    }
  })

  it.each([
    ['something else', [{ name: 'cves.json', content: '{}' }], /one zip file and nothing else/],
    ['nothing', [], /one zip file and nothing else/],
    ['two of them', [1, 2].map((at) => ({ name: `${at}.zip`, content: inner })), /one zip file and nothing else/],
    ['one that leads out', [{ name: '../cves.zip', content: inner }], /invalid relative path/],
    [
      'one that is too large',
      [{ name: 'cves.zip', content: Buffer.alloc(MEBIBYTE + 1) }],
      /larger than the 1048576 bytes/,
    ],
    ['one with a wrong checksum', [{ name: 'cves.zip', content: inner, checksum: 7 }], /is not what its checksum/],
    ['one that unpacks to more than it says', [{ name: 'cves.zip', content: inner, size: 30 }], /too many bytes/],
  ])('is refused, and leaves no file, when there is %s', async (_, entries, complaint) => {
    expect(await faultOf(nest(entries, 'refused.zip'))).toMatch(complaint)
    await expect(stat(join(folder, 'refused.zip'))).rejects.toThrow('ENOENT')
  })
})
