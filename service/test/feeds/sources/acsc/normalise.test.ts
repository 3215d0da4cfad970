import { describe, expect, it } from 'vitest'
import { isRejected } from '../../../../src/feeds/feed.ts'
import { normaliseNotice } from '../../../../src/feeds/sources/acsc/normalise.ts'
import type { NoticePage, RssItem } from '../../../../src/feeds/sources/acsc/notice.ts'
import { parseNoticePage, parseRss } from '../../../../src/feeds/sources/acsc/parse.ts'
import { LIST, noticePage, type PageFixture, type RssItemFixture, rss, SITE } from './documents.ts'

const NOW = new Date('2026-08-22T00:00:00Z')
const options = { what: 'the feed', maxBytes: 1_000_000 }

function buildItem(item: Partial<RssItemFixture> = {}): RssItem {
  const [read] = parseRss(Buffer.from(rss([{ slug: 'a-notice', ...item }])), options)
  if (!read) throw new Error('expected one RSS item')
  return read
}

const buildPage = (page: Partial<PageFixture> = {}): NoticePage =>
  parseNoticePage(Buffer.from(noticePage({ slug: 'a-notice', ...page })), options)

describe('ACSC feed: normalising a notice without its page', () => {
  it('takes the id, title, date, URL and plain-text summary from the RSS item', () => {
    const item = buildItem({
      title: 'Patch &#039;now&#039;',
      description: '<p>One&nbsp;&amp; two</p><p>three</p>',
    })

    expect(normaliseNotice({ type: 'advisory', item }, NOW)).toMatchObject({
      id: 'a-notice',
      type: 'advisory',
      title: "Patch 'now'",
      priority: null,
      published: new Date('2026-08-21T00:00:00Z'),
      updated: null,
      url: `${SITE}${LIST}/a-notice`,
      summary: 'One & two three',
      affectedProducts: [],
      isWhole: false,
      isFuture: false,
    })
  })

  it('takes the priority from a title that starts with it, such as "CRITICAL ALERT:"', () => {
    const normaliseTitle = (title: string) => normaliseNotice({ type: 'alert', item: buildItem({ title }) }, NOW)

    expect(normaliseTitle('CRITICAL ALERT: Patch now')).toMatchObject({
      priority: 'Critical',
      title: 'CRITICAL ALERT: Patch now',
    })
    expect(normaliseTitle('High alert: Patch soon')).toMatchObject({ priority: 'High' })
    expect(normaliseTitle('Red alert: All hands')).toMatchObject({ priority: null })
    expect(normaliseTitle('A critical alert: what it is')).toMatchObject({ priority: null })
  })

  it('takes the CVE ids from the title and the description of the RSS item', () => {
    const item = buildItem({ title: 'About CVE-2024-2222', description: '<p>and <b>cve</b>-2024-1111</p>' })

    expect(normaliseNotice({ type: 'alert', item }, NOW)).toMatchObject({ cveIds: ['CVE-2024-1111', 'CVE-2024-2222'] })
  })

  it('stores null for an empty summary and truncates a long summary to 500 characters', () => {
    const normaliseSummary = (description: string) => {
      const row = normaliseNotice({ type: 'alert', item: buildItem({ description }) }, NOW)
      return isRejected(row) ? row.reason : row.summary
    }

    expect(normaliseSummary('<p> </p>')).toBeNull()
    expect(normaliseSummary('word '.repeat(1000))).toMatch(/^(word )+word…$/)
    expect(normaliseSummary('word '.repeat(1000))?.length).toBeLessThanOrEqual(500)
    expect(normaliseSummary('😀'.repeat(1000))).toMatch(/^😀+…$/u)
  })

  it('replaces a future publication date with the current time without changing the content hash', () => {
    const item = buildItem({ published: 'Mon, 28 Sep 2026 09:30:00 +1000' })
    const [row, later] = [NOW, new Date('2026-08-23T00:00:00Z')].map((now) =>
      normaliseNotice({ type: 'alert', item }, now),
    )

    expect(row).toMatchObject({ published: NOW, isFuture: true })
    expect(later).toMatchObject({ published: new Date('2026-08-23T00:00:00Z') })
    expect(row && later && !isRejected(row) && !isRejected(later) && row.contentHash.equals(later.contentHash)).toBe(
      true,
    )
  })

  it.each([
    ['no link', { link: '' }, 'the item has no link'],
    ['a link without a path', { link: SITE }, 'the link is not the URL of a notice'],
    ['a javascript: link', { link: 'javascript:alert(1)' }, 'the link is not the URL of a notice'],
    ['no title', { title: '' }, 'the notice has no title'],
    ['a title that contains only tags', { title: '<b></b>' }, 'the notice has no title'],
    ['no date', { published: '' }, 'the notice has no date'],
    [
      'a two-digit year in its date',
      { published: 'Sun, 27 Sep 26 12:00:00 +0000' },
      'the date "Sun, 27 Sep 26 12:00:00 +0000" does not have the form',
    ],
    [
      'a description with 5,000 nested elements',
      { description: '<b>'.repeat(5000) },
      'the description nests elements more than 256 levels deep',
    ],
    [
      'a description with 501 CVE ids',
      { description: Array.from({ length: 501 }, (_, index) => `CVE-2024-${10_000 + index}`).join() },
      'the notice names 501 CVE ids',
    ],
  ])('rejects an RSS item with %s and gives a reason', (_name, item, reason) => {
    const row = normaliseNotice({ type: 'alert', item: buildItem(item) }, NOW)

    expect(isRejected(row) && row.reason).toContain(reason)
    expect(isRejected(row) && row.rejected).not.toBe('')
  })
})

