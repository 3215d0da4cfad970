import { describe, expect, it } from 'vitest'
import { acscDefinition } from '../../../../src/feeds/sources/acsc/feed.ts'
import { behaviours, type Content, type Handler } from '../../../support/network/upstream.ts'
import { rss } from './documents.ts'
import { ADVISORIES, ALERTS, selectNoticeCves, selectNotices, startTestWebsite } from './test-website.ts'

describe('ACSC feed: reading the RSS feeds from the network', () => {
  it('stores the notices from both RSS feeds with the details from their pages', async () => {
    const { run, selectRows } = await startTestWebsite()

    expect(await run()).toMatchObject({ outcome: 'succeeded', read: 2, written: 2, notices: [] })

    expect(await selectRows(selectNotices)).toEqual([
      { id: 'first', type: 'alert', title: 'About first', priority: 'Critical', is_whole: true },
      { id: 'second', type: 'advisory', title: 'About second', priority: null, is_whole: true },
    ])
    expect(await selectRows(selectNoticeCves)).toEqual([
      { notice_id: 'first', cve_id: 'CVE-2024-1111' },
      { notice_id: 'second', cve_id: 'CVE-2024-2222' },
    ])
    expect(await selectRows("select upstream_at from source.feed where name = 'acsc'")).toEqual([
      { upstream_at: new Date('2026-08-21T00:00:00Z') },
    ])
  })

  it('sends two conditional requests and no page request when the RSS feeds are unchanged', async () => {
    const { run, upstream } = await startTestWebsite()
    await run()
    const before = upstream.requests().length

    expect(await run()).toMatchObject({ outcome: 'succeeded', read: 0, written: 0 })

    const requests = upstream.requests().slice(before)
    expect(requests.map(({ path }) => path)).toEqual([ALERTS, ADVISORIES])
    expect(requests.every(({ headers }) => headers['if-none-match'] !== undefined)).toBe(true)
  })

  it('requests only the pages of new and changed notices', async () => {
    const { run, selectRows, serveAlerts, servePage, requestedPages } = await startTestWebsite()
    await run()
    serveAlerts([{ slug: 'third' }, { slug: 'first', title: 'CRITICAL ALERT: First, again' }])
    servePage({ slug: 'first', status: 'HIGH', body: '<p>CVE-2024-1112</p>' })
    servePage({ slug: 'third' })

    expect(await run()).toMatchObject({ outcome: 'succeeded', read: 2, written: 2 })

    expect(requestedPages()).toEqual(['first', 'second', 'third', 'first'])
    expect(await selectRows(selectNotices)).toMatchObject([
      { id: 'first', priority: 'High' },
      { id: 'second' },
      { id: 'third' },
    ])
    expect(await selectRows(selectNoticeCves)).toEqual([
      { notice_id: 'first', cve_id: 'CVE-2024-1112' },
      { notice_id: 'second', cve_id: 'CVE-2024-2222' },
    ])
  })

  it('sends the new ETag after an RSS feed changed but its notices did not', async () => {
    const { run, upstream } = await startTestWebsite()
    await run()
    upstream.serve(ALERTS, behaviours.validates('"rebuilt"', rss([{ slug: 'first' }], upstream.url)))
    await run()

    expect(await run()).toMatchObject({ outcome: 'succeeded', read: 0 })
    expect(upstream.requests(ALERTS).at(-1)?.headers['if-none-match']).toBe('"rebuilt"')
  })

  it('stores the alerts and fails the run when the advisories cannot be downloaded', async () => {
    const { run, selectRows, upstream } = await startTestWebsite()
    upstream.serve(ADVISORIES, behaviours.answers(404))

    const report = await run()

    expect(report).toMatchObject({ outcome: 'failed', written: 1 })
    expect(report.error).toMatch(/\/rss\/advisories could not be downloaded: the server answered 404/)
    expect(await selectRows(selectNotices)).toMatchObject([{ id: 'first' }])
    upstream.serve(ADVISORIES, rss([{ slug: 'second' }], upstream.url))
    expect(await run()).toMatchObject({ outcome: 'succeeded', written: 1 })
  })

  it.each<[string, Content | Handler, string]>([
    [
      'HTML with the content type of RSS',
      behaviours.answers(200, '<p>Wait</p>', { 'content-type': 'application/rss+xml' }),
      'starts with <p>, expected <rss>',
    ],
    ['a document with a DOCTYPE declaration', '<!DOCTYPE rss [<!ENTITY a "b">]><rss/>', 'has a <!DOCTYPE> declaration'],
    ['10 MB of text', 'x'.repeat(10_000_000), 'the server announced 10000000 bytes, expected at most 5242880'],
  ])('fails and keeps the stored notices when both RSS URLs return %s', async (_name, answer, message) => {
    const { run, selectRows, upstream } = await startTestWebsite()
    await run()
    for (const path of [ALERTS, ADVISORIES]) upstream.serve(path, answer)

    const report = await run()

    expect(report).toMatchObject({ outcome: 'failed', written: 0 })
    expect(report.error).toContain(message)
    expect(await selectRows(selectNotices)).toHaveLength(2)
  })
})

describe('ACSC feed: rejecting an item', () => {
  it('rejects an item with an invalid date and stores the other items in the same RSS feed', async () => {
    const { run, selectRows, serveAlerts, servePage, requestedPages } = await startTestWebsite()
    const valid = [{ slug: 'first' }, { slug: 'third' }]
    const invalid = { slug: 'invalid', published: 'yesterday' }
    for (const slug of ['third', 'fourth']) servePage({ slug })
    serveAlerts(valid)
    await run()

    serveAlerts([invalid, ...valid])
    // The only new RSS item is invalid, but two of the three items are valid, so the RSS feed as a whole is not
    // rejected.
    expect(await run()).toMatchObject({ outcome: 'succeeded', read: 3, written: 0, rejected: 1 })
    serveAlerts([{ slug: 'fourth' }, invalid, ...valid])
    expect(await run()).toMatchObject({ outcome: 'succeeded', read: 4, written: 1, rejected: 1 })

    expect((await selectRows<{ id: string }>(selectNotices)).map(({ id }) => id)).toEqual([
      'first',
      'fourth',
      'second',
      'third',
    ])
    expect(requestedPages()).not.toContain('invalid')
    expect(await selectRows('select reason from source.feed_rejection limit 1')).toEqual([
      { reason: expect.stringContaining('the date "yesterday" does not have the form') },
    ])
  })
})

describe('ACSC feed: settings', () => {
  it('downloads only from www.cyber.gov.au by default', () => {
    expect([...new Set(acscDefinition.configure({}).hosts)]).toEqual(['www.cyber.gov.au'])
  })

  it('throws an error with the allowed range when FEED_ACSC_PAGES_PER_RUN is not a number', () => {
    expect(() => acscDefinition.configure({ FEED_ACSC_PAGES_PER_RUN: 'all' })).toThrow(
      'must be an integer from 0 to 100',
    )
  })
})
