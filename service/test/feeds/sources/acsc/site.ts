// A site that plays the ACSC's, and the feed that reads it.

import type { RunReport } from '../../../../src/feeds/engine/run.ts'
import { acscFeed } from '../../../../src/feeds/sources/acsc/feed.ts'
import type { AcscSettings } from '../../../../src/feeds/sources/acsc/settings.ts'
import { testDownload } from '../../../support/network/downloads.ts'
import { manners, startUpstream, type Upstream } from '../../../support/network/upstream.ts'
import type { Machine } from '../../feed-harness.ts'
import { emptyMachine } from './harness.ts'
import { type Item, LIST, noticePage, type Page, rss } from './setup.ts'

export const ALERTS = '/rss/alerts'
export const ADVISORIES = '/rss/advisories'

export interface Site extends Pick<Machine, 'look'> {
  readonly upstream: Upstream
  run(changed?: Partial<AcscSettings>): Promise<RunReport>
  serveAlerts(items: readonly Item[]): void
  servePage(page: Page): void
  /** How often pages were asked for, by their slugs; the list as `?page=n`. */
  pagesAsked(): readonly string[]
}

/** A site with one alert and one advisory, both with their pages, and no history. */
export async function testSite(): Promise<Site> {
  const { run, look } = await emptyMachine()
  const upstream = await startUpstream()
  const settings = {
    alertsUrl: `${upstream.url}${ALERTS}`,
    advisoriesUrl: `${upstream.url}${ADVISORIES}`,
    listingUrl: `${upstream.url}${LIST}`,
    historyPages: 0,
    pagesPerRun: 10,
    pauseMs: 0,
  }
  const download = testDownload([upstream])
  const serveFeed = (path: string, items: readonly Item[]) => {
    const content = rss(items, upstream.url)
    upstream.serve(path, manners.validates(`"${content.length}-${items.map(({ title }) => title).join()}"`, content))
  }
  const servePage = (page: Page) => upstream.serve(`${LIST}/${page.slug}`, noticePage(page, upstream.url))
  serveFeed(ALERTS, [{ slug: 'first' }])
  serveFeed(ADVISORIES, [{ slug: 'second' }])
  servePage({ slug: 'first', status: 'CRITICAL', body: '<p>CVE-2024-1111</p>' })
  servePage({ slug: 'second', body: '<p>CVE-2024-2222</p>' })
  return {
    look,
    upstream,
    run: (changed = {}) => run(acscFeed({ ...settings, ...changed }), { openDownload: () => download }),
    serveAlerts: (items) => serveFeed(ALERTS, items),
    servePage,
    pagesAsked: () =>
      upstream
        .requests()
        .filter(({ path }) => path.startsWith(LIST))
        .map(({ path, query }) => (path === LIST ? `?page=${query.get('page')}` : path.slice(LIST.length + 1))),
  }
}

export const notices = 'select id, type, title, priority, is_whole from source.acsc_notice order by id'
export const links = 'select notice_id, cve_id from source.acsc_notice_cve order by notice_id, cve_id'
export const slugs = (count: number, prefix = 'n') => Array.from({ length: count }, (_, index) => `${prefix}${index}`)