describe('ACSC feed: normalising a notice with its page', () => {
  it('takes the priority, products and CVE ids only from the main part of the page', () => {
    const page = buildPage({
      status: 'CRITICAL',
      updated: '22 Aug 2026',
      body: `<p>First CVE-2024-2222.</p><aside>CVE-1999-3333</aside>
        <h2>Products affected</h2><p>These:</p><ul><li>Gateway 14.1</li><li><p>Gateway 13.1</p></li><li>Gateway 14.1</li></ul>
        <h2>What to do</h2><ul><li>Patch CVE-2024-1111</li></ul>`,
    })

    expect(
      normaliseNotice({ type: 'alert', item: buildItem({ title: 'HIGH ALERT: CVE-2024-3333' }), page }, NOW),
    ).toMatchObject({
      priority: 'Critical',
      published: new Date('2026-08-21T00:00:00Z'),
      updated: new Date('2026-08-21T14:00:00Z'),
      affectedProducts: ['Gateway 14.1', 'Gateway 13.1'],
      cveIds: ['CVE-2024-1111', 'CVE-2024-2222', 'CVE-2024-3333'],
      isWhole: true,
    })
  })

  it.each([
    ['in a separate block', '<div>Alert status</div><div>HIGH</div>', 'High'],
    ['in the block of the label', '<p>Alert status: <span>medium</span></p>', 'Medium'],
    ['after the label without a space', '<span>Alert status</span><span>LOW</span>', 'Low'],
    ['after a date', '<p>12 Feb 2022 - <strong>Alert status: <span>CRITICAL</span></strong></p>', 'Critical'],
    ['an unknown value', '<p>Alert status: PURPLE</p>', null],
    ['followed by a heading', '<h2>Alert status</h2><h2>Background</h2>', null],
  ])('parses an alert status that is %s', (_name, body, priority) => {
    expect(normaliseNotice({ type: 'alert', item: buildItem(), page: buildPage({ body }) }, NOW)).toMatchObject({
      priority,
    })
  })

  it('sets no update date for a notice last updated on its publication day', () => {
    expect(normaliseNotice({ type: 'alert', item: buildItem(), page: buildPage() }, NOW)).toMatchObject({
      updated: null,
    })
  })
})

describe('ACSC feed: normalising a notice page without an RSS item', () => {
  it('builds a notice from the page alone', () => {
    const page = buildPage({
      first: '03 Mar 2020',
      updated: '22 May 2020',
      body: '<p>This advisory is about CVE-2019-18935.</p>',
    })

    expect(normaliseNotice({ page }, NOW)).toMatchObject({
      id: 'a-notice',
      type: 'advisory',
      title: 'About a-notice',
      published: new Date('2020-03-02T13:00:00Z'),
      updated: new Date('2020-05-21T14:00:00Z'),
      summary: 'In short: a-notice.',
      cveIds: ['CVE-2019-18935'],
      isWhole: true,
    })
  })

  it('classifies a notice page as an alert if it has an alert status or a paragraph that starts with "This alert"', () => {
    expect(normaliseNotice({ page: buildPage({ status: 'LOW' }) }, NOW)).toMatchObject({
      type: 'alert',
      priority: 'Low',
    })
    expect(normaliseNotice({ page: buildPage({ body: '<p>This alert is for all.</p>' }) }, NOW)).toMatchObject({
      type: 'alert',
    })
  })

  it('rejects a page without a publication date', () => {
    expect(normaliseNotice({ page: buildPage({ first: 'some day' }) }, NOW)).toEqual({
      rejected: `${SITE}${LIST}/a-notice`,
      reason: 'the notice has no date',
    })
  })
})

describe('ACSC notice page parser', () => {
  it('rejects a page without a canonical URL', () => {
    const errorPage = '<!DOCTYPE html><html><body><h1>Access Denied</h1>Reference #18.1</body></html>'

    expect(() => parseNoticePage(Buffer.from(errorPage), options)).toThrow(
      'has no canonical URL, so its notice is unknown',
    )
  })
})

describe('ACSC RSS parser', () => {
  it.each([
    ['an RSS feed without items', rss([]), 'has no items; an empty RSS feed is rejected'],
    [
      'an RSS feed with 501 items',
      rss(Array.from({ length: 501 }, (_, index) => ({ slug: `n${index}` }))),
      'has 501 items',
    ],
    ['an Atom feed', '<feed xmlns="http://www.w3.org/2005/Atom"/>', 'starts with <feed>, expected <rss>'],
  ])('throws a FeedError for %s', (_name, document, message) => {
    expect(() => parseRss(Buffer.from(document), options)).toThrow(message)
  })
})
