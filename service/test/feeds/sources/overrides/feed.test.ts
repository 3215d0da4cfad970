import { beforeEach, describe, expect, it } from 'vitest'
import { overridesFeed } from '../../../../src/feeds/sources/overrides/feed.ts'
import { createFeedHarness } from '../../feed-harness.ts'
import { createZip } from '../../formats/zip-builder.ts'

const LINES = 'nvd_overrides_anchore.ndjson.gz'
const ARCHIVE = 'nvd-data-overrides-main.zip'

interface Override {
  readonly _annotation: Readonly<Record<string, unknown>>
  readonly cve: unknown
}

function override(id: string, annotation: Readonly<Record<string, unknown>> = {}, product = 'formserver'): Override {
  const criteria = `cpe:2.3:a:brightwell:${product}:*:*:*:*:*:*:*:*`
  return {
    _annotation: {
      cve_id: id,
      modified: '2024-08-01T16:27:57.203000+00:00',
      reason: 'NVD lists no products.',
      ...annotation,
    },
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
  return createZip([{ name: 'nvd-data-overrides-main/README.md', content: 'Read me.' }, ...files])
}

const feed = overridesFeed({ url: 'https://overrides.example/' })
const { importFiles, selectRows, listQueued, listRejections, reset } = await createFeedHarness()
const read = (all: readonly unknown[]) => importFiles(feed, { [LINES]: asLines(all) })
const readArchive = (content: Buffer) => importFiles(feed, { [ARCHIVE]: content })
const stored = () =>
  selectRows<{ id: string; modified: Date; record: Override }>(
    "select cve_id as id, modified, record::json from source.source_record where source = 'overrides' order by cve_id",
  )
beforeEach(reset)

describe('Overrides feed: importing from a directory', () => {
  it.each([
    ['an archive of the repository', (all: readonly Override[]) => readArchive(asArchive(all))],
    ['an NDJSON file', read],
  ])('stores every override from %s unchanged', async (_, load) => {
    const report = await load([override('CVE-2024-0001')])

    expect(report).toMatchObject({ outcome: 'succeeded', read: 1, written: 1, rejected: 0 })
    expect(await stored()).toEqual([
      { id: 'CVE-2024-0001', modified: new Date('2024-08-01T16:27:57Z'), record: override('CVE-2024-0001') },
    ])
    expect(await listQueued()).toEqual(['CVE-2024-0001'])
  })

  it('reads the NDJSON file from the folder nvd', async () => {
    const files = { [`nvd/${LINES}`]: asLines(overrides(2)) }
    expect(await importFiles(feed, files)).toMatchObject({ outcome: 'succeeded', written: 2, notices: [] })
  })

  it('writes no rows when an archive contains the same overrides as an imported NDJSON file', async () => {
    await read(overrides(20))
    expect(await readArchive(asArchive(overrides(20)))).toMatchObject({ written: 0, unchanged: 20 })
    expect(await listQueued()).toHaveLength(20)
  })

  it('accepts overrides without a date or products, and replaces an undated override', async () => {
    const undated = { modified: undefined }
    await read([override('CVE-2024-0001', undated), { ...override('CVE-2024-0002', undated), cve: {} }])
    expect(await stored()).toMatchObject([{ modified: new Date(0) }, { modified: new Date(0), record: { cve: {} } }])

    const changed = [override('CVE-2024-0001', undated, 'formviewer'), override('CVE-2024-0002')]
    expect(await read(changed)).toMatchObject({ written: 2 })
    expect(await stored()).toMatchObject([
      { record: { cve: override('CVE-2024-0001', undated, 'formviewer').cve } },
      { modified: new Date('2024-08-01T16:27:57Z') },
    ])
  })
})

describe('Overrides feed: withdrawn overrides', () => {
  it('deletes an override that the repository no longer contains, and queues its CVE for publication', async () => {
    await read(overrides(3))
    await selectRows('delete from source.publication_queue')
    expect(await readArchive(asArchive(overrides(2)))).toMatchObject({ outcome: 'succeeded', written: 0, removed: 1 })
    expect((await stored()).map(({ id }) => id)).toEqual(['CVE-2024-10000', 'CVE-2024-10001'])
    expect(await listQueued()).toEqual(['CVE-2024-10002'])
  })

  it('deletes no records from other sources', async () => {
    await read(overrides(2))
    await selectRows(
      "insert into source.source_record (source, cve_id, content_hash, modified, record) values ('nvd', 'CVE-2024-0001', '', '2024-01-01', '{}')",
    )
    await read(overrides(1))
    expect(await selectRows('select source, cve_id from source.source_record order by source')).toEqual([
      { source: 'nvd', cve_id: 'CVE-2024-0001' },
      { source: 'overrides', cve_id: 'CVE-2024-10000' },
    ])
  })
})

describe('Overrides feed: unusable input', () => {
  it('rejects an invalid override with a reason and stores the other overrides', async () => {
    const bad = [
      override('CVE-2024-1'),
      override('CVE-2024-0002', { modified: 'May' }),
      { ...override('CVE-2024-0003'), cve: { configurations: {} } },
      7,
    ]

    expect(await read([...overrides(5), ...bad])).toMatchObject({ outcome: 'succeeded', written: 5, rejected: 4 })
    expect(await listRejections()).toEqual([
      { subject: 'CVE-2024-1', reason: 'not a CVE id' },
      { subject: 'CVE-2024-0002', reason: '_annotation.modified is not a valid date-time: "May"' },
      { subject: 'CVE-2024-0003', reason: '/cve/configurations must be array' },
      { subject: 'an override without an id', reason: 'the record must be object' },
    ])
  })

  it('fails and keeps the stored overrides when the file is an archive of another repository', async () => {
    const content = createZip([{ name: 'other-main/README.md', content: 'Read me.' }])
    await read(overrides(3))
    const report = await readArchive(content)
    expect(report).toMatchObject({ outcome: 'failed', written: 0 })
    expect(report.error).toContain(`${ARCHIVE} cannot be used: `)
    expect(await stored()).toHaveLength(3)
  })
})
