// A local web server with the paths of the ACSC website, and the ACSC feed configured to read from it.
import type { RunReport } from '../../../../src/feeds/engine/run.ts'
import { acscFeed } from '../../../../src/feeds/sources/acsc/feed.ts'
import type { AcscSettings } from '../../../../src/feeds/sources/acsc/page-fetcher.ts'
import { createTestDownload } from '../../../support/network/downloads.ts'
import { behaviours, startUpstream, type Upstream } from '../../../support/network/upstream.ts'
import type { FeedHarness } from '../../feed-harness.ts'
import { LIST, noticePage, type PageFixture, type RssItemFixture, rss } from './documents.ts'
import { resetHarness } from './harness.ts'

export const ALERTS = '/rss/alerts'
export const ADVISORIES = '/rss/advisories'

export interface TestWebsite extends Pick<FeedHarness, 'selectRows'> {
  readonly upstream: Upstream
  run(changed?: Partial<AcscSettings>): Promise<RunReport>
  serveAlerts(items: readonly RssItemFixture[]): void
  servePage(page: PageFixture): void
  /**
   * Pages that the feed requested, in order: the slug of a notice page, or `?page=n` for a page of the list of notices.
   */
  requestedPages(): readonly string[]
}

/** Serves one alert and one advisory with their pages. Older notices are not imported unless a test enables that. */
export async function startTestWebsite(): Promise<TestWebsite> {
  const { run, selectRows } = await resetHarness()
  const upstream = await startUpstream()
  const settings = {
    alertsUrl: `${upstream.url}${ALERTS}`,
    advisoriesUrl: `${upstream.url}${ADVISORIES}`,
    listingUrl: `${upstream.url}${LIST}`,
    historyPages: 0,
    pagesPerRun: 10,
    pauseMs: 0,
  }
  const download = createTestDownload([upstream])
  const serveFeed = (path: string, items: readonly RssItemFixture[]) => {
    const content = rss(items, upstream.url)
    upstream.serve(path, behaviours.validates(`"${content.length}-${items.map(({ title }) => title).join()}"`, content))
  }
  const servePage = (page: PageFixture) => upstream.serve(`${LIST}/${page.slug}`, noticePage(page, upstream.url))
  serveFeed(ALERTS, [{ slug: 'first' }])
  serveFeed(ADVISORIES, [{ slug: 'second' }])
  servePage({ slug: 'first', status: 'CRITICAL', body: '<p>CVE-2024-1111</p>' })
  servePage({ slug: 'second', body: '<p>CVE-2024-2222</p>' })
  return {
    selectRows,
    upstream,
    run: (changed = {}) => run(acscFeed({ ...settings, ...changed }), { openDownload: () => download }),
    serveAlerts: (items) => serveFeed(ALERTS, items),
    servePage,
    requestedPages: () =>
      upstream
        .requests()
        .filter(({ path }) => path.startsWith(LIST))
        .map(({ path, query }) => (path === LIST ? `?page=${query.get('page')}` : path.slice(LIST.length + 1))),
  }
}

export const selectNotices = 'select id, type, title, priority, is_whole from source.acsc_notice order by id'
export const selectNoticeCves = 'select notice_id, cve_id from source.acsc_notice_cve order by notice_id, cve_id'
export const buildSlugs = (count: number, prefix = 'n') =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`)
