import { describe, expect, it } from 'vitest'
import { LIST, listPage } from './documents.ts'
import { startTestWebsite } from './test-website.ts'

// The test clock starts at 2026-08-22T00:00:00Z. The notices of the first load have the date 2026-08-21T00:00:00Z.
const NOW = new Date('2026-08-22T00:00:00Z')
const LATER = 'Fri, 21 Aug 2026 12:00:00 +1000'

interface Row {
  readonly id: string
  readonly seen: Date | null
}

async function startSite() {
  const site = await startTestWebsite()
  const select = async (statement: string) =>
    Object.fromEntries((await site.selectRows<Row>(statement)).map(({ id, seen }) => [id, seen]))
  return {
    ...site,
    readNotices: () => select('select id, first_seen as seen from source.acsc_notice'),
    readCves: () => select('select cve_id as id, first_seen as seen from source.acsc_notice_cve'),
  }
}

describe('First-seen times of ACSC notices', () => {
  it('are null in the first load, although it reads pages and older notices in later runs', async () => {
    const { run, upstream, servePage, readNotices, readCves } = await startSite()
    upstream.serve(LIST, ({ query }, response) => response.end(listPage(query.get('page') === '0' ? ['old'] : [])))
    servePage({ slug: 'old', first: '03 Mar 2020', body: '<p>CVE-2020-1000</p>' })

    for (let runs = 0; runs < 6; runs += 1) await run({ pagesPerRun: 1, historyPages: 60 })

    expect(await readNotices()).toEqual({ first: null, second: null, old: null })
    expect(await readCves()).toEqual({ 'CVE-2024-1111': null, 'CVE-2024-2222': null, 'CVE-2020-1000': null })
  })

  it('are set for a notice that is newer than the first load, and for its CVEs when its page is read', async () => {
    const { run, serveAlerts, servePage, readNotices, readCves } = await startSite()
    await run()
    serveAlerts([{ slug: 'third', published: LATER }, { slug: 'first' }])
    servePage({ slug: 'third', body: '<p>CVE-2024-3333</p>' })

    await run({ pagesPerRun: 0 })
    expect(await readNotices()).toEqual({ first: null, second: null, third: NOW })
    expect(await readCves()).toEqual({ 'CVE-2024-1111': null, 'CVE-2024-2222': null })

    await run()
    expect(await readCves()).toEqual({ 'CVE-2024-1111': null, 'CVE-2024-2222': null, 'CVE-2024-3333': NOW })
  })

  it('are set for a CVE that a notice from the first load names later', async () => {
    const { run, serveAlerts, servePage, readNotices, readCves } = await startSite()
    await run()
    serveAlerts([{ slug: 'first', title: 'First, again' }])
    servePage({ slug: 'first', body: '<p>CVE-2024-1111 and CVE-2024-4444</p>' })

    await run()

    expect(await readNotices()).toEqual({ first: null, second: null })
    expect(await readCves()).toEqual({ 'CVE-2024-1111': null, 'CVE-2024-2222': null, 'CVE-2024-4444': NOW })
  })
})
