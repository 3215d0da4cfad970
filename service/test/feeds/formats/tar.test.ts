import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTarEntries, type TarLimits } from '../../../src/feeds/formats/tar.ts'
import { measureHeldBytes, readErrorMessage, toChunks } from './json-chunks.ts'
import { buildGnuLongName, buildPaxHeader, buildTar, buildTarEntry, type TestTarEntry } from './tar-builder.ts'
import { createTestFolder } from './test-folder.ts'

const LONG_NAME = `${'folder/'.repeat(20)}advisory.json`
const LONG_TEXT = 'x'.repeat(700)
const [A, B] = [
  { name: 'a.json', content: 'first' },
  { name: 'b.json', content: LONG_TEXT },
]
const BOTH = [
  ['a.json', 'first'],
  ['b.json', LONG_TEXT],
]
const ALL = { matches: () => true, maxEntryBytes: 1000 }

async function read(
  archive: Buffer,
  limits: Partial<TarLimits> = {},
  sizes?: readonly number[],
): Promise<readonly (readonly [string, string | undefined])[]> {
  const all: [string, string | undefined][] = []
  for await (const { name, bytes } of readTarEntries(toChunks(archive, sizes), { ...ALL, ...limits }))
    all.push([name, bytes?.toString()])
  return all
}

describe('tar reader: archives written by GNU tar', () => {
  /** Files at the limits of the tar formats: long names, empty files, sizes around the tar block size of 512 bytes. */
  const files = new Map<string, Buffer>([
    ['plain.json', Buffer.from('{}')],
    ['empty.json', Buffer.alloc(0)],
    ['block.json', Buffer.alloc(512, 'b')],
    ['more-than-a-block.json', Buffer.alloc(513, 'm')],
    ['large.bin', Buffer.alloc(3_000_000, 'l')],
    ['n'.repeat(99), Buffer.from('name of 99 bytes')],
    ['n'.repeat(100), Buffer.from('name of 100 bytes')],
    [`2024/${'deep/'.repeat(18)}ustar-prefix.json`, Buffer.from('name that ustar splits')],
    ...Array.from({ length: 500 }, (_, index): [string, Buffer] => [`many/${index}.json`, Buffer.from(`${index}`)]),
  ])
  const longNames = new Map<string, Buffer>([
    [`2024/${'d'.repeat(120)}/${'f'.repeat(120)}.json`, Buffer.from('name of more than 240 bytes')],
    ['2024/übergröße-漏洞.json', Buffer.from('name that is not ASCII')],
  ])

  /** Writes the files and two symbolic links, and packs them into an archive with the tar command of the system. */
  async function pack(format: string, contents: ReadonlyMap<string, Buffer>) {
    const folder = await createTestFolder()
    const source = join(folder.path, 'source')
    for (const [name, content] of contents) {
      await mkdir(dirname(join(source, name)), { recursive: true })
      await writeFile(join(source, name), content)
    }
    await symlink('plain.json', join(source, 'link.json'))
    await symlink('/etc', join(source, 'link-to-etc'))
    const archive = join(folder.path, 'archive.tar')
    execFileSync('tar', [`--format=${format}`, '-cf', archive, '-C', source, '.'])
    return { folder, archive }
  }

  /** Returns the size and the hash of a file, because comparing megabytes with toEqual takes half a minute. */
  const summarise = (bytes: Buffer | undefined) => bytes && `${bytes.length} bytes, ${hash('sha256', bytes)}`

  /** Extracts the archive with the tar command of the system and reads the regular files. */
  async function extract(folder: string, archive: string): Promise<Map<string, string | undefined>> {
    const target = join(folder, 'target')
    await mkdir(target)
    execFileSync('tar', ['-xf', archive, '-C', target])
    const found = new Map<string, string | undefined>()
    for (const entry of await readdir(target, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isFile()) found.set(path.slice(target.length + 1), summarise(await readFile(path)))
    }
    return found
  }

  it.each<[string, ReadonlyMap<string, Buffer>]>([
    ['ustar', files],
    ['gnu', new Map([...files, ...longNames])],
    ['pax', new Map([...files, ...longNames])],
    ['v7', new Map([...files].filter(([name]) => name.length < 90))],
  ])('returns the same names and bytes as GNU tar extracts from an archive in %s format', async (format, contents) => {
    const { folder, archive } = await pack(format, contents)
    const found = new Map<string, string | undefined>()
    const limits = { matches: () => true, maxEntryBytes: 10_000_000 }
    for await (const { name, bytes } of readTarEntries(createReadStream(archive), limits))
      found.set(name, summarise(bytes))

    expect(found.size).toBe(contents.size)
    expect(found).toEqual(await extract(folder.path, archive))
  })

  it('reports a truncated archive wherever it is cut off', async () => {
    const { archive } = await pack('pax', new Map([...files].slice(0, 4)))
    const bytes = await readFile(archive)
    const end = bytes.findLastIndex((byte) => byte !== 0)
    // GNU tar pads the archive with zeros; at least two blocks of zeros must follow the last file.
    const endOfFiles = Math.ceil(end / 512) * 512
    for (let length = 0; length < endOfFiles + 1024; length += 256)
      expect(await readErrorMessage(read(bytes.subarray(0, length))), `${length} bytes`).toMatch(/truncated/)
    expect(await readErrorMessage(read(bytes.subarray(0, endOfFiles + 1024)))).toBeUndefined()
  })
})

