import { mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { overridesFeed } from '../../../../src/feeds/sources/overrides/feed.ts'
import { testDownload } from '../../../support/network/downloads.ts'
import { manners, startUpstream } from '../../../support/network/upstream.ts'
import { testMachine } from '../../feed-harness.ts'
import { zipOf } from '../../formats/zip-builder.ts'
import { fileWith } from '../../one-file.ts'
import { directoryWith } from '../../small-files.ts'

const LINES = 'nvd_overrides_anchore.ndjson.gz'
const ARCHIVE = 'nvd-data-overrides-main.zip'

interface Override {
  readonly _annotation: Readonly<Record<string, unknown>>
  readonly cve: unknown
}

function override(id: string, said: Readonly<Record<string, unknown>> = {}, product = 'teapot'): Override {
  const criteria = `cpe:2.3:a:kettle:${product}:*:*:*:*:*:*:*:*`
  return {
    _annotation: { cve_id: id, modified: '2024-08-01T16:27:57.203000+00:00', reason: 'Nobody said which.', ...said },
    cve: {
      configurations: [{ nodes: [{ cpeMatch: [{ criteria, vulnerable: true }], negate: false, operator: 'OR' }] }],
    },
  }
}

const overrides = (count: number) => Array.from({ length: count }, (_, index) => override(`CVE-2024-${10_000 + index}`))
const asLines = (all: readonly unknown[]) => `${all.map((each) => JSON.stringify(each)).join('\n')}\n`

function asArchive(all: readonly Override[]): Buffer {
  const files = all.map((each) => ({
    name: `nvd-data-overrides-main/data/2024/${String(each._annotation['cve_id'])}.json`,
    content: JSON.stringify(each, null, 2),
  }))
  return zipOf([{ name: 'nvd-data-overrides-main/README.md', content: 'Read me.' }, ...files])
}

const feed = overridesFeed({ url: 'https://overrides.example/' })
const { run, look, reset } = await testMachine()
const read = async (all: readonly unknown[]) => run(feed, { from: await directoryWith({ [LINES]: asLines(all) }) })
const readArchive = async (content: Buffer) => run(feed, { from: dirname(await fileWith(ARCHIVE, content)) })
const stored = () =>
  look<{ id: string; modified: Date; record: Override }>(
    "select cve_id as id, modified, record::json from source.source_record where source = 'overrides' order by cve_id",
  )
const queued = () => look("select cve_id from source.publication_queue where feed = 'overrides'")
beforeEach(reset)

describe("Anchore's overrides", () => {
  it.each([
    ['from an archive of its repository', (all: readonly Override[]) => readArchive(asArchive(all))],
    ['from a line for each CVE', read],
  ])('are kept whole, %s', async (_, load) => {
    const report = await load([override('CVE-2024-0001')])

    expect(report).toMatchObject({ outcome: 'succeeded', read: 1, written: 1, rejected: 0 })
    expect(await stored()).toEqual([
      { id: 'CVE-2024-0001', modified: new Date('2024-08-01T16:27:57Z'), record: override('CVE-2024-0001') },
    ])
    expect(await queued()).toEqual([{ cve_id: 'CVE-2024-0001' }])
  })

  it('may lie beside the files of NVD', async () => {
    const from = await directoryWith({ [LINES]: asLines(overrides(2)) })
    await mkdir(join(from, 'nvd'))
    await rename(join(from, LINES), join(from, 'nvd', LINES))
    expect(await run(feed, { from })).toMatchObject({ outcome: 'succeeded', written: 2, notices: [] })
  })

  it('are written once, whichever form they come in', async () => {
    await read(overrides(20))
    expect(await readArchive(asArchive(overrides(20)))).toMatchObject({ written: 0, unchanged: 20 })
    expect(await queued()).toHaveLength(20)
  })

  it('may have no date, and no products; such a one changes, and one with a date takes its place', async () => {
    const undated = { modified: undefined }
    await read([override('CVE-2024-0001', undated), { ...override('CVE-2024-0002', undated), cve: {} }])
    expect(await stored()).toMatchObject([{ modified: new Date(0) }, { modified: new Date(0), record: { cve: {} } }])

    const changed = [override('CVE-2024-0001', undated, 'kettle'), override('CVE-2024-0002')]
    expect(await read(changed)).toMatchObject({ written: 2 })
    expect(await stored()).toMatchObject([
      { record: { cve: override('CVE-2024-0001', undated, 'kettle').cve } },
      { modified: new Date('2024-08-01T16:27:57Z') },
    ])
  })
})

describe('What cannot be used', () => {
  it('is rejected with its reason when it is an override, and the others are stored', async () => {
    const bad = [
      override('CVE-2024-1'),
      override('CVE-2024-0002', { modified: 'May' }),
      { ...override('CVE-2024-0003'), cve: { configurations: {} } },
      7,
    ]

    expect(await read([...overrides(5), ...bad])).toMatchObject({ outcome: 'succeeded', written: 5, rejected: 4 })
    expect(await look('select subject, reason from source.feed_rejection order by id')).toEqual([
      { subject: 'CVE-2024-1', reason: 'not a CVE id' },
      { subject: 'CVE-2024-0002', reason: '_annotation.modified is no date: "May"' },
      { subject: 'CVE-2024-0003', reason: '/cve/configurations must be array' },
      { subject: 'an override without an id', reason: 'the record must be object' },
    ])
  })

  it.each([
    ['an archive of something else', zipOf([{ name: 'other-main/README.md', content: 'Read me.' }])],
    ['an archive that is cut off', asArchive(overrides(3)).subarray(0, -30)],
    ['a web page', Buffer.from('<html>Sorry</html>')],
  ])('is a failure when it is %s, and what we have stays', async (_, content) => {
    await read(overrides(3))
    const report = await readArchive(content)
    expect(report).toMatchObject({ outcome: 'failed', written: 0 })
    expect(report.fault).toContain(`${ARCHIVE} cannot be used: `)
    expect(await stored()).toHaveLength(3)
  })

  it('is an archive that lacks more than a little', async () => {
    await read(overrides(100))
    expect(await readArchive(asArchive(overrides(97)))).toMatchObject({ outcome: 'refused' })
  })
})

it('The overrides come from the network, and are not read again while they are the same', async () => {
  const upstream = await startUpstream({ '/main': manners.validates('"one"', asArchive(overrides(3))) })
  const fromNetwork = { openDownload: () => testDownload([upstream]) }
  const online = overridesFeed({ url: `${upstream.url}/main` })
  expect(await run(online, fromNetwork)).toMatchObject({ outcome: 'succeeded', read: 3, written: 3 })
  expect(await run(online, fromNetwork)).toMatchObject({ outcome: 'succeeded', read: 0, written: 0 })
})
