import { describe, expect, it } from 'vitest'
import { acscDefinition } from '../../../../src/feeds/sources/acsc/feed.ts'
import type { Files } from '../../temporary-files.ts'
import { noticePage, rss, SITE } from './documents.ts'
import { resetHarness } from './harness.ts'

const feed = acscDefinition.configure({}).feed

const written = (slug: string, changed: Readonly<Record<string, unknown>> = {}) => ({
  title: `About ${slug}`,
  url: `${SITE}/alerts/${slug}`,
  type: 'alert',
  publishedDate: '2026-08-20T10:00:00+10:00',
  cves: ['CVE-2024-1111'],
  ...changed,
})
const toLines = (notices: readonly unknown[]) => notices.map((each) => `${JSON.stringify(each)}\n`).join('')

async function importFiles(files: Files) {
  const harness = await resetHarness()
  return { ...harness, report: await harness.importFiles(feed, files) }
}
const selectNotices = 'select id, type, published, is_whole from source.acsc_notice order by id'

describe('ACSC feed: files with notices that an operator wrote', () => {
  it.each<[string, Files]>([
    ['one notice per line', { 'acsc-notices.ndjson': toLines([written('a'), written('b')]) }],
    ['a list of notices', { 'acsc-notices.json': JSON.stringify([written('a'), written('b')], null, 2) }],
    [
      'one notice per file',
      { 'acsc/a.json': JSON.stringify(written('a')), 'acsc/b.json': JSON.stringify(written('b')) },
    ],
    [
      'several files',
      { 'acsc-notices-2025.ndjson': toLines([written('a')]), 'acsc/2026.ndjson': toLines([written('b')]) },
    ],
  ])('stores %s', async (_name, files) => {
    const { report, selectRows } = await importFiles(files)

    expect(report).toMatchObject({ outcome: 'succeeded', read: 2, written: 2, rejected: 0 })
    const row = { type: 'alert', published: new Date('2026-08-20T00:00:00Z'), is_whole: true }
    expect(await selectRows(selectNotices)).toEqual([
      { id: 'a', ...row },
      { id: 'b', ...row },
    ])
    expect(await selectRows('select distinct cve_id from source.acsc_notice_cve')).toEqual([
      { cve_id: 'CVE-2024-1111' },
    ])
  })

  it('stores them together with RSS files and pages in the same directory', async () => {
    const { report, selectRows } = await importFiles({
      'acsc-alerts.xml': rss([{ slug: 'in-feed' }]),
      'acsc/page.html': noticePage({ slug: 'page' }),
      'acsc-notices.ndjson': toLines([written('written')]),
    })

    expect(report).toMatchObject({ outcome: 'succeeded', written: 3 })
    expect(await selectRows(selectNotices)).toMatchObject([{ id: 'in-feed' }, { id: 'page' }, { id: 'written' }])
  })

  it('ignores other JSON files of the directory', async () => {
    const { report } = await importFiles({ 'notices.json': JSON.stringify(written('a')) })

    expect(report.error).toContain(
      'contains no acsc-alerts.xml, no acsc-advisories.xml, no acsc-notices.ndjson or .json',
    )
  })

  it('dates the data set by the newest notice, not by the time of the import', async () => {
    const { selectRows } = await importFiles({ 'acsc-notices.ndjson': toLines([written('a')]) })

    expect(await selectRows("select upstream_at, as_of_basis from catalog.dataset where name = 'acsc'")).toEqual([
      { upstream_at: new Date('2026-08-20T00:00:00Z'), as_of_basis: 'newest_record' },
    ])
  })

  it('names file and line, or the number in the list, of each rejected notice and stores the others', async () => {
    const { report, selectRows, listRejections } = await importFiles({
      'acsc-notices.ndjson': `${toLines([written('a'), written('b', { type: 'news' })])}\nnot JSON\n${toLines([written('c')])}`,
      'acsc/list.json': JSON.stringify([written('d'), written('e', { cves: ['CVE-1'] }), written('f')]),
    })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 7, written: 4, rejected: 3 })
    expect(await listRejections()).toEqual([
      { subject: 'acsc-notices.ndjson line 2', reason: 'type is "news"; it must be "alert" or "advisory"' },
      { subject: 'list.json notice 2', reason: 'cves[0] is "CVE-1"; it must be a CVE id such as "CVE-2024-3094"' },
      { subject: 'acsc-notices.ndjson line 4', reason: expect.stringContaining('not JSON') },
    ])
    expect(await selectRows(selectNotices)).toHaveLength(4)
  })

  it('rejects a notice whose url ends like that of an earlier one', async () => {
    const { report, listRejections } = await importFiles({
      'acsc-notices.ndjson': toLines([written('a'), written('b'), written('a', { url: `${SITE}/other/A?x=1` })]),
    })

    expect(report).toMatchObject({ outcome: 'succeeded', written: 2, rejected: 1 })
    expect(await listRejections()).toEqual([
      { subject: 'acsc-notices.ndjson line 3', reason: 'the url ends in a, like that of acsc-notices.ndjson line 1' },
    ])
  })

  it.each<[string, Files, string]>([
    [
      'ends within a line',
      { 'acsc-notices.ndjson': '{"title":"A"' },
      'acsc-notices.ndjson cannot be used: the file is truncated: it ends within line 1',
    ],
    [
      'is an HTML page',
      { 'acsc-notices.ndjson': '<html></html>' },
      'acsc-notices.ndjson cannot be used: the file is an HTML page or XML',
    ],
    ['is no JSON', { 'acsc-notices.json': '[{"title": "A",\n}]' }, 'acsc-notices.json cannot be used: not JSON'],
    ['is an empty list', { 'acsc-notices.json': '[]' }, 'acsc-notices.json cannot be used: the list is empty'],
    [
      'is larger than 5 MiB',
      { 'acsc-notices.json': ' '.repeat(5_300_000) },
      'has more than 5242880 bytes, which is the limit',
    ],
    ['nests 65 levels deep', { 'acsc-notices.json': '['.repeat(65) + ']'.repeat(65) }, 'nested 65 levels deep'],
  ])('fails and keeps the stored notices when a file %s', async (_name, files, message) => {
    const { importFiles: importMore, selectRows } = await importFiles({
      'acsc-notices.ndjson': toLines([written('a')]),
    })

    const report = await importMore(feed, files)

    expect(report).toMatchObject({ outcome: 'failed', written: 0 })
    expect(report.error).toContain(message)
    expect(await selectRows(selectNotices)).toHaveLength(1)
  })

  it('refuses a file in which most notices are rejected', async () => {
    const { report, listRejections } = await importFiles({
      'acsc-notices.ndjson': toLines([written('a', { cves: 7 })]),
    })

    expect(report).toMatchObject({ outcome: 'refused', written: 0, rejected: 1 })
    expect(await listRejections()).toMatchObject([{ subject: 'acsc-notices.ndjson line 1' }])
  })
})