describe('tar reader: files in an archive', () => {
  it.each([[[10_000]], [[1]], [[511, 3]], [[512]], [[0, 513]]])(
    'reads all files in order when the archive arrives in chunks of %j bytes',
    async (sizes) => {
      const archive = buildTar([{ name: 'folder/', type: '5' }, A, { name: 'empty', content: '' }, B])
      expect(await read(archive, {}, sizes)).toEqual([
        ['a.json', 'first'],
        ['empty', ''],
        ['b.json', LONG_TEXT],
      ])
    },
  )

  it.each<[string, readonly TestTarEntry[], string]>([
    ['a ustar prefix', [{ ...A, prefix: LONG_NAME.slice(0, -14), name: 'advisory.json' }], LONG_NAME],
    ['a pax header', [buildPaxHeader({ mtime: '1724305800.5', path: LONG_NAME }), A], LONG_NAME],
    ['a GNU long-name entry', [buildGnuLongName(LONG_NAME), { ...A, isGnu: true }], LONG_NAME],
    ['a header after a global pax header', [{ name: 'g', type: 'g', content: '9 a=b\n' }, A], 'a.json'],
  ])("takes a file's name from %s", async (_kind, entries, name) => {
    expect(await read(buildTar([...entries, B]))).toEqual([
      [name, 'first'],
      ['b.json', LONG_TEXT],
    ])
  })

  it("takes a file's size from a pax header", async () => {
    expect(await read(buildTar([buildPaxHeader({ size: '5' }), { ...A, size: 0 }, B]))).toEqual(BOTH)
  })

  it('reads a binary size, which GNU tar writes for files larger than 8 GB', async () => {
    expect(await read(buildTar([{ ...A, size: '\x80\0\0\0\0\0\0\0\0\0\0\x05' }, B]))).toEqual(BOTH)
  })

  it('returns only files whose name matches, and removes a leading "./" from the name', async () => {
    const archive = buildTar([A, { ...B, name: './deep/b.json' }])
    expect(await read(archive, { matches: (name) => name === 'deep/b.json' })).toEqual([['deep/b.json', LONG_TEXT]])
  })

  it('returns a file above the size limit without its content and continues with the next file', async () => {
    expect(await read(buildTar([B, A]), { maxEntryBytes: 699 })).toEqual([
      ['b.json', undefined],
      ['a.json', 'first'],
    ])
    expect(await read(buildTar([B]), { maxEntryBytes: 700 })).toEqual([['b.json', LONG_TEXT]])
  })

  it('accepts the zeros that pad the end of an archive', async () => {
    expect(await read(buildTar([A], Buffer.alloc(10_240)))).toHaveLength(1)
  })

  it('does not hold a large file in memory while skipping it', async () => {
    const megabyte = Buffer.alloc(1024 * 1024)
    async function* generateArchive() {
      yield buildTarEntry({ name: 'huge', size: 200 * megabyte.length }).subarray(0, 512)
      for (let count = 0; count < 200; count += 1) yield Buffer.from(megabyte)
      yield buildTar([A])
    }
    const before = measureHeldBytes()
    const names: string[] = []
    for await (const { name } of readTarEntries(generateArchive(), ALL)) {
      names.push(name)
      expect(measureHeldBytes() - before).toBeLessThan(20 * megabyte.length)
    }
    expect(names).toEqual(['huge', 'a.json'])
  })
})

