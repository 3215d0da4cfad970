import { describe, expect, it } from 'vitest'
import { type Handler, manners } from '../../../support/network/upstream.ts'
import { LIST, noticePage } from './setup.ts'
import { ALERTS, links, notices, slugs, testSite } from './site.ts'

describe('The page of a notice', () => {
  it.each<[string, Handler, string]>([
    ['is missing', manners.answers(404), 'the server answered 404 Not Found'],
    ['is a wall against robots', manners.sendsHtml(), 'does not say which notice it is'],
    ['is another page', manners.answers(200, noticePage({ slug: 'other' })), 'which is another page'],
    ['was cut off', manners.answers(200, noticePage({ slug: 'first' }).slice(0, -10)), 'ends before its </html>'],
    ['is of another encoding', manners.answers(200, Buffer.from('<html>é</html>', 'latin1')), 'is not text in UTF-8'],
    ['leads elsewhere', manners.redirects('http://169.254.169.254/latest'), 'the server redirects to 169.254.169.254'],
  ])('that %s does not lose the notice, and is asked for again', async (_name, answer, complaint) => {
    const { run, look, serveAlerts, servePage, upstream } = await testSite()
    serveAlerts([{ slug: 'first', title: 'CRITICAL ALERT: First', description: 'CVE-2024-9999' }])
    upstream.serve(`${LIST}/first`, answer)

    const report = await run()

    expect(report).toMatchObject({ outcome: 'succeeded', written: 2 })
    expect(report.notices).toEqual([
      expect.stringContaining(complaint),
      'What the page of first says is missing or old, until that page can be read.',
    ])
    expect(await look(notices)).toMatchObject([
      { id: 'first', priority: 'Critical', is_whole: false },
      { is_whole: true },
    ])
    expect(await look(links)).toContainEqual({ notice_id: 'first', cve_id: 'CVE-2024-9999' })

    servePage({ slug: 'first', status: 'HIGH' })
    expect(await run()).toMatchObject({ outcome: 'succeeded', read: 2, written: 1, notices: [] })
    expect(await look(notices)).toMatchObject([{ id: 'first', priority: 'High', is_whole: true }, {}])
    expect(await run()).toMatchObject({ read: 0 })
  })

  it('that cannot be read any more takes nothing away from a notice that changed', async () => {
    const { run, look, serveAlerts, upstream } = await testSite()
    await run()
    serveAlerts([{ slug: 'first', title: 'First, again' }])
    upstream.serve(`${LIST}/first`, manners.answers(403))

    expect(await run()).toMatchObject({ outcome: 'succeeded', written: 0, unchanged: 1 })

    expect(await look(notices)).toMatchObject([{ id: 'first', title: 'About first', priority: 'Critical' }, {}])
    expect(await look(links)).toContainEqual({ notice_id: 'first', cve_id: 'CVE-2024-1111' })
  })

  it('is given up after eight runs, until its item changes', async () => {
    const { run, serveAlerts, upstream, pagesAsked } = await testSite()
    upstream.serve(`${LIST}/first`, manners.answers(404))
    for (let runs = 0; runs < 10; runs += 1) await run()
    const asked = () => pagesAsked().filter((slug) => slug === 'first').length

    expect(asked()).toBe(8)
    expect(upstream.requests(ALERTS).at(-1)?.headers['if-none-match']).toBeDefined()
    serveAlerts([{ slug: 'first', title: 'First, again' }])
    await run()
    expect(asked()).toBe(9)
  })

  it('waits for its turn: so many a run, while the notices are there at once', async () => {
    const { run, look, serveAlerts, servePage, pagesAsked } = await testSite()
    serveAlerts(slugs(7).map((slug) => ({ slug })))
    for (const slug of slugs(7)) servePage({ slug })
    const wholes = async () => (await look(notices.replace('order', 'where is_whole order'))).length

    expect(await run({ pagesPerRun: 3 })).toMatchObject({ read: 8, written: 8 })
    expect(await wholes()).toBe(3)
    expect(await run({ pagesPerRun: 3 })).toMatchObject({ read: 8, written: 3 })
    expect(await run({ pagesPerRun: 3 })).toMatchObject({ read: 8, written: 2 })
    expect(await wholes()).toBe(8)
    expect(await run({ pagesPerRun: 3 })).toMatchObject({ read: 0 })
    expect(pagesAsked().toSorted()).toEqual([...slugs(7), 'second'].toSorted())
  })

  it('is not asked for once the site has refused two', async () => {
    const { run, look, serveAlerts, upstream, pagesAsked } = await testSite()
    serveAlerts(slugs(7).map((slug) => ({ slug })))
    for (const slug of slugs(7)) upstream.serve(`${LIST}/${slug}`, manners.answers(403))

    const report = await run()

    expect(report).toMatchObject({ outcome: 'succeeded', written: 8 })
    expect(pagesAsked()).toEqual(['n0', 'n1'])
    expect(await look(notices)).toHaveLength(8)
    await run()
    // Those that failed least come first.
    expect(pagesAsked()).toEqual(['n0', 'n1', 'n2', 'n3'])
  })

  it('is not asked for at another site', async () => {
    const { run, look, serveAlerts, pagesAsked } = await testSite()
    serveAlerts([{ slug: 'joint', link: 'https://www.cisa.gov/news/joint', description: 'CVE-2024-3333' }])

    expect(await run()).toMatchObject({ outcome: 'succeeded', written: 2, notices: [] })

    expect(pagesAsked()).toEqual(['second'])
    expect(await look(notices)).toMatchObject([{ id: 'joint', is_whole: false }, { id: 'second' }])
    expect(await run()).toMatchObject({ read: 0 })
  })
})
