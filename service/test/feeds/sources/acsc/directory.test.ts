import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { acscFeed } from '../../../../src/feeds/sources/acsc/feed.ts'
import { atEnd } from '../../../support/cleanup.ts'
import { emptyMachine } from './harness.ts'
import { noticePage, rss } from './setup.ts'

const FIXTURES = fileURLToPath(new URL('./fixtures', import.meta.url))

// A directory is asked instead of these.
const feed = acscFeed({
  alertsUrl: 'https://www.cyber.gov.au/rss/alerts',
  advisoriesUrl: 'https://www.cyber.gov.au/rss/advisories',
  listingUrl: 'https://www.cyber.gov.au/list',
  historyPages: 60,
  pagesPerRun: 10,
  pauseMs: 0,
})

const notices = `select id, type, title, priority, published, updated, summary, affected_products, is_whole
                   from source.acsc_notice order by id`
const idsOf = (notice: string) =>
  `select cve_id from source.acsc_notice_cve where notice_id = '${notice}' order by cve_id`
const queue = 'select cve_id, feed from source.publication_queue order by seq'
const rejections = 'select subject, reason from source.feed_rejection order by id'

async function folder(files: Readonly<Record<string, string>>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'vis-acsc-'))
  atEnd(() => rm(path, { recursive: true, force: true }))
  await mkdir(join(path, 'acsc'))
  for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content)
  return path
}

