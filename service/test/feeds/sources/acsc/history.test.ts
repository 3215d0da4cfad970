import { describe, expect, it } from 'vitest'
import type { RunReport } from '../../../../src/feeds/engine/run.ts'
import { manners } from '../../../support/network/upstream.ts'
import { LIST, listPage } from './setup.ts'
import { links, notices, type Site, slugs, testSite } from './site.ts'

describe('The history', () => {
  /** Twelve old notices on three pages of the list. */
  async function withHistory(): Promise<Site> {
    const site = await testSite()
    const old = slugs(12, 'old')
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

  it('is walked once, some pages a run, after what is new', async () => {
    const { run, look, pagesAsked } = await withHistory()
    const settings = { historyPages: 60, pagesPerRun: 6 }

    const written: number[] = []
    for (let runs = 0; runs < 5; runs += 1) written.push((await run(settings)).written)

    // Two pages of news, one of the list and three old notices; and so on.
    expect(written).toEqual([5, 5, 4, 0, 0])
    expect(pagesAsked().join(' ')).toBe(
      'first second ?page=0 old0 old1 old2 ' +
        'old3 ?page=1 old4 old5 old6 old7 ' +
        '?page=2 old8 old9 old10 old11 ?page=3',
    )
    expect(await look(links)).toHaveLength(14)
    expect(await look(notices)).toContainEqual({
      id: 'old7',
      type: 'alert',
      title: 'About old7',
      priority: 'Low',
      is_whole: true,
    })
  })

  it('ends at the page it was told to end at', async () => {
    const { run, pagesAsked } = await withHistory()
    for (let runs = 0; runs < 3; runs += 1) await run({ historyPages: 1, pagesPerRun: 6 })

    expect(pagesAsked()).toEqual(['first', 'second', '?page=0', 'old0', 'old1', 'old2', 'old3'])
  })

  it('ends when the list shows the same page for ever', async () => {
    const { run, upstream, pagesAsked } = await withHistory()
    upstream.serve(LIST, listPage(['old0']))

    await run({ historyPages: 60 })

    expect(pagesAsked()).toEqual(['first', 'second', '?page=0', 'old0', '?page=1'])
  })

  it('goes on after a page that cannot be read, and comes back to it', async () => {
    const { run, look, upstream, servePage, pagesAsked } = await withHistory()
    upstream.serve(`${LIST}/old1`, manners.answers(500))
    const settings = { historyPages: 1, pagesPerRun: 7 }

    const report = await run(settings)

    expect(report).toMatchObject({ outcome: 'succeeded', written: 5 })
    expect(report.notices.join()).toMatch(/old1 could not be downloaded: the server answered 500/)
    servePage({ slug: 'old1', first: '03 Mar 2020' })
    expect(await run(settings)).toMatchObject({ written: 1, notices: [] })
    expect(await look(notices)).toHaveLength(6)
    expect(pagesAsked().at(-1)).toBe('old1')
  })

  it('does not spoil the news with pages that cannot be used', async () => {
    const { run, look, servePage } = await withHistory()
    for (const slug of slugs(12, 'old')) servePage({ slug, first: 'long ago' })

    const report = await run({ historyPages: 60 })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 2, written: 2, rejected: 0 })
    expect(report.notices).toEqual([
      expect.stringContaining('/old0 cannot be used: it has no date'),
      expect.stringContaining('/old1 cannot be used: it has no date'),
    ])
    expect(await look(notices)).toHaveLength(2)
  })

  it('is no fault of the feeds when its list cannot be read, and is given up in the end', async () => {
    const { run, upstream } = await withHistory()
    upstream.serve(LIST, '<!DOCTYPE html><html><body>Under construction</body></html>')

    const reports: RunReport[] = []
    for (let runs = 0; runs < 10; runs += 1) reports.push(await run({ historyPages: 60 }))

    expect(reports.every(({ outcome }) => outcome === 'succeeded')).toBe(true)
    expect(reports[0]).toMatchObject({ written: 2, notices: [expect.stringContaining('?page=0 lists no notices')] })
    expect(reports[7]?.notices.join()).toContain('is given up after 8 tries; older notices will be missing')
    expect(upstream.requests(LIST)).toHaveLength(8)
  })

  it('is left alone unless it is wanted', async () => {
    const { run, upstream } = await withHistory()
    await run()

    expect(upstream.requests(LIST)).toEqual([])
  })
})
