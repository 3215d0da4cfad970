import { describe, expect, it } from 'vitest'
import { type TarLimits, tarEntries } from '../../../src/feeds/formats/tar.ts'
import { bytesHeld, faultOf, inChunks } from './json-chunks.ts'
import { gnuLongName, paxNotes, type TestTarEntry, tarEntry, tarOf } from './tar-builder.ts'

const LONG = `${'folder/'.repeat(20)}kettle.json`
const NOISE = 'x'.repeat(700)
const [A, B] = [
  { name: 'a.json', content: 'first' },
  { name: 'b.json', content: NOISE },
]

async function read(
  archive: Buffer,
  limits: Partial<TarLimits> = {},
  sizes?: readonly number[],
): Promise<readonly (readonly [string, string | undefined])[]> {
  const all: [string, string | undefined][] = []
  const some = { matches: () => true, maxEntryBytes: 1000, ...limits }
  for await (const { name, bytes } of tarEntries(inChunks(archive, sizes), some)) all.push([name, bytes?.toString()])
  return all
}

describe('The files of a tar archive', () => {
  it.each([[[10_000]], [[1]], [[511, 3]], [[512]], [[0, 513]]])(
    'come one after another, in chunks of %j',
    async (sizes) => {
      const archive = tarOf([{ name: 'folder/', type: '5' }, A, { name: 'empty', content: '' }, B])
      expect(await read(archive, {}, sizes)).toEqual([
        ['a.json', 'first'],
        ['empty', ''],
        ['b.json', NOISE],
      ])
    },
  )

  it.each<[string, readonly TestTarEntry[]]>([
    ['in two parts, as POSIX does', [{ ...A, prefix: LONG.slice(0, -12), name: 'kettle.json' }]],
    ['in a note of pax', [paxNotes({ mtime: '1724305800.5', path: LONG }), A]],
    ['in an entry of its own, as GNU does', [gnuLongName(LONG), { ...A, isGnu: true }]],
    [
      'after a note on all files',
      [
        { name: 'pax_global_header', type: 'g', content: '9 a=b\n' },
        { ...A, name: LONG.slice(-90) },
      ],
    ],
  ])('may have long names, %s; the name counts for one file only', async (how, entries) => {
    const name = how.startsWith('after') ? LONG.slice(-90) : LONG
    expect(await read(tarOf([...entries, B]))).toEqual([
      [name, 'first'],
      ['b.json', NOISE],
    ])
  })

  it('may have their size in a note of pax', async () => {
    expect(await read(tarOf([paxNotes({ size: '5' }), { ...A, size: 0 }, B]))).toEqual([
      ['a.json', 'first'],
      ['b.json', NOISE],
    ])
  })

  it('are those that are wanted; a leading ./ is no part of a name', async () => {
    const archive = tarOf([A, { ...B, name: './deep/b.json' }])
    expect(await read(archive, { matches: (name) => name === 'deep/b.json' })).toEqual([['deep/b.json', NOISE]])
  })

  it('are passed over when they are too large, and the next one is read', async () => {
    expect(await read(tarOf([B, A]), { maxEntryBytes: 699 })).toEqual([
      ['b.json', undefined],
      ['a.json', 'first'],
    ])
    expect(await read(tarOf([B]), { maxEntryBytes: 700 })).toEqual([['b.json', NOISE]])
  })

  it('may be followed by zeros, as tar fills up its last record', async () => {
    expect(await read(tarOf([A], Buffer.alloc(10_240)))).toHaveLength(1)
  })

  it('do not stay in memory while they are passed over', async () => {
    const megabyte = Buffer.alloc(1024 * 1024)
    async function* huge() {
      yield tarEntry({ name: 'huge', size: 200 * megabyte.length }).subarray(0, 512)
      for (let count = 0; count < 200; count += 1) yield Buffer.from(megabyte)
      yield tarOf([A])
    }
    const before = bytesHeld()
    for await (const { name } of tarEntries(huge(), { matches: () => true, maxEntryBytes: 1000 }))
      if (name === 'huge') expect(bytesHeld() - before).toBeLessThan(20 * megabyte.length)
  })
})