describe('Notices from a directory', () => {
  it('are stored with what their saved pages say, and those that have only a page too', async () => {
    const { run, look } = await emptyMachine()

    const report = await run(feed, { from: FIXTURES })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 13, written: 13, rejected: 0, notices: [] })
    expect(await look("select table_count::int from catalog.dataset where name = 'acsc'")).toEqual([
      { table_count: 13 },
    ])
    expect(await look(notices)).toEqual(
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
    expect(await look(idsOf('critical-vulnerability-fortios'))).toEqual([{ cve_id: 'CVE-2024-21762' }])
    expect(await look(idsOf('joint-advisory-top-cyber-vulnerabilities'))).toHaveLength(12)
    expect(await look(idsOf('identifying-and-mitigating-living-off-the-land-techniques'))).toEqual([])
    expect(await look("select count(*)::int as strays from source.acsc_notice_cve where cve_id < 'CVE-2000'")).toEqual([
      { strays: 0 },
    ])
    expect(await look<{ cve_id: string }>(queue)).toContainEqual({ cve_id: 'CVE-2021-44228', feed: 'acsc' })
  })

  it('are not written a second time, and leave the place in the network alone', async () => {
    const { run, look } = await emptyMachine()
    await run(feed, { from: FIXTURES })
    await look(`update source.feed set cursor = '"kept"' where name = 'acsc'; delete from source.publication_queue`)

    expect(await run(feed, { from: FIXTURES })).toMatchObject({ written: 0, unchanged: 13 })
    expect(await look(queue)).toEqual([])
    expect(await look("select cursor from source.feed where name = 'acsc'")).toEqual([{ cursor: 'kept' }])
  })

  it('queue exactly the CVEs that a changed notice names or named', async () => {
    const { run, look } = await emptyMachine()
    const copy = await folder({})
    await cp(FIXTURES, copy, { recursive: true })
    await run(feed, { from: copy })
    await look('delete from source.publication_queue')
    const page = join(copy, 'acsc', 'multiple-vulnerabilities-jenkins-products.html')
    await writeFile(page, (await readFile(page, 'utf8')).replace('CVE-2024-23898', 'CVE-2024-23899'))

    expect(await run(feed, { from: copy })).toMatchObject({ written: 1, unchanged: 12 })
    expect(await look(idsOf('multiple-vulnerabilities-jenkins-products'))).toEqual([
      { cve_id: 'CVE-2024-23897' },
      { cve_id: 'CVE-2024-23899' },
    ])
    expect(await look(queue)).toEqual(
      ['CVE-2024-23897', 'CVE-2024-23898', 'CVE-2024-23899'].map((cve_id) => ({ cve_id, feed: 'acsc' })),
    )
  })

  it('stay when the feed has forgotten them', async () => {
    const { run, look } = await emptyMachine()
    await run(feed, { from: await folder({ 'acsc-alerts.xml': rss([{ slug: 'old' }, { slug: 'older' }]) }) })

    const report = await run(feed, { from: await folder({ 'acsc-alerts.xml': rss([{ slug: 'new' }]) }) })

    expect(report).toMatchObject({ outcome: 'succeeded', written: 1, removed: 0 })
    expect((await look<{ id: string }>(notices)).map(({ id }) => id)).toEqual(['new', 'old', 'older'])
  })

  it('keep what their page said when the feed comes without it', async () => {
    const { run, look } = await emptyMachine()
    const item = { slug: 'a', description: 'CVE-2024-1111' }
    const page = noticePage({ slug: 'a', status: 'HIGH', body: '<p>CVE-2024-2222</p>' })
    await run(feed, { from: await folder({ 'acsc-alerts.xml': rss([item]), 'acsc/a.html': page }) })

    const report = await run(feed, {
      from: await folder({ 'acsc-alerts.xml': rss([{ ...item, title: 'Another title' }]) }),
    })

    expect(report).toMatchObject({ written: 0, unchanged: 1 })
    expect(await look(notices)).toMatchObject([{ title: 'About a', priority: 'High', is_whole: true }])
    expect(await look(idsOf('a'))).toHaveLength(2)
  })

  it('gain what their page says once it is there', async () => {
    const { run, look } = await emptyMachine()
    const files = { 'acsc-alerts.xml': rss([{ slug: 'a' }]) }
    await run(feed, { from: await folder(files) })

    const page = noticePage({ slug: 'a', status: 'HIGH', body: '<p>CVE-2024-2222</p>' })
    expect(await run(feed, { from: await folder({ ...files, 'acsc/a.html': page }) })).toMatchObject({ written: 1 })

    expect(await look(notices)).toMatchObject([{ priority: 'High', is_whole: true }])
    expect(await look(queue)).toEqual([{ cve_id: 'CVE-2024-2222', feed: 'acsc' }])
  })

  it.each([
    ['acsc-advisories.xml', 'acsc/alerts.xml'],
    ['acsc-alerts.xml', 'acsc/advisories.xml'],
  ])('are alerts if both feeds have them: %s, then %s', async (first, second) => {
    const { run, look } = await emptyMachine()
    const both = rss([{ slug: 'a' }])

    const report = await run(feed, { from: await folder({ [first]: both, [second]: both }) })

    expect(report).toMatchObject({ read: 2, written: 1, duplicates: 1 })
    expect(await look(notices)).toMatchObject([{ id: 'a', type: 'alert' }])
  })

  it('are taken over without those that cannot be used, each with its reason', async () => {
    const { run, look } = await emptyMachine()
    const items = [{ slug: 'a' }, { slug: 'b' }, { slug: 'c' }, { slug: 'd' }, { slug: 'bad', published: 'yesterday' }]
    const page = noticePage({ slug: 'a' })

    const report = await run(feed, {
      from: await folder({
        'acsc-alerts.xml': rss(items),
        'acsc/a.html': page,
        'acsc/a-again.html': page,
        'acsc/wall.html': '<html><body>Access denied</body></html>',
      }),
    })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 7, written: 4, rejected: 3 })
    expect(await look(rejections)).toEqual([
      { subject: expect.stringContaining('/bad'), reason: expect.stringContaining('its date "yesterday"') },
      { subject: 'a.html', reason: 'another file is the same page' },
      { subject: 'wall.html', reason: expect.stringContaining('does not say which notice it is') },
    ])
  })

  it('are refused as a whole when most of them cannot be used', async () => {
    const { run, look } = await emptyMachine()
    const items = ['a', 'b', 'c'].map((slug) => ({ slug, title: slug === 'a' ? 'Good' : '' }))

    const report = await run(feed, { from: await folder({ 'acsc-alerts.xml': rss(items) }) })

    expect(report).toMatchObject({ outcome: 'refused', written: 0 })
    expect(await look(notices)).toEqual([])
  })

  it('are not there in a directory without their files', async () => {
    const { run } = await emptyMachine()

    const report = await run(feed, {
      from: await folder({ 'alerts.xml': rss([{ slug: 'not-ours' }]), 'page.html': '' }),
    })

    expect(report).toMatchObject({ outcome: 'absent', fault: expect.stringContaining('holds no acsc-alerts.xml') })
  })
})

describe('A hostile file', () => {
  it.each([
    [
      'entities that grow',
      '<!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><rss><channel><item>&b;</item></channel></rss>',
      'has a <!DOCTYPE> declaration',
    ],
    ['a file cut off', rss([{ slug: 'a' }]).slice(0, -20), 'is never closed'],
    [
      'a web page',
      '<!DOCTYPE html><html><body>Please enable cookies.</body></html>',
      'acsc-alerts.xml is an HTML page',
    ],
    [
      'ten megabytes',
      rss([{ slug: 'a', description: 'x'.repeat(10_000_000) }]),
      'holds more than the 5242880 bytes allowed',
    ],
    ['nothing', '', 'acsc-alerts.xml is empty'],
  ])('fails the run in words, and what we have stays: %s', async (_name, content, complaint) => {
    const { run, look } = await emptyMachine()
    await run(feed, { from: FIXTURES })

    const report = await run(feed, { from: await folder({ 'acsc-alerts.xml': content }) })

    expect(report).toMatchObject({ outcome: 'failed', written: 0, fault: expect.stringContaining(complaint) })
    expect(await look(notices)).toHaveLength(13)
  })
})
