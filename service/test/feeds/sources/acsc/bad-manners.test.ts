// A website in the role of the ACSC's that answers in the faulty and hostile ways of real servers. Each answer is a
// failed run or a counted rejection, and the stored notices stay as they are.
import { describe, expect, it } from 'vitest'
import { behaviours, type Content, type Handler, startUpstream } from '../../../support/network/upstream.ts'
import { LIST, listPage, noticePage, type RssItemFixture, rss } from './documents.ts'
import { ADVISORIES, ALERTS, buildSlugs, startTestWebsite } from './test-website.ts'

const other = await startUpstream({}, { address: '127.0.0.2' })
const HALF_FEED = rss([{ slug: 'first' }]).slice(0, 300)

const toLatin1 = (text: string) => Buffer.from(text.replace('About', 'Über'), 'latin1')
const nest = (depth: number) => `<rss>${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}</rss>`

/** Ten entities, each of which contains the one before ten times: a billion times "lol". */
const BILLION_LAUGHS = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY l0 "lol">
${buildSlugs(9, '')
  .map((n) => `<!ENTITY l${Number(n) + 1} "${`&l${n};`.repeat(10)}">`)
  .join('\n')}]><rss><channel><item><title>&l9;</title></item></channel></rss>`
const LOCAL_FILE = `<!DOCTYPE rss [<!ENTITY f SYSTEM "file:///etc/passwd">]><rss><channel><item><title>&f;</title></item></channel></rss>`

async function startLoadedWebsite() {
  const site = await startTestWebsite()
  await site.run()
  const readStored = () =>
    site.selectRows(
      `select notice.*, array(select cve_id from source.acsc_notice_cve where notice_id = id order by 1) as cves
         from source.acsc_notice notice order by id`,
    )
  return { ...site, readStored, stored: await readStored() }
}

describe('ACSC website with bad manners: the RSS feeds', () => {
  it.each<[string, Content | Handler, string]>([
    ['redirect to another host', behaviours.redirects(`${other.url}/rss`), 'the server redirects to 127.0.0.2'],
    ['redirect to the cloud metadata address', behaviours.redirects('http://169.254.169.254/latest'), 'redirects to'],
    ['redirect to themselves', behaviours.redirects(ALERTS), 'expected no redirect'],
    ['never end', behaviours.sendsWithoutEnd('<item></item>'.repeat(1000)), 'the server sent more than 5242880 bytes'],
    ['break off', behaviours.breaksOff(HALF_FEED), 'the response was truncated after'],
    ['are shorter than announced', behaviours.claimsLength(9999, HALF_FEED), 'of 9999 announced bytes'],
    ['end in the middle of an item', HALF_FEED, 'is truncated or malformed'],
    ['are HTML', behaviours.sendsHtml(), 'the server sent an HTML page instead of data'],
    ['are JSON', { items: [] }, 'has text outside its elements, so it is not XML'],
    ['are empty', '', 'the server sent an empty response'],
    ['have no content', behaviours.answers(204), 'the server answered 204'],
    ['are compressed without being asked', behaviours.answers(200, 'x', { 'content-encoding': 'br' }), 'encoded'],
    ['are forbidden (403)', behaviours.throttles(403, '3600'), 'the server answered 403 Forbidden'],
    ['are throttled (429)', behaviours.throttles(429, '3600'), 'asks to retry later (429 Too Many Requests). Tried 4'],
    ['are unavailable (503)', behaviours.throttles(503), 'asks to retry later (503 Service Unavailable). Tried 4'],
    ['are in Latin-1', toLatin1(rss([{ slug: 'first' }])), 'is not valid UTF-8'],
    ['are in UTF-16', Buffer.from(`\uFEFF${rss([{ slug: 'first' }])}`, 'utf16le'), 'is not valid UTF-8'],
    ['define entities that grow to a billion words', BILLION_LAUGHS, 'has a <!DOCTYPE> declaration'],
    ['define an entity with a local file', LOCAL_FILE, 'has a <!DOCTYPE> declaration'],
    ['have no items', rss([]), 'has no items; an empty RSS feed is rejected'],
    ['have 501 items', rss(buildSlugs(501).map((slug) => ({ slug }))), 'has 501 items'],
    ['nest 300 elements', nest(300), 'nests elements more than 256 levels deep'],
    ['have a million elements', `<rss>${'<a/>'.repeat(1_000_000)}</rss>`, 'has more than'],
  ])('fails and keeps the stored notices if they %s', async (_name, answer, message) => {
    const { run, readStored, stored, upstream } = await startLoadedWebsite()
    for (const path of [ALERTS, ADVISORIES]) upstream.serve(path, answer)

    const report = await run()

    expect(report).toMatchObject({ outcome: 'failed', written: 0 })
    expect(report.error).toContain(message)
    expect(await readStored()).toEqual(stored)
    expect(other.requests()).toEqual([])
  })
})

describe('ACSC website with bad manners: RSS items', () => {
  it.each<[string, Partial<RssItemFixture>, string]>([
    ['a javascript: link', { link: 'javascript:alert(1)//a/b' }, 'the link is not the URL of a notice'],
    ['a data: link', { link: 'data:text/html,<script>alert(1)</script>' }, 'the link is not the URL of a notice'],
    ['a file: link', { link: 'file:///etc/passwd' }, 'the link is not the URL of a notice'],
    ['a link to the home page', { link: 'https://www.cyber.gov.au/' }, 'the link is not the URL of a notice'],
    ['a link of 3,000 characters', { link: `https://a.example/${'b/'.repeat(1500)}c` }, 'not the URL of a notice'],
    ['only a script as its title', { title: '<script>alert(1)</script>' }, 'the notice has no title'],
    ['a date that does not exist', { published: 'Mon, 31 Sep 2026 09:30:00 +1000' }, 'does not have the form'],
    ['a description of 300 nested elements', { description: '<b>'.repeat(300) }, 'more than 256 levels deep'],
  ])(
    'rejects and counts an item with %s, requests no page for it, and keeps the others',
    async (_name, item, reason) => {
      const { run, readStored, stored, serveAlerts, requestedPages, selectRows } = await startLoadedWebsite()
      serveAlerts([{ slug: 'first' }, { slug: 'second' }, { slug: 'hostile', ...item }])

      expect(await run()).toMatchObject({ outcome: 'succeeded', read: 3, written: 0, rejected: 1 })

      expect(await selectRows('select reason from source.feed_rejection')).toEqual([
        { reason: expect.stringContaining(reason) },
      ])
      expect(requestedPages()).toEqual(['first', 'second'])
      expect(await readStored()).toEqual(stored)
    },
  )

  it('stores a notice once if several items link to it', async () => {
    const { run, serveAlerts, readStored } = await startLoadedWebsite()
    serveAlerts([{ slug: 'first' }, { slug: 'FIRST', title: 'First' }, { slug: 'first', description: 'CVE-2024-9999' }])

    expect(await run()).toMatchObject({ outcome: 'succeeded', read: 3, duplicates: 2 })

    expect(await readStored()).toHaveLength(2)
  })

  it('stores a date in the future as the time of the run', async () => {
    const { run, serveAlerts, readStored } = await startLoadedWebsite()
    serveAlerts([{ slug: 'first' }, { slug: 'later', published: 'Thu, 01 Jan 2099 00:00:00 +1000' }])

    expect(await run()).toMatchObject({ outcome: 'succeeded', written: 1 })

    expect(await readStored()).toContainEqual(
      expect.objectContaining({ id: 'later', published: new Date('2026-08-22T00:00:00Z') }),
    )
  })

  it('refuses a delivery in which more than 2 % of the dates are in the future', async () => {
    const { run, serveAlerts, readStored, stored } = await startLoadedWebsite()
    serveAlerts(buildSlugs(60).map((slug) => ({ slug, published: 'Thu, 01 Jan 2099 00:00:00 +1000' })))

    const report = await run({ pagesPerRun: 0 })

    expect(report).toMatchObject({ outcome: 'refused', written: 0 })
    expect(report.error).toContain('too-many-future-dates')
    expect(await readStored()).toEqual(stored)
  })

  it('stores a notice of another host without requesting anything from that host', async () => {
    const { run, serveAlerts, readStored } = await startLoadedWebsite()
    serveAlerts([{ slug: 'first' }, { slug: 'partner', link: `${other.url}${LIST}/partner` }])

    expect(await run()).toMatchObject({ outcome: 'succeeded', written: 1, notices: [] })

    expect(await readStored()).toContainEqual(expect.objectContaining({ id: 'partner', is_whole: false }))
    expect(other.requests()).toEqual([])
  })
})

