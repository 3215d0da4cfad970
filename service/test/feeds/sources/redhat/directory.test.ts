import { randomBytes } from 'node:crypto'
import { zstdCompressSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { redhatFeed } from '../../../../src/feeds/sources/redhat/feed.ts'
import { createFeedHarness } from '../../feed-harness.ts'
import { buildTar } from '../../formats/tar-builder.ts'
import type { Files } from '../../temporary-files.ts'
import { buildArchive, manyVex, STORED_RECORDS, toPath, type Vex, vex } from './fixtures.ts'

const ARCHIVE = 'csaf_vex_2026-08-20.tar.zst'
const [A, B] = ['CVE-2024-0001', 'CVE-2024-0002']

const feed = redhatFeed({ url: 'https://redhat.example/vex/', filesPerRun: 1, pauseMs: 0 })
const { importFiles, selectRows, listRejections, reset } = await createFeedHarness()
beforeEach(reset)

const read = (files: Files) => importFiles(feed, files)
const asLines = (all: readonly unknown[]) => `${all.map((each) => JSON.stringify(each)).join('\n')}\n`
const stored = async () => (await selectRows<{ id: string }>(STORED_RECORDS)).map(({ id }) => id)

describe('Red Hat feed: importing from a directory', () => {
  it.each<[string, (all: readonly Vex[]) => Files]>([
    ['an archive', (all) => ({ [ARCHIVE]: buildArchive(...all) })],
    ['an archive in the folder redhat', (all) => ({ [`redhat/${ARCHIVE}`]: buildArchive(...all) })],
    ['an NDJSON file', (all) => ({ 'redhat-vex.ndjson': asLines(all) })],
    [
      'one JSON file per document',
      (all) =>
        Object.fromEntries(
          all.map((each) => [`redhat/${toPath(each.document.tracking.id).slice(5)}`, JSON.stringify(each)]),
        ),
    ],
  ])('imports documents from %s and writes no rows in the second run', async (_, files) => {
    const all = [vex(A), vex(B)]
    expect(await read(files(all))).toMatchObject({
      outcome: 'succeeded',
      read: 2,
      written: 2,
      rejected: 0,
      notices: [],
    })
    expect(await stored()).toEqual([A, B])
    expect(await selectRows("select cve_id from source.publication_queue where feed = 'redhat'")).toHaveLength(2)
    expect(await read(files(all))).toMatchObject({ outcome: 'succeeded', read: 2, written: 0, unchanged: 2 })
  })

  it('imports the newest archive, then NDJSON files, then single documents', async () => {
    const report = await read({
      'csaf_vex_2026-08-19.tar.zst': buildArchive(vex(A, { text: 'old' })),
      [ARCHIVE]: buildArchive(vex(A, { text: 'packed' }), vex(B)),
      'redhat.ndjson': asLines([vex(A, { text: 'line', at: '2026-08-02T00:00:00Z' })]),
      'redhat/cve-2024-0001.json': JSON.stringify(vex(A, { text: 'file', at: '2026-08-03T00:00:00Z' })),
    })
    expect(report).toMatchObject({ outcome: 'succeeded', read: 4, written: 4 })
    expect(report.notices).toEqual([`Ignored csaf_vex_2026-08-19.tar.zst, because ${ARCHIVE} is newer.`])
    expect(await selectRows(STORED_RECORDS)).toMatchObject([{ record: { description: 'file' } }, { id: B }])
  })

  it('does not overwrite a newer record with an older one', async () => {
    await read({ 'redhat.ndjson': asLines([vex(A, { at: '2026-08-03T00:00:00Z', text: 'new' })]) })
    expect(await read({ [ARCHIVE]: buildArchive(vex(A, { text: 'old' })) })).toMatchObject({
      outcome: 'succeeded',
      written: 0,
    })
    expect(await selectRows(STORED_RECORDS)).toMatchObject([{ record: { description: 'new' } }])
  })

  it('reports the outcome "absent" with example file names when the directory has no Red Hat file', async () => {
    // A VEX document outside the folder redhat is ignored, because other vendors use the same file names.
    const report = await read({ 'cve-2024-0001.json': JSON.stringify(vex(A)), 'csaf_vex_2026-13-45.tar.zst': '' })
    expect(report).toMatchObject({ outcome: 'absent', error: expect.stringContaining('csaf_vex_2026-08-22.tar.zst') })
  })
})

describe('Red Hat feed: unusable input', () => {
  it('rejects an invalid document with a reason and stores the other documents', async () => {
    const file = (name: string, content: string | Buffer) => ({ name: `2024/${name}`, content })
    const archive = buildTar([
      { name: 'README', content: 'Read me.' },
      // Random bytes do not compress, so the archive stays below the maximum compression ratio.
      file('cve-2024-0005.json', randomBytes(33 * 1024 ** 2)),
      ...manyVex(20).map((each) => file(`${each.document.tracking.id.toLowerCase()}.json`, JSON.stringify(each))),
      file('cve-2024-0001.json', '{"document": '),
      file('cve-2024-0002.json', JSON.stringify(vex(A))),
      file('cve-2024-00003.json', JSON.stringify(vex(A))),
      file('cve-2024-0004.json', `[${'[],'.repeat(1_000_001)}[]]`),
    ])
    const report = await read({ [ARCHIVE]: zstdCompressSync(archive) })
    expect(report).toMatchObject({ outcome: 'succeeded', written: 20, rejected: 5 })
    expect(await listRejections()).toEqual([
      { subject: '2024/cve-2024-0005.json', reason: 'larger than the limit of 33554432 bytes' },
      { subject: A, reason: expect.stringContaining('not JSON') },
      { subject: B, reason: `its CVE id ${A} differs from the id in its name` },
      { subject: '2024/cve-2024-00003.json', reason: 'the file name contains no CVE id' },
      { subject: 'CVE-2024-0004', reason: 'more than the 2000000 values allowed in a document' },
    ])
  })

  it('refuses an archive that lacks more than 2 % of the stored records', async () => {
    await read({ [ARCHIVE]: buildArchive(...manyVex(100)) })
    expect(await read({ [ARCHIVE]: buildArchive(...manyVex(97)) })).toMatchObject({ outcome: 'refused' })
    expect(await stored()).toHaveLength(100)
  })
  it.each<[string, Buffer, string]>([
    [
      'an archive of other files',
      zstdCompressSync(buildTar([{ name: 'notes.txt', content: 'notes' }])),
      `${ARCHIVE} cannot be used: it contains no document`,
    ],
    [
      'an archive with a path outside its folder',
      zstdCompressSync(buildTar([{ name: '../cve-2024-0001.json' }])),
      'it contains no document',
    ],
    [
      'a decompression bomb',
      zstdCompressSync(buildTar([{ name: 'cve-2024-0001.json', content: Buffer.alloc(50_000_000, ' ') }])),
      'decompresses to more than 1000 times its size',
    ],
  ])('fails and keeps the stored records when the file is %s', async (_, content, error) => {
    await read({ 'redhat.ndjson': asLines([vex(A)]) })
    expect(await read({ [ARCHIVE]: content })).toMatchObject({
      outcome: 'failed',
      written: 0,
      error: expect.stringContaining(error),
    })
    expect(await stored()).toEqual([A])
  })
})
