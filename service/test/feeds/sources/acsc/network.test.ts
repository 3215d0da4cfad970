import { describe, expect, it } from 'vitest'
import { acscPlan } from '../../../../src/feeds/sources/acsc/feed.ts'
import { type Content, type Handler, manners } from '../../../support/network/upstream.ts'
import { rss } from './setup.ts'
import { ADVISORIES, ALERTS, links, notices, testSite } from './site.ts'

describe('The feeds of the ACSC', () => {
  it('are read together with the page of each notice', async () => {
    const { run, look } = await testSite()

    expect(await run()).toMatchObject({ outcome: 'succeeded', read: 2, written: 2, notices: [] })

    expect(await look(notices)).toEqual([
      { id: 'first', type: 'alert', title: 'About first', priority: 'Critical', is_whole: true },
      { id: 'second', type: 'advisory', title: 'About second', priority: null, is_whole: true },
    ])
    expect(await look(links)).toEqual([
      { notice_id: 'first', cve_id: 'CVE-2024-1111' },
      { notice_id: 'second', cve_id: 'CVE-2024-2222' },
    ])
    expect(await look("select upstream_at from source.feed where name = 'acsc'")).toEqual([
      { upstream_at: new Date('2026-08-21T00:00:00Z') },
    ])
  })

  it('are asked with what they said last, and then cost two requests and no page', async () => {
    const { run, upstream } = await testSite()
    await run()
    const before = upstream.requests().length

    expect(await run()).toMatchObject({ outcome: 'succeeded', read: 0, written: 0 })

    const asked = upstream.requests().slice(before)
    expect(asked.map(({ path }) => path)).toEqual([ALERTS, ADVISORIES])
    expect(asked.every(({ headers }) => headers['if-none-match'] !== undefined)).toBe(true)
  })

  it('lead to the pages of new and changed notices only', async () => {
    const { run, look, serveAlerts, servePage, pagesAsked } = await testSite()
    await run()
    serveAlerts([{ slug: 'third' }, { slug: 'first', title: 'CRITICAL ALERT: First, again' }])
    servePage({ slug: 'first', status: 'HIGH', body: '<p>CVE-2024-1112</p>' })
    servePage({ slug: 'third' })

    expect(await run()).toMatchObject({ outcome: 'succeeded', read: 2, written: 2 })

    expect(pagesAsked()).toEqual(['first', 'second', 'third', 'first'])
    expect(await look(notices)).toMatchObject([{ id: 'first', priority: 'High' }, { id: 'second' }, { id: 'third' }])
    expect(await look(links)).toEqual([
      { notice_id: 'first', cve_id: 'CVE-2024-1112' },
      { notice_id: 'second', cve_id: 'CVE-2024-2222' },
    ])
  })

  it('are read in full when they change without news, and remembered', async () => {
    const { run, upstream } = await testSite()
    await run()
    upstream.serve(ALERTS, manners.validates('"rebuilt"', rss([{ slug: 'first' }], upstream.url)))
    await run()

    expect(await run()).toMatchObject({ outcome: 'succeeded', read: 0 })
    expect(upstream.requests(ALERTS).at(-1)?.headers['if-none-match']).toBe('"rebuilt"')
  })

  it('do not hold each other back: what one says is stored, and the run names the other', async () => {
    const { run, look, upstream } = await testSite()
    upstream.serve(ADVISORIES, manners.answers(404))

    const report = await run()

    expect(report).toMatchObject({ outcome: 'failed', written: 1 })
    expect(report.fault).toMatch(/\/rss\/advisories could not be downloaded: the server answered 404/)
    expect(await look(notices)).toMatchObject([{ id: 'first' }])
    upstream.serve(ADVISORIES, rss([{ slug: 'second' }], upstream.url))
    expect(await run()).toMatchObject({ outcome: 'succeeded', written: 1 })
  })

  it.each<[string, Content | Handler, string]>([
    ['a wall against robots', manners.sendsHtml(), 'the server sent an HTML page instead of data'],
    [
      'a wall of another type',
      manners.answers(200, '<p>Wait</p>', { 'content-type': 'application/rss+xml' }),
      'begins with <p>, where <rss> was expected',
    ],
    ['declarations', '<!DOCTYPE rss [<!ENTITY a "b">]><rss/>', 'has a <!DOCTYPE> declaration'],
    ['half of it', rss([{ slug: 'first' }]).slice(0, 500), 'is never closed'],
    ['an empty feed', rss([]), 'has no items; an empty feed is not believed'],
    ['ten megabytes', 'x'.repeat(10_000_000), 'the server announces 10000000 bytes, expected at most 5242880'],
    [
      'a redirect to elsewhere',
      manners.redirects('http://169.254.169.254/latest'),
      'the server redirects to 169.254.169.254',
    ],
  ])('fail in words when they send %s, and what we have stays', async (_name, answer, complaint) => {
    const { run, look, upstream } = await testSite()
    await run()
    for (const path of [ALERTS, ADVISORIES]) upstream.serve(path, answer)

    const report = await run()

    expect(report).toMatchObject({ outcome: 'failed', written: 0 })
    expect(report.fault).toContain(complaint)
    expect(await look(notices)).toHaveLength(2)
  })
})

describe('An item that cannot be used', () => {
  it('is rejected with its reason, and does not hold back what comes with it or after it', async () => {
    const { run, look, serveAlerts, servePage, pagesAsked } = await testSite()
    const good = [{ slug: 'first' }, { slug: 'third' }]
    const bad = { slug: 'bad', published: 'yesterday' }
    for (const slug of ['third', 'fourth']) servePage({ slug })
    serveAlerts(good)
    await run()

    serveAlerts([bad, ...good])
    // The only news is bad, but the feed as a whole is not.
    expect(await run()).toMatchObject({ outcome: 'succeeded', read: 3, written: 0, rejected: 1 })
    serveAlerts([{ slug: 'fourth' }, bad, ...good])
    expect(await run()).toMatchObject({ outcome: 'succeeded', read: 4, written: 1, rejected: 1 })

    expect((await look<{ id: string }>(notices)).map(({ id }) => id)).toEqual(['first', 'fourth', 'second', 'third'])
    expect(pagesAsked()).not.toContain('bad')
    expect(await look('select reason from source.feed_rejection limit 1')).toEqual([
      { reason: expect.stringContaining('its date "yesterday" is not of the form') },
    ])
  })
})

describe('The settings', () => {
  it('lead to the site of the ACSC, and to no other', () => {
    expect([...new Set(acscPlan.open({}).hosts)]).toEqual(['www.cyber.gov.au'])
  })

  it('say what they expect', () => {
    expect(() => acscPlan.open({ FEED_ACSC_PAGES_PER_RUN: 'all' })).toThrow('must be an integer from 0 to 100')
  })
})
