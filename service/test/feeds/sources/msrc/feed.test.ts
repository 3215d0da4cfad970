import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { testMachine } from '../../feed-harness.ts'
import { directoryWith } from '../../small-files.ts'
import { msrcDocument, msrcOffline, vulnerabilities, vulnerability } from './fixtures.ts'

const { run, look, reset } = await testMachine()
const read = async (files: Readonly<Record<string, string>>) => run(msrcOffline, { from: await directoryWith(files) })
const readMonth = (all: readonly unknown[], changes = {}) =>
  read({ 'msrc-2024-Aug.json': msrcDocument('2024-Aug', all, changes) })
const stored = () =>
  look<{ id: string; title: string; month: string }>(
    `select cve_id as id, record::json ->> 'title' as title, record::json #>> '{advisories,0}' as month
       from source.source_record
      where source = 'msrc'
      order by cve_id`,
  )
beforeEach(reset)

describe("Microsoft's months in a directory", () => {
  it('are stored CVE by CVE, and each is queued', async () => {
    const report = await readMonth([vulnerability('CVE-2024-38063')])

    expect(report).toMatchObject({ outcome: 'succeeded', read: 1, written: 1, rejected: 0, notices: [] })
    expect(await look("select cve_id, modified from source.source_record where source = 'msrc'")).toEqual([
      { cve_id: 'CVE-2024-38063', modified: new Date('2024-08-20T07:00:00.206Z') },
    ])
    expect(await look('select cve_id, feed from source.publication_queue')).toEqual([
      { cve_id: 'CVE-2024-38063', feed: 'msrc' },
    ])
    expect(await look("select upstream_at from source.feed where name = 'msrc'")).toEqual([
      { upstream_at: new Date('2024-08-21T07:00:00Z') },
    ])
  })

  it('may be packed, and in the folder msrc under their bare names; what else lies there is not read', async () => {
    const from = await directoryWith({
      '2024-Jul.json': msrcDocument('2024-Jul', [vulnerability('CVE-2024-0001')]),
      'msrc-2024-Aug.json.gz': msrcDocument('2024-Aug', [vulnerability('CVE-2024-0002')]),
      'updates.json': '{"value":[]}',
      '2024-Tea.json': 'no month',
    })
    await mkdir(join(from, 'msrc'))
    await rename(join(from, '2024-Jul.json'), join(from, 'msrc', '2024-Jul.json'))

    expect(await run(msrcOffline, { from })).toMatchObject({ outcome: 'succeeded', read: 2, written: 2 })
  })

  it('are written once', async () => {
    await readMonth(vulnerabilities(20))
    expect(await readMonth(vulnerabilities(20))).toMatchObject({ outcome: 'succeeded', written: 0, unchanged: 20 })
  })

  it('never take back what they once said', async () => {
    await readMonth(vulnerabilities(20))
    expect(await readMonth(vulnerabilities(2))).toMatchObject({ outcome: 'succeeded', written: 0, removed: 0 })
    expect(await stored()).toHaveLength(20)
  })

  it('may speak of one CVE several times: the newest revision counts, and then the later month', async () => {
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

  it('hold advisories without a CVE, which are left out without a word', async () => {
    const all = [vulnerability('ADV990001'), vulnerability('ADV240001'), vulnerability('CVE-2024-0001')]
    expect(await readMonth(all)).toMatchObject({ outcome: 'succeeded', read: 1, written: 1, rejected: 0 })
  })

  it('may name their products last', async () => {
    const { ProductTree, ...others } = JSON.parse(msrcDocument('2024-Aug', vulnerabilities(2)))
    const text = JSON.stringify({ ...others, ProductTree })
    expect(await read({ 'msrc-2024-Aug.json': text })).toMatchObject({ outcome: 'succeeded', written: 2, rejected: 0 })
  })

  it('may have far more products and notes than most documents have beside their list', async () => {
    const DocumentNotes = [{ Title: 'Release Notes', Value: 'Tea is hot. '.repeat(50_000) }]
    expect(await readMonth(vulnerabilities(2), { DocumentNotes })).toMatchObject({ outcome: 'succeeded', written: 2 })
  })

  it('may be empty, which is said', async () => {
    expect(await readMonth([])).toMatchObject({
      outcome: 'succeeded',
      written: 0,
      notices: ['msrc-2024-Aug.json lists no vulnerability'],
    })
  })

  it('may be absent', async () => {
    expect(await read({ 'updates.json': '{"value":[]}' })).toMatchObject({ outcome: 'absent' })
  })
})

describe('What cannot be used', () => {
  it('is rejected with its reason when it is a vulnerability, and the others are stored', async () => {
    const bad = [vulnerability('CVE-24-1'), vulnerability('CVE-2024-0002', { Title: 'a text' }), 7]

    expect(await readMonth([...vulnerabilities(5), ...bad])).toMatchObject({
      outcome: 'succeeded',
      written: 5,
      rejected: 3,
    })
    expect(await look('select delivery, subject, reason from source.feed_rejection order by id')).toEqual([
      { delivery: 'msrc-2024-Aug.json', subject: 'CVE-24-1', reason: 'not a CVE id' },
      { delivery: 'msrc-2024-Aug.json', subject: 'CVE-2024-0002', reason: expect.stringContaining('/Title') },
      { delivery: 'msrc-2024-Aug.json', subject: 'a vulnerability without an id', reason: expect.any(String) },
    ])
  })

  it('is refused when it is most of a month', async () => {
    await readMonth(vulnerabilities(3))
    const bad = Array.from({ length: 20 }, () => vulnerability('CVE-24-1'))
    expect(await readMonth([...vulnerabilities(20), ...bad])).toMatchObject({ outcome: 'refused', written: 0 })
    expect(await stored()).toHaveLength(3)
  })

  const whole = msrcDocument('2024-Aug', vulnerabilities(5))

  it.each([
    ['XML', '<?xml version="1.0"?><cvrf:cvrfdoc/>', 'it is a web page or XML; expected JSON'],
    ['cut off', whole.slice(0, -40), 'it is cut off'],
    ['something else', '{"value":[]}', 'it has no list "Vulnerability"'],
    ['without a head', '{"Vulnerability":[]}', 'it is no document of a month'],
    ['of another month', msrcDocument('2024-Jul', []), 'it is of another month than 2024-Aug: "2024-Jul"'],
    ['undated', whole.replace('2024-08-21T07:00:00', 'yesterday'), 'its CurrentReleaseDate is no date: "yesterday"'],
    ['empty', ' ', 'it is empty'],
  ])('is a failure when the document is %s, and what we have stays', async (_, content, complaint) => {
    await readMonth(vulnerabilities(3))
    const report = await read({ 'msrc-2024-Aug.json': content })
    expect(report).toMatchObject({ outcome: 'failed', written: 0 })
    expect(report.fault).toContain(`msrc-2024-Aug.json cannot be used: ${complaint}`)
    expect(await stored()).toHaveLength(3)
  })
})
