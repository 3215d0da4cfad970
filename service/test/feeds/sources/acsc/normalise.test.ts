import { describe, expect, it } from 'vitest'
import { isRejected } from '../../../../src/feeds/feed.ts'
import { normaliseNotice } from '../../../../src/feeds/sources/acsc/normalise.ts'
import type { NoticePage, RssItem } from '../../../../src/feeds/sources/acsc/notice.ts'
import { readNoticePage } from '../../../../src/feeds/sources/acsc/read-notice-page.ts'
import { readRss } from '../../../../src/feeds/sources/acsc/read-rss.ts'
import { type Item, LIST, noticePage, type Page, rss, SITE } from './setup.ts'

const NOW = new Date('2026-08-22T00:00:00Z')
const expected = { what: 'the feed', maxBytes: 1_000_000 }

function itemOf(item: Partial<Item> = {}): RssItem {
  const [read] = readRss(Buffer.from(rss([{ slug: 'a-notice', ...item }])), expected)
  if (!read) throw new Error('the feed has one item')
  return read
}

const pageOf = (page: Partial<Page> = {}): NoticePage =>
  readNoticePage(Buffer.from(noticePage({ slug: 'a-notice', ...page })), expected)

describe('A notice in the feed alone', () => {
  it('has an id, a title, a day in UTC, an address and a summary in plain words', () => {
    const item = itemOf({
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

  it('is as urgent as its title says', () => {
    const priorityOf = (title: string) => normaliseNotice({ type: 'alert', item: itemOf({ title }) }, NOW)

    expect(priorityOf('CRITICAL ALERT: Patch now')).toMatchObject({
      priority: 'Critical',
      title: 'CRITICAL ALERT: Patch now',
    })
    expect(priorityOf('High alert: Patch soon')).toMatchObject({ priority: 'High' })
    expect(priorityOf('Red alert: All hands')).toMatchObject({ priority: null })
    expect(priorityOf('A critical alert: what it is')).toMatchObject({ priority: null })
  })

  it('names the CVEs of its title and its description', () => {
    const item = itemOf({ title: 'About CVE-2024-2222', description: '<p>and <b>cve</b>-2024-1111</p>' })

    expect(normaliseNotice({ type: 'alert', item }, NOW)).toMatchObject({ cveIds: ['CVE-2024-1111', 'CVE-2024-2222'] })
  })

  it('has no summary rather than an empty one, and none that goes on and on', () => {
    const summaryOf = (description: string) => {
      const row = normaliseNotice({ type: 'alert', item: itemOf({ description }) }, NOW)
      return isRejected(row) ? row.reason : row.summary
    }

    expect(summaryOf('<p> </p>')).toBeNull()
    expect(summaryOf('word '.repeat(1000))).toMatch(/^(word )+word…$/)
    expect(summaryOf('word '.repeat(1000))?.length).toBeLessThanOrEqual(500)
    expect(summaryOf('😀'.repeat(1000))).toMatch(/^😀+…$/u)
  })

  it('from the future is cut to now, and is not a new one every time', () => {
    const item = itemOf({ published: 'Mon, 28 Sep 2026 09:30:00 +1000' })
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
    ['no link', { link: '' }, 'it has no link'],
    ['a link to nothing', { link: SITE }, 'its link is no address of a notice'],
    ['a link that is a script', { link: 'javascript:alert(1)' }, 'its link is no address of a notice'],
    ['no title', { title: '' }, 'it has no title'],
    ['a title of tags alone', { title: '<b></b>' }, 'it has no title'],
    ['no date', { published: '' }, 'it has no date'],
    [
      'a year of two digits',
      { published: 'Sun, 27 Sep 26 12:00:00 +0000' },
      'its date "Sun, 27 Sep 26 12:00:00 +0000" is not of the form',
    ],
    [
      'a description without bottom',
      { description: '<b>'.repeat(5000) },
      'its description nests more than 256 elements',
    ],
    [
      'a flood of ids',
      { description: Array.from({ length: 501 }, (_, index) => `CVE-2024-${10_000 + index}`).join() },
      'it names 501 CVE ids',
    ],
  ])('is rejected with its reason when it has %s', (_name, item, reason) => {
    const row = normaliseNotice({ type: 'alert', item: itemOf(item) }, NOW)

    expect(isRejected(row) && row.reason).toContain(reason)
    expect(isRejected(row) && row.rejected).not.toBe('')
  })
})

describe('A notice with its page', () => {
  it('knows its priority, its products and all its CVEs, but none from around the text', () => {
    const page = pageOf({
      status: 'CRITICAL',
      updated: '22 Aug 2026',
      body: `<p>First CVE-2024-2222.</p><aside>CVE-1999-3333</aside>
        <h2>Products affected</h2><p>These:</p><ul><li>Gateway 14.1</li><li><p>Gateway 13.1</p></li><li>Gateway 14.1</li></ul>
        <h2>What to do</h2><ul><li>Patch CVE-2024-1111</li></ul>`,
    })

    expect(
      normaliseNotice({ type: 'alert', item: itemOf({ title: 'HIGH ALERT: CVE-2024-3333' }), page }, NOW),
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
    ['in two blocks', '<div>Alert status</div><div>HIGH</div>', 'High'],
    ['in one', '<p>Alert status: <span>medium</span></p>', 'Medium'],
    ['without a space', '<span>Alert status</span><span>LOW</span>', 'Low'],
    ['behind a date', '<p>12 Feb 2022 - <strong>Alert status: <span>CRITICAL</span></strong></p>', 'Critical'],
    ['in a word that nobody knows', '<p>Alert status: PURPLE</p>', null],
    ['not at all', '<h2>Alert status</h2><h2>Background</h2>', null],
  ])('has its status %s', (_name, body, priority) => {
    expect(normaliseNotice({ type: 'alert', item: itemOf(), page: pageOf({ body }) }, NOW)).toMatchObject({ priority })
  })

  it('was not updated on the day it came out', () => {
    expect(normaliseNotice({ type: 'alert', item: itemOf(), page: pageOf() }, NOW)).toMatchObject({ updated: null })
  })
})

describe('A page that no feed names any more', () => {
  it('is a notice of its own', () => {
    const page = pageOf({
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

  it('is an alert if it has a status or calls itself so', () => {
    expect(normaliseNotice({ page: pageOf({ status: 'LOW' }) }, NOW)).toMatchObject({ type: 'alert', priority: 'Low' })
    expect(normaliseNotice({ page: pageOf({ body: '<p>This alert is for all.</p>' }) }, NOW)).toMatchObject({
      type: 'alert',
    })
  })

  it('is rejected without a day', () => {
    expect(normaliseNotice({ page: pageOf({ first: 'some day' }) }, NOW)).toEqual({
      rejected: `${SITE}${LIST}/a-notice`,
      reason: 'it has no date',
    })
  })
})

describe('A page', () => {
  it('that does not say which notice it is, is not believed', () => {
    const wall = '<!DOCTYPE html><html><body><h1>Access Denied</h1>Reference #18.1</body></html>'

    expect(() => readNoticePage(Buffer.from(wall), expected)).toThrow('does not say which notice it is')
  })
})

describe('The feed', () => {
  it.each([
    ['has no items', rss([]), 'has no items; an empty feed is not believed'],
    ['has far too many', rss(Array.from({ length: 501 }, (_, index) => ({ slug: `n${index}` }))), 'has 501 items'],
    ['is Atom', '<feed xmlns="http://www.w3.org/2005/Atom"/>', 'begins with <feed>, where <rss> was expected'],
  ])('is refused when it %s', (_name, document, complaint) => {
    expect(() => readRss(Buffer.from(document), expected)).toThrow(complaint)
  })
})
