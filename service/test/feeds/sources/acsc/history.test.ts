import { describe, expect, it } from 'vitest'
import type { RunReport } from '../../../../src/feeds/engine/run.ts'
import { behaviours } from '../../../support/network/upstream.ts'
import { LIST, listPage } from './documents.ts'
import { buildSlugs, selectNoticeCves, selectNotices, startTestWebsite, type TestWebsite } from './test-website.ts'

describe('ACSC feed: importing older notices from the list', () => {
  /** Serves an ACSC list of notices that has three pages and twelve old notices. */
  async function startWebsiteWithHistory(): Promise<TestWebsite> {
    const site = await startTestWebsite()
    const old = buildSlugs(12, 'old')
    site.upstream.serve(LIST, ({ query }, response) => {
      const page = Number(query.get('page'))
      const listed = page === 0 ? ['first', ...old.slice(0, 4)] : old.slice(page * 4, page * 4 + 4)
      return response.end(listPage(listed))
    })
    for (const slug of old)
      site.servePage({
        slug,
        first: '03 Mar 2020',
        status: 'LOW',
        body: `<p>CVE-2020-10${slug.slice(3).padStart(2, '0')}</p>`,
      })
    return site
  }

  it('reads the list of notices once, a limited number of pages per run, after the new notices', async () => {
    const { run, selectRows, requestedPages } = await startWebsiteWithHistory()
    const settings = { historyPages: 60, pagesPerRun: 6 }

    const written: number[] = []
    for (let runs = 0; runs < 5; runs += 1) written.push((await run(settings)).written)

    // The first run requests the pages of two new notices, one page of the list and the pages of three old notices.
    expect(written).toEqual([5, 5, 4, 0, 0])
    expect(requestedPages().join(' ')).toBe(
      'first second ?page=0 old0 old1 old2 ' +
        'old3 ?page=1 old4 old5 old6 old7 ' +
        '?page=2 old8 old9 old10 old11 ?page=3',
    )
    expect(await selectRows(selectNoticeCves)).toHaveLength(14)
    expect(await selectRows(selectNotices)).toContainEqual({
      id: 'old7',
      type: 'alert',
      title: 'About old7',
      priority: 'Low',
      is_whole: true,
    })
  })

  it('stops reading the list after the configured number of list pages', async () => {
    const { run, requestedPages } = await startWebsiteWithHistory()
    for (let runs = 0; runs < 3; runs += 1) await run({ historyPages: 1, pagesPerRun: 6 })

    expect(requestedPages()).toEqual(['first', 'second', '?page=0', 'old0', 'old1', 'old2', 'old3'])
  })

  it('stops reading the list when the list repeats the same page', async () => {
    const { run, upstream, requestedPages } = await startWebsiteWithHistory()
    upstream.serve(LIST, listPage(['old0']))

    await run({ historyPages: 60 })

    expect(requestedPages()).toEqual(['first', 'second', '?page=0', 'old0', '?page=1'])
  })

  it('continues after an old notice page that cannot be read and retries it in the next run', async () => {
    const { run, selectRows, upstream, servePage, requestedPages } = await startWebsiteWithHistory()
    upstream.serve(`${LIST}/old1`, behaviours.answers(500))
    const settings = { historyPages: 1, pagesPerRun: 7 }

    const report = await run(settings)

    expect(report).toMatchObject({ outcome: 'succeeded', written: 5 })
    expect(report.notices.join()).toMatch(/old1 could not be downloaded: the server answered 500/)
    servePage({ slug: 'old1', first: '03 Mar 2020' })
    expect(await run(settings)).toMatchObject({ written: 1, notices: [] })
    expect(await selectRows(selectNotices)).toHaveLength(6)
    expect(requestedPages().at(-1)).toBe('old1')
  })

  it('stores the new notices when the pages of old notices cannot be used', async () => {
    const { run, selectRows, servePage } = await startWebsiteWithHistory()
    for (const slug of buildSlugs(12, 'old')) servePage({ slug, first: 'long ago' })

    const report = await run({ historyPages: 60 })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 2, written: 2, rejected: 0 })
    expect(report.notices).toEqual([
      expect.stringContaining('/old0 cannot be used: the notice has no date'),
      expect.stringContaining('/old1 cannot be used: the notice has no date'),
    ])
    expect(await selectRows(selectNotices)).toHaveLength(2)
  })

  it('succeeds when the list cannot be read, and stops requesting the list after eight runs', async () => {
    const { run, upstream } = await startWebsiteWithHistory()
    upstream.serve(LIST, '<!DOCTYPE html><html><body>Under construction</body></html>')

    const reports: RunReport[] = []
    for (let runs = 0; runs < 10; runs += 1) reports.push(await run({ historyPages: 60 }))

    expect(reports.every(({ outcome }) => outcome === 'succeeded')).toBe(true)
    expect(reports[0]).toMatchObject({
      written: 2,
      notices: [expect.stringContaining('?page=0 has no links to notices')],
    })
    expect(reports[7]?.notices.join()).toContain('after 8 attempts; older notices are not imported')
    expect(upstream.requests(LIST)).toHaveLength(8)
  })

  it('does not request the list when historyPages is 0', async () => {
    const { run, upstream } = await startWebsiteWithHistory()
    await run()

    expect(upstream.requests(LIST)).toEqual([])
  })
})
