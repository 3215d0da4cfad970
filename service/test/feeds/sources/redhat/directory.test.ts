import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { redhatFeed } from '../../../../src/feeds/sources/redhat/feed.ts'
import { testMachine } from '../../feed-harness.ts'
import { tarOf } from '../../formats/tar-builder.ts'
import { directoryWith } from '../../small-files.ts'
import { archiveOf, manyVex, pathOf, STORED, type Vex, vex } from './fixtures.ts'

const ARCHIVE = 'csaf_vex_2026-08-20.tar.zst'
const [A, B] = ['CVE-2024-0001', 'CVE-2024-0002']

const feed = redhatFeed({ url: 'https://redhat.example/vex/', filesPerRun: 1, pauseMs: 0 })
const { run, look, reset } = await testMachine()
beforeEach(reset)

const read = async (files: Readonly<Record<string, string | Buffer>>) => {
  const from = await directoryWith({})
  await mkdir(join(from, 'redhat'))
  for (const [name, content] of Object.entries(files)) await writeFile(join(from, name), content)
  return run(feed, { from })
}
const asLines = (all: readonly unknown[]) => `${all.map((each) => JSON.stringify(each)).join('\n')}\n`
const stored = async () => (await look<{ id: string }>(STORED)).map(({ id }) => id)
const rejections = () => look('select subject, reason from source.feed_rejection order by id')

describe('The files of Red Hat, in a directory', () => {
  it.each<[string, (all: readonly Vex[]) => Readonly<Record<string, string | Buffer>>]>([
    ['an archive', (all) => ({ [ARCHIVE]: archiveOf(...all) })],
    ['an archive in the folder', (all) => ({ [`redhat/${ARCHIVE}`]: archiveOf(...all) })],
    ['lines', (all) => ({ 'redhat-vex.ndjson': asLines(all) })],
    [
      'a file for each',
      (all) =>
        Object.fromEntries(
          all.map((each) => [`redhat/${pathOf(each.document.tracking.id).slice(5)}`, JSON.stringify(each)]),
        ),
    ],
  ])('are read from %s; the second run writes nothing', async (_, files) => {
    const all = [vex(A), vex(B)]
    expect(await read(files(all))).toMatchObject({
      outcome: 'succeeded',
      read: 2,
      written: 2,
      rejected: 0,
      notices: [],
    })
    expect(await stored()).toEqual([A, B])
    expect(await look("select cve_id from source.publication_queue where feed = 'redhat'")).toHaveLength(2)
    expect(await read(files(all))).toMatchObject({ outcome: 'succeeded', read: 2, written: 0, unchanged: 2 })
  })

  it('may be several: the newest archive, and then what was carried beside it', async () => {
    const report = await read({
      'csaf_vex_2026-08-19.tar.zst': archiveOf(vex(A, { text: 'old' })),
      [ARCHIVE]: archiveOf(vex(A, { text: 'packed' }), vex(B)),
      'redhat.ndjson': asLines([vex(A, { text: 'line', at: '2026-08-02T00:00:00Z' })]),
      'redhat/cve-2024-0001.json': JSON.stringify(vex(A, { text: 'file', at: '2026-08-03T00:00:00Z' })),
    })
    expect(report).toMatchObject({ outcome: 'succeeded', read: 4, written: 4 })
    expect(report.notices).toEqual([
      `csaf_vex_2026-08-19.tar.zst was left alone: ${ARCHIVE} is the archive that was taken.`,
    ])
    expect(await look(STORED)).toMatchObject([{ record: { description: 'file' } }, { id: B }])
  })

  it('that are older than what we have change nothing', async () => {
    await read({ 'redhat.ndjson': asLines([vex(A, { at: '2026-08-03T00:00:00Z', text: 'new' })]) })
    expect(await read({ [ARCHIVE]: archiveOf(vex(A, { text: 'old' })) })).toMatchObject({
      outcome: 'succeeded',
      written: 0,
    })
    expect(await look(STORED)).toMatchObject([{ record: { description: 'new' } }])
  })

  it('may be none: then it says what they are called', async () => {
    // A file of this name outside of the folder may be anybody's.
    const report = await read({ 'cve-2024-0001.json': JSON.stringify(vex(A)), 'csaf_vex_2026-13-45.tar.zst': '' })
    expect(report).toMatchObject({ outcome: 'absent', fault: expect.stringContaining('csaf_vex_2026-08-22.tar.zst') })
  })
})

