import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { acscFeed } from '../../../../src/feeds/sources/acsc/feed.ts'
import { writeTemporaryDirectory } from '../../temporary-files.ts'
import { noticePage, rss } from './documents.ts'
import { resetHarness } from './harness.ts'

const FIXTURES = fileURLToPath(new URL('./fixtures', import.meta.url))

// The URLs of the ACSC feed are never requested: every test of this file reads from a directory.
const feed = acscFeed({
  alertsUrl: 'https://www.cyber.gov.au/rss/alerts',
  advisoriesUrl: 'https://www.cyber.gov.au/rss/advisories',
  listingUrl: 'https://www.cyber.gov.au/list',
  historyPages: 60,
  pagesPerRun: 10,
  pauseMs: 0,
})

const selectNotices = `select id, type, title, priority, published, updated, summary, affected_products, is_whole
                   from source.acsc_notice order by id`
const selectCves = (notice: string) =>
  `select cve_id from source.acsc_notice_cve where notice_id = '${notice}' order by cve_id`
const selectQueue = 'select cve_id, feed from source.publication_queue order by cve_id'
const selectRejections = 'select subject, reason from source.feed_rejection order by id'

describe('ACSC feed: reading from a directory', () => {
  it('stores notices from RSS files and saved pages, including pages without an RSS item', async () => {
    const { run, selectRows } = await resetHarness()

    const report = await run(feed, { from: FIXTURES })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 13, written: 13, rejected: 0, notices: [] })
    expect(await selectRows("select table_count::int from catalog.dataset where name = 'acsc'")).toEqual([
      { table_count: 13 },
    ])
    expect(await selectRows(selectNotices)).toEqual(
      expect.arrayContaining([
        {
          id: 'critical-vulnerability-fortios',
          type: 'alert',
          title: 'CRITICAL ALERT: Remote code execution in Fortinet FortiOS',
          priority: 'Critical',
          published: new Date('2024-02-08T23:00:00Z'),
          updated: null,
          summary: 'Devices that run FortiOS with SSL VPN can be taken over without a password.',
          affected_products: ['FortiOS 7.4', 'FortiOS 7.2', 'FortiOS 7.0', 'FortiOS 6.4'],
          is_whole: true,
        },
        expect.objectContaining({ id: '2020-004-targeting-of-telerik', type: 'advisory', priority: null }),
        expect.objectContaining({ id: 'microsoft-support-diagnostic-tool-code-execution', is_whole: false }),
        expect.objectContaining({
          id: 'citrix-netscaler-adc-and-gateway-session-disclosure',
          updated: new Date('2023-11-21T13:00:00Z'),
        }),
      ]),
    )
    expect(await selectRows(selectCves('critical-vulnerability-fortios'))).toEqual([{ cve_id: 'CVE-2024-21762' }])
    expect(await selectRows(selectCves('joint-advisory-top-cyber-vulnerabilities'))).toHaveLength(12)
    expect(await selectRows(selectCves('identifying-and-mitigating-living-off-the-land-techniques'))).toEqual([])
    expect(
      await selectRows("select count(*)::int as outside_main from source.acsc_notice_cve where cve_id < 'CVE-2000'"),
    ).toEqual([{ outside_main: 0 }])
    expect(await selectRows<{ cve_id: string }>(selectQueue)).toContainEqual({ cve_id: 'CVE-2021-44228', feed: 'acsc' })
  })

  it('writes no notice and keeps the cursor when the same files are imported again', async () => {
    const { run, selectRows } = await resetHarness()
    await run(feed, { from: FIXTURES })
    await selectRows(
      `update source.feed set cursor = '"kept"' where name = 'acsc'; delete from source.publication_queue`,
    )

    expect(await run(feed, { from: FIXTURES })).toMatchObject({ written: 0, unchanged: 13 })
    expect(await selectRows(selectQueue)).toEqual([])
    expect(await selectRows("select cursor from source.feed where name = 'acsc'")).toEqual([{ cursor: 'kept' }])
  })

  it('queues exactly the CVEs that a changed notice names now or named before', async () => {
    const { run, selectRows } = await resetHarness()
    const copy = await writeTemporaryDirectory({})
    await cp(FIXTURES, copy, { recursive: true })
    await run(feed, { from: copy })
    await selectRows('delete from source.publication_queue')
    const page = join(copy, 'acsc', 'multiple-vulnerabilities-jenkins-products.html')
    await writeFile(page, (await readFile(page, 'utf8')).replace('CVE-2024-23898', 'CVE-2024-23899'))

    expect(await run(feed, { from: copy })).toMatchObject({ written: 1, unchanged: 12 })
    expect(await selectRows(selectCves('multiple-vulnerabilities-jenkins-products'))).toEqual([
      { cve_id: 'CVE-2024-23897' },
      { cve_id: 'CVE-2024-23899' },
    ])
    expect(await selectRows(selectQueue)).toEqual(
      ['CVE-2024-23897', 'CVE-2024-23898', 'CVE-2024-23899'].map((cve_id) => ({ cve_id, feed: 'acsc' })),
    )
  })

  it('keeps the details of a notice page when a later import has only the RSS item', async () => {
    const { run, selectRows } = await resetHarness()
    const item = { slug: 'a', description: 'CVE-2024-1111' }
    const page = noticePage({ slug: 'a', status: 'HIGH', body: '<p>CVE-2024-2222</p>' })
    await run(feed, { from: await writeTemporaryDirectory({ 'acsc-alerts.xml': rss([item]), 'acsc/a.html': page }) })

    const report = await run(feed, {
      from: await writeTemporaryDirectory({ 'acsc-alerts.xml': rss([{ ...item, title: 'Another title' }]) }),
    })

    expect(report).toMatchObject({ written: 0, unchanged: 1 })
    expect(await selectRows(selectNotices)).toMatchObject([{ title: 'About a', priority: 'High', is_whole: true }])
    expect(await selectRows(selectCves('a'))).toHaveLength(2)
  })

  it('adds the details of a notice page when a later import contains the page', async () => {
    const { run, selectRows } = await resetHarness()
    const files = { 'acsc-alerts.xml': rss([{ slug: 'a' }]) }
    await run(feed, { from: await writeTemporaryDirectory(files) })

    const page = noticePage({ slug: 'a', status: 'HIGH', body: '<p>CVE-2024-2222</p>' })
    expect(await run(feed, { from: await writeTemporaryDirectory({ ...files, 'acsc/a.html': page }) })).toMatchObject({
      written: 1,
    })

    expect(await selectRows(selectNotices)).toMatchObject([{ priority: 'High', is_whole: true }])
    expect(await selectRows(selectQueue)).toEqual([{ cve_id: 'CVE-2024-2222', feed: 'acsc' }])
  })

  it.each([
    ['acsc-advisories.xml', 'acsc/alerts.xml'],
    ['acsc-alerts.xml', 'acsc/advisories.xml'],
  ])('stores a notice that both RSS feeds list as an alert (files %s and %s)', async (first, second) => {
    const { run, selectRows } = await resetHarness()
    const both = rss([{ slug: 'a' }])

    const report = await run(feed, { from: await writeTemporaryDirectory({ [first]: both, [second]: both }) })

    expect(report).toMatchObject({ read: 2, written: 1, duplicates: 1 })
    expect(await selectRows(selectNotices)).toMatchObject([{ id: 'a', type: 'alert' }])
  })

  it('imports the valid notices and rejects each unusable item or page with a reason', async () => {
    const { run, selectRows } = await resetHarness()
    const items = [
      { slug: 'a' },
      { slug: 'b' },
      { slug: 'c' },
      { slug: 'd' },
      { slug: 'invalid', published: 'yesterday' },
    ]
    const page = noticePage({ slug: 'a' })

    const report = await run(feed, {
      from: await writeTemporaryDirectory({
        'acsc-alerts.xml': rss(items),
        'acsc/a.html': page,
        'acsc/a-again.html': page,
        'acsc/error.html': '<html><body>Access denied</body></html>',
      }),
    })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 7, written: 4, rejected: 3 })
    expect(await selectRows(selectRejections)).toEqual([
      { subject: expect.stringContaining('/invalid'), reason: expect.stringContaining('the date "yesterday"') },
      { subject: 'a.html', reason: 'another file contains the same page' },
      { subject: 'error.html', reason: expect.stringContaining('has no canonical URL') },
    ])
  })
})

it('ACSC feed fails and keeps the stored notices when an RSS file is 10 MB', async () => {
  const { run, selectRows } = await resetHarness()
  await run(feed, { from: FIXTURES })
  const content = rss([{ slug: 'a', description: 'x'.repeat(10_000_000) }])

  const report = await run(feed, { from: await writeTemporaryDirectory({ 'acsc-alerts.xml': content }) })

  expect(report).toMatchObject({ outcome: 'failed', written: 0 })
  expect(report.error).toContain('has more than 5242880 bytes, which is the limit')
  expect(await selectRows(selectNotices)).toHaveLength(13)
})
