import { beforeEach, describe, expect, it } from 'vitest'
import { createFeedHarness } from '../../feed-harness.ts'
import { msrcDocument, offlineFeed, vulnerabilities, vulnerability } from './fixtures.ts'

const { importFiles, selectRows, reset } = await createFeedHarness()
const read = (files: Readonly<Record<string, string>>) => importFiles(offlineFeed, files)
const readMonth = (all: readonly unknown[], changes = {}) =>
  read({ 'msrc-2024-Aug.json': msrcDocument('2024-Aug', all, changes) })
const stored = () =>
  selectRows<{ id: string; title: string; month: string }>(
    `select cve_id as id, record::json ->> 'title' as title, record::json #>> '{advisories,0}' as month
       from source.source_record
      where source = 'msrc'
      order by cve_id`,
  )
beforeEach(reset)

describe('MSRC feed: importing from a directory', () => {
  it('stores one record per CVE and queues the CVE', async () => {
    const report = await readMonth([vulnerability('CVE-2024-38063')])

    expect(report).toMatchObject({ outcome: 'succeeded', read: 1, written: 1, rejected: 0, notices: [] })
    expect(await selectRows("select cve_id, modified from source.source_record where source = 'msrc'")).toEqual([
      { cve_id: 'CVE-2024-38063', modified: new Date('2024-08-20T07:00:00.206Z') },
    ])
    expect(await selectRows('select cve_id, feed from source.publication_queue')).toEqual([
      { cve_id: 'CVE-2024-38063', feed: 'msrc' },
    ])
    expect(await selectRows("select upstream_at from source.feed where name = 'msrc'")).toEqual([
      { upstream_at: new Date('2024-08-21T07:00:00Z') },
    ])
  })

  it('reads gzip files and files in the folder msrc, and ignores other files', async () => {
    const report = await read({
      'msrc/2024-Jul.json': msrcDocument('2024-Jul', [vulnerability('CVE-2024-0001')]),
      'msrc-2024-Aug.json.gz': msrcDocument('2024-Aug', [vulnerability('CVE-2024-0002')]),
      'updates.json': '{"value":[]}',
      '2024-Foo.json': 'not a month',
    })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 2, written: 2 })
  })

  it('keeps the newest revision of a CVE, and the revision from the later month if the dates are equal', async () => {
    const titled = (id: string, Value: string, revised: string) =>
      vulnerability(id, { Title: { Value }, RevisionHistory: [{ Date: revised }] })
    const files = {
      'msrc-2024-Aug.json': msrcDocument('2024-Aug', [
        titled('CVE-2024-0001', 'revised', '2024-10-01T07:00:00'),
        titled('CVE-2024-0002', 'of August', '2024-09-01T07:00:00'),
      ]),
      'msrc-2024-Sep.json': msrcDocument('2024-Sep', [
        titled('CVE-2024-0001', 'as it was', '2024-09-01T07:00:00'),
        titled('CVE-2024-0002', 'of September', '2024-09-01T07:00:00'),
      ]),
    }

    await read(files)
    expect(await read(files)).toMatchObject({ outcome: 'succeeded', written: 0 })
    expect(await stored()).toEqual([
      { id: 'CVE-2024-0001', title: 'revised', month: '2024-Aug' },
      { id: 'CVE-2024-0002', title: 'of September', month: '2024-Sep' },
    ])
  })

  it('skips advisories without a CVE', async () => {
    const all = [vulnerability('ADV990001'), vulnerability('ADV240001'), vulnerability('CVE-2024-0001')]
    expect(await readMonth(all)).toMatchObject({ outcome: 'succeeded', read: 1, written: 1, rejected: 0 })
  })

  it('reads a document that defines its products after its vulnerabilities', async () => {
    const { ProductTree, ...others } = JSON.parse(msrcDocument('2024-Aug', vulnerabilities(2)))
    const text = JSON.stringify({ ...others, ProductTree })
    expect(await read({ 'msrc-2024-Aug.json': text })).toMatchObject({ outcome: 'succeeded', written: 2, rejected: 0 })
  })

  it('reads a document with 600 kB of release notes', async () => {
    const DocumentNotes = [{ Title: 'Release Notes', Value: 'Restart now.'.repeat(50_000) }]
    expect(await readMonth(vulnerabilities(2), { DocumentNotes })).toMatchObject({ outcome: 'succeeded', written: 2 })
  })

  it('adds a notice for a monthly document without vulnerabilities', async () => {
    expect(await readMonth([])).toMatchObject({
      outcome: 'succeeded',
      written: 0,
      notices: ['msrc-2024-Aug.json lists no vulnerabilities'],
    })
  })
})

describe('MSRC feed: unusable input', () => {
  const whole = msrcDocument('2024-Aug', vulnerabilities(5))

  it.each([
    ['another JSON object', '{"value":[]}', 'the file has no list "Vulnerability"'],
    ['without a header', '{"Vulnerability":[]}', 'it is not a monthly document'],
    [
      'the document for another month',
      msrcDocument('2024-Jul', []),
      'it belongs to another month than 2024-Aug: "2024-Jul"',
    ],
    [
      'undated',
      whole.replace('2024-08-21T07:00:00', 'yesterday'),
      'CurrentReleaseDate is not a valid date-time: "yesterday"',
    ],
  ])('fails and keeps the stored records when the monthly document is %s', async (_, content, message) => {
    await readMonth(vulnerabilities(3))
    const report = await read({ 'msrc-2024-Aug.json': content })
    expect(report).toMatchObject({ outcome: 'failed', written: 0 })
    expect(report.error).toContain(`msrc-2024-Aug.json cannot be used: ${message}`)
    expect(await stored()).toHaveLength(3)
  })
})