describe('ACSC website with bad manners: notice pages', () => {
  const page = noticePage({ slug: 'first', status: 'LOW', body: '<p>CVE-2024-9999</p>' })
  const elsewhere = noticePage({ slug: 'first', status: 'LOW' }, 'https://evil.example')

  it.each<[string, Content | Handler, string]>([
    ['redirects to another host', behaviours.redirects(`${other.url}/a`), 'the server redirects to 127.0.0.2'],
    ['never ends', behaviours.sendsWithoutEnd('<p>more</p>'.repeat(1000)), 'the server sent more than 5242880 bytes'],
    ['has 10 MB', 'x'.repeat(10_000_000), 'the server announced 10000000 bytes'],
    ['breaks off', behaviours.breaksOff(page.slice(0, 400)), 'the response was truncated after'],
    ['ends in the middle', page.slice(0, 400), 'has no </html>: it is truncated or not an HTML page'],
    ['is in Latin-1', toLatin1(page), 'is not valid UTF-8'],
    ['is a bot challenge', behaviours.sendsHtml(), 'has no canonical URL, so its notice is unknown'],
    ['has a javascript: address', page.replace(/href="[^"]*"/, 'href="javascript:a/first"'), 'has no canonical URL'],
    ['is that of another site', elsewhere, 'is another page: its canonical URL is https://evil.example/'],
    ['nests 300 elements', page.replace('<main>', '<div>'.repeat(300)), 'nests elements more than 256 levels deep'],
    ['is forbidden (403)', behaviours.throttles(403, '3600'), 'the server answered 403 Forbidden'],
    ['is throttled (429)', behaviours.throttles(429, '3600'), 'asks to retry later (429 Too Many Requests)'],
  ])('keeps the stored notice and reports a page that %s', async (_name, answer, message) => {
    const { run, readStored, stored, serveAlerts, upstream } = await startLoadedWebsite()
    serveAlerts([{ slug: 'first', title: 'First, again' }])
    upstream.serve(`${LIST}/first`, answer)

    const report = await run()

    expect(report).toMatchObject({ outcome: 'succeeded', written: 0 })
    expect(report.notices).toEqual([
      expect.stringContaining(message),
      expect.stringContaining('Details of notice first'),
    ])
    expect(await readStored()).toEqual(stored)
    expect(other.requests()).toEqual([])
  })

  it('reads text and CVE ids of a page with scripts and broken markup, but nothing from the scripts', async () => {
    const { run, readStored, serveAlerts, servePage } = await startLoadedWebsite()
    serveAlerts([{ slug: 'first', title: 'First, again' }])
    servePage({
      slug: 'first',
      body: `<script>document.write("CVE-2024-6666")</script><style>.CVE-2024-7777 {}</style><!-- CVE-2024-8888 -->
        <p>Patch <b>CVE-2024-<i>1234</b></i><p onclick="CVE-2024-5555">now</div></span><h2>Affected products</h2>
        <ul><li>Gateway <script>alert(1)</script>14.1<li><img src=x onerror=alert(2)>Gateway 13.1</table>`,
    })

    expect(await run()).toMatchObject({ outcome: 'succeeded', written: 1, notices: [] })

    expect(await readStored()).toContainEqual(
      expect.objectContaining({
        id: 'first',
        cves: ['CVE-2024-1234'],
        affected_products: ['Gateway 14.1', 'Gateway 13.1'],
      }),
    )
  })

  it('follows no link of the list of all notices to another host, or with another protocol', async () => {
    const { run, upstream, servePage, requestedPages } = await startLoadedWebsite()
    servePage({ slug: 'known' })
    const links = `<a href="${other.url}${LIST}/old">a</a><a href="javascript:go('${LIST}/old')">b</a>
      <a href="//127.0.0.2${LIST}/old">c</a><a href="${LIST}/../../admin/old">d</a>`
    upstream.serve(LIST, listPage(['known']).replace('</main>', `${links}</main>`))

    await run({ historyPages: 1 })

    expect(requestedPages()).toEqual(['first', 'second', '?page=0', 'known'])
    expect(other.requests()).toEqual([])
  })
})
