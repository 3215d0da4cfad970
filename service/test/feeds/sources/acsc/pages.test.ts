import { describe, expect, it } from 'vitest'
import { behaviours, type Handler } from '../../../support/network/upstream.ts'
import { LIST, noticePage } from './documents.ts'
import { ALERTS, buildSlugs, selectNoticeCves, selectNotices, startTestWebsite } from './test-website.ts'

describe('ACSC feed: reading notice pages', () => {
  it.each<[string, Handler, string]>([
    ['the status 404', behaviours.answers(404), 'the server answered 404 Not Found'],
    ['a page without a canonical URL', behaviours.sendsHtml(), 'has no canonical URL, so its notice is unknown'],
    [
      'the page of another notice',
      behaviours.answers(200, noticePage({ slug: 'other' })),
      'is another page: its canonical URL is',
    ],
  ])(
    "stores a notice without its page's details, and retries the page, after receiving %s",
    async (_name, answer, message) => {
      const { run, selectRows, serveAlerts, servePage, upstream } = await startTestWebsite()
      serveAlerts([{ slug: 'first', title: 'CRITICAL ALERT: First', description: 'CVE-2024-9999' }])
      upstream.serve(`${LIST}/first`, answer)

      const report = await run()

      expect(report).toMatchObject({ outcome: 'succeeded', written: 2 })
      expect(report.notices).toEqual([
        expect.stringContaining(message),
        'Details of notice first are missing or outdated until its page can be read.',
      ])
      expect(await selectRows(selectNotices)).toMatchObject([
        { id: 'first', priority: 'Critical', is_whole: false },
        { is_whole: true },
      ])
      expect(await selectRows(selectNoticeCves)).toContainEqual({ notice_id: 'first', cve_id: 'CVE-2024-9999' })

      servePage({ slug: 'first', status: 'HIGH' })
      expect(await run()).toMatchObject({ outcome: 'succeeded', read: 2, written: 1, notices: [] })
      expect(await selectRows(selectNotices)).toMatchObject([{ id: 'first', priority: 'High', is_whole: true }, {}])
      expect(await run()).toMatchObject({ read: 0 })
    },
  )

  it('keeps the stored notice when its RSS item changed but its page can no longer be read', async () => {
    const { run, selectRows, serveAlerts, upstream } = await startTestWebsite()
    await run()
    serveAlerts([{ slug: 'first', title: 'First, again' }])
    upstream.serve(`${LIST}/first`, behaviours.answers(403))

    expect(await run()).toMatchObject({ outcome: 'succeeded', written: 0, unchanged: 1 })

    expect(await selectRows(selectNotices)).toMatchObject([
      { id: 'first', title: 'About first', priority: 'Critical' },
      {},
    ])
    expect(await selectRows(selectNoticeCves)).toContainEqual({ notice_id: 'first', cve_id: 'CVE-2024-1111' })
  })

  it('stops requesting a failing notice page after eight runs until its RSS item changes', async () => {
    const { run, serveAlerts, upstream, requestedPages } = await startTestWebsite()
    upstream.serve(`${LIST}/first`, behaviours.answers(404))
    for (let runs = 0; runs < 10; runs += 1) await run()
    const countRequests = () => requestedPages().filter((slug) => slug === 'first').length

    expect(countRequests()).toBe(8)
    expect(upstream.requests(ALERTS).at(-1)?.headers['if-none-match']).toBeDefined()
    serveAlerts([{ slug: 'first', title: 'First, again' }])
    await run()
    expect(countRequests()).toBe(9)
  })

  it('stores all notices in the first run and reads at most pagesPerRun pages per run', async () => {
    const { run, selectRows, serveAlerts, servePage, requestedPages } = await startTestWebsite()
    serveAlerts(buildSlugs(7).map((slug) => ({ slug })))
    for (const slug of buildSlugs(7)) servePage({ slug })
    const countWithPage = async () => (await selectRows(selectNotices.replace('order', 'where is_whole order'))).length

    expect(await run({ pagesPerRun: 3 })).toMatchObject({ read: 8, written: 8 })
    expect(await countWithPage()).toBe(3)
    expect(await run({ pagesPerRun: 3 })).toMatchObject({ read: 8, written: 3 })
    expect(await run({ pagesPerRun: 3 })).toMatchObject({ read: 8, written: 2 })
    expect(await countWithPage()).toBe(8)
    expect(await run({ pagesPerRun: 3 })).toMatchObject({ read: 0 })
    expect(requestedPages().toSorted()).toEqual([...buildSlugs(7), 'second'].toSorted())
  })

  it('requests no further pages in a run after two page requests have failed', async () => {
    const { run, selectRows, serveAlerts, upstream, requestedPages } = await startTestWebsite()
    serveAlerts(buildSlugs(7).map((slug) => ({ slug })))
    for (const slug of buildSlugs(7)) upstream.serve(`${LIST}/${slug}`, behaviours.answers(403))

    const report = await run()

    expect(report).toMatchObject({ outcome: 'succeeded', written: 8 })
    expect(requestedPages()).toEqual(['n0', 'n1'])
    expect(await selectRows(selectNotices)).toHaveLength(8)
    await run()
    // The second run starts with the notice pages that have the fewest failed download attempts.
    expect(requestedPages()).toEqual(['n0', 'n1', 'n2', 'n3'])
  })

  it('does not request the page of a notice that links to another site', async () => {
    const { run, selectRows, serveAlerts, requestedPages } = await startTestWebsite()
    serveAlerts([{ slug: 'joint', link: 'https://www.cisa.gov/news/joint', description: 'CVE-2024-3333' }])

    expect(await run()).toMatchObject({ outcome: 'succeeded', written: 2, notices: [] })

    expect(requestedPages()).toEqual(['second'])
    expect(await selectRows(selectNotices)).toMatchObject([{ id: 'joint', is_whole: false }, { id: 'second' }])
    expect(await run()).toMatchObject({ read: 0 })
  })
})