describe('tar reader: skipped entries', () => {
  it.each<[string, readonly TestTarEntry[]]>([
    ['a symbolic link', [{ name: 'link', type: '2' }]],
    ['a hard link', [{ name: 'link', type: '1' }]],
    ['a device', [{ name: 'null', type: '3' }]],
    ['a directory', [{ name: 'folder/', type: '5' }]],
    ['a file whose name points outside the archive', [{ ...A, name: 'a/../../b' }]],
    ['a file whose pax path points outside the archive', [buildPaxHeader({ path: '../b' }), A]],
    ['a file with an absolute GNU long name', [buildGnuLongName('/etc/passwd'), A]],
    ['a file with a Windows path as its name', [{ ...A, name: 'C:\\b' }]],
    ['a file with a name of 70,000 bytes', [buildGnuLongName('x'.repeat(70_000)), A]],
  ])('skips an entry that is %s and reads the files after it', async (_kind, entries) => {
    expect(await read(buildTar([...entries, A, B]))).toEqual(BOTH)
  })
})

describe('tar reader: invalid archives', () => {
  const good = buildTar([A, B])

  it('rejects an archive as truncated if it declares a larger file than it contains', async () => {
    const archive = buildTar([{ ...A, size: 900 }], Buffer.alloc(0))
    expect(await readErrorMessage(read(archive))).toBe('the file is truncated: the tar archive in it is incomplete')
  })

  it.each<[string, Buffer]>([
    ['an HTML page', Buffer.alloc(2048, '<html>')],
    ['an archive with a wrong header checksum', buildTar([{ ...A, checksum: 1234 }])],
    ['an archive with a size that is not a number', buildTar([{ ...A, size: 'many' }])],
    ['an archive with an empty block between files', buildTar([A, B], Buffer.concat([Buffer.alloc(512), good]))],
    ['an archive with data after its end', buildTar([A], Buffer.concat([Buffer.alloc(1024), good]))],
    ['an archive with a name of 9 MB', buildTar([buildGnuLongName('x'.repeat(9_000_000)), A])],
  ])('rejects %s as damaged', async (_kind, archive) => {
    expect(await readErrorMessage(read(archive))).toMatch(/^the file is damaged or not a tar archive \(.+\)$/)
  })

  it('rejects an archive if any byte of a header is changed, except the unused last byte of the checksum', async () => {
    const archive = buildTar([A])
    for (let at = 0; at < 512; at += 1) {
      if (at === 155) continue
      const changed = Buffer.from(archive)
      changed.writeUInt8(changed.readUInt8(at) ^ 0x41, at)
      expect(await readErrorMessage(read(changed)), `byte ${at}`).toBeDefined()
    }
  })

  it('rethrows an error from its source stream unchanged', async () => {
    async function* fail() {
      yield good.subarray(0, 600)
      throw new TypeError('disk failure')
    }
    const reading = Array.fromAsync(readTarEntries(fail(), ALL))
    await expect(reading).rejects.toThrow(new TypeError('disk failure'))
  })

  it.each([['read to the end'], ['left early']])('closes its source stream when the archive was %s', async (how) => {
    const source = toChunks(buildTar([A, B]), [100])
    for await (const { name } of readTarEntries(source, ALL)) if (how === 'left early' && name === 'a.json') break
    expect(source.isClosed()).toBe(true)
  })
})