describe('What cannot be used', () => {
  it('is rejected with its reason when it is a document, and the others are stored', async () => {
    const file = (name: string, content: string | Buffer) => ({ name: `2024/${name}`, content })
    const archive = tarOf([
      { name: 'README', content: 'Read me.' },
      // What does not pack makes up for what packs too well.
      file('cve-2024-0005.json', randomBytes(33 * 1024 ** 2)),
      ...manyVex(20).map((each) => file(`${each.document.tracking.id.toLowerCase()}.json`, JSON.stringify(each))),
      file('cve-2024-0001.json', '{"document": '),
      file('cve-2024-0002.json', JSON.stringify(vex(A))),
      file('cve-2024-00003.json', JSON.stringify(vex(A))),
      file('cve-2024-0004.json', `[${'[],'.repeat(1_000_001)}[]]`),
    ])
    const report = await read({ [ARCHIVE]: zstdCompressSync(archive) })
    expect(report).toMatchObject({ outcome: 'succeeded', written: 20, rejected: 5 })
    expect(await rejections()).toEqual([
      { subject: '2024/cve-2024-0005.json', reason: 'larger than the 33554432 bytes allowed' },
      { subject: A, reason: expect.stringContaining('not JSON') },
      { subject: B, reason: `it speaks of ${A}, and is called otherwise` },
      { subject: '2024/cve-2024-00003.json', reason: 'its name holds no CVE id' },
      { subject: 'CVE-2024-0004', reason: 'more than 2000000 values in one document' },
    ])
  })

  it('is refused when too much of it is bad', async () => {
    await read({ [ARCHIVE]: archiveOf(vex(A)) })
    const bad = manyVex(11, { at: 'May' })
    const report = await read({
      [ARCHIVE]: archiveOf(vex(A, { text: 'new' }), ...manyVex(100), ...bad),
    })
    expect(report).toMatchObject({
      outcome: 'refused',
      written: 0,
      fault: expect.stringContaining('11 of its 112 records'),
    })
    expect(await stored()).toEqual([A])
  })

  it('is refused when an archive lacks more than a little of what we have', async () => {
    await read({ [ARCHIVE]: archiveOf(...manyVex(100)) })
    expect(await read({ [ARCHIVE]: archiveOf(...manyVex(97)) })).toMatchObject({ outcome: 'refused' })
    expect(await stored()).toHaveLength(100)
  })

  const good = archiveOf(...manyVex(3))
  it.each<[string, Buffer, string]>([
    ['cut off', good.subarray(0, -20), `${ARCHIVE} is cut off`],
    [
      'an archive without its end',
      zstdCompressSync(tarOf([], Buffer.alloc(512))),
      `${ARCHIVE} cannot be used: it is cut off`,
    ],
    [
      'an archive of something else',
      zstdCompressSync(tarOf([{ name: 'tea.txt', content: 'tea' }])),
      `${ARCHIVE} cannot be used: it holds no document`,
    ],
    ['an archive that leads elsewhere', zstdCompressSync(tarOf([{ name: '../cve-2024-0001.json' }])), 'it is a trap'],
    ['a web page', Buffer.from('<html>Sorry</html>'.padEnd(600)), `${ARCHIVE} cannot be used: it is no tar archive`],
    [
      'a bomb',
      zstdCompressSync(tarOf([{ name: 'cve-2024-0001.json', content: Buffer.alloc(50_000_000, ' ') }])),
      'unpacks to more than 1000 times its size',
    ],
    ['damaged', Buffer.concat([good.subarray(0, 30), Buffer.from('x'), good.subarray(31)]), ARCHIVE],
  ])('is a failure when it is %s, and what we have stays', async (_, content, fault) => {
    await read({ 'redhat.ndjson': asLines([vex(A)]) })
    expect(await read({ [ARCHIVE]: content })).toMatchObject({
      outcome: 'failed',
      written: 0,
      fault: expect.stringContaining(fault),
    })
    expect(await stored()).toEqual([A])
  })

  it('is a failure when lines are a web page', async () => {
    expect(await read({ 'redhat.ndjson': '<html>Sorry</html>' })).toMatchObject({
      outcome: 'failed',
      fault: 'redhat.ndjson cannot be used: it is a web page or XML; expected a JSON record a line.',
    })
  })
})