describe('A tar archive that is refused', () => {
  const good = tarOf([A, B])

  it.each<[string, Buffer, string | RegExp]>([
    ['has no end', good.subarray(0, -1024), /^it is cut off/],
    ['has half an end', good.subarray(0, -512), /^it is cut off/],
    ['ends within a file', good.subarray(0, 1100), /^it is cut off/],
    ['ends within a header', good.subarray(0, 300), /^it is cut off/],
    ['is empty', Buffer.alloc(0), /^it is cut off/],
    ['is something else', Buffer.alloc(2048, '<html>'), 'it is no tar archive, or is damaged'],
    ['is of the time before POSIX', tarOf([{ ...A, magic: '\0' }]), 'it is no tar archive, or is damaged'],
    ['has a wrong checksum', tarOf([{ ...A, checksum: 1234 }]), 'it is damaged: the checksum of a header differs'],
    ['has a size that is none', tarOf([{ ...A, size: 'many' }]), 'it is damaged: a number in a header is none'],
    ['has a binary size', tarOf([{ ...A, size: '\x80\0\0\0\0\0\0\0\0\0\0\x05' }]), /a number in a header is none/],
    ['claims more than it has', tarOf([{ ...A, size: 900 }]), /^it is cut off/],
    [
      'has an empty block in its midst',
      tarOf([A, B], Buffer.concat([Buffer.alloc(512), good])),
      /empty block is in its midst/,
    ],
    ['has something after its end', tarOf([A], Buffer.concat([Buffer.alloc(1024), good])), /something after its end/],
    [
      'holds a symbolic link',
      tarOf([{ name: 'link', type: '2' }]),
      'it holds link, which is neither a file nor a folder',
    ],
    ['holds a hard link', tarOf([{ name: 'link', type: '1' }]), /neither a file nor a folder/],
    ['holds a device', tarOf([{ name: 'null', type: '3' }]), /neither a file nor a folder/],
    ['leads out of its folder', tarOf([{ ...A, name: 'a/../../b' }]), 'it is a trap: it holds a file called a/../../b'],
    ['leads out of its folder by a note', tarOf([paxNotes({ path: '../b' }), A]), /^it is a trap/],
    ['leads out of its folder by a long name', tarOf([gnuLongName('/etc/passwd'), A]), /^it is a trap/],
    ['leads to another drive', tarOf([{ ...A, name: 'C:\\b' }]), /^it is a trap/],
    [
      'has an endless name',
      tarOf([gnuLongName('x'.repeat(70_000)), A]),
      'it is a trap: it has a name or note of 70001 bytes',
    ],
    [
      'has a note without a length',
      tarOf([{ name: 'n', type: 'x', content: 'path=a\n' }, A]),
      /a note on a file cannot be read/,
    ],
    ['has a note that is too short', tarOf([{ name: 'n', type: 'x', content: '3 path=a\n' }, A]), /cannot be read/],
    ['has a note without a value', tarOf([{ name: 'n', type: 'x', content: '7 path\n' }, A]), /cannot be read/],
    [
      'has a size that is no number in a note',
      tarOf([paxNotes({ size: '-5' }), A]),
      'it is damaged: the size of a file is no number',
    ],
  ])('%s', async (_, archive, complaint) => {
    expect(await faultOf(read(archive))).toEqual(
      typeof complaint === 'string' ? complaint : expect.stringMatching(complaint),
    )
  })

  it('has one byte of a header changed', async () => {
    const archive = tarOf([A])
    for (let at = 0; at < 512; at += 1) {
      const changed = Buffer.from(archive)
      changed.writeUInt8(changed.readUInt8(at) ^ 0x41, at)
      expect(await faultOf(read(changed)), `byte ${at}`).toBeDefined()
    }
  })

  it.each([['read to the end'], ['left early']])('The stream is let go of when it was %s', async (how) => {
    const source = inChunks(tarOf([A, B]), [100])
    for await (const { name } of tarEntries(source, { matches: () => true, maxEntryBytes: 1000 }))
      if (how === 'left early' && name === 'a.json') break
    expect(source.isClosed()).toBe(true)
  })
})
