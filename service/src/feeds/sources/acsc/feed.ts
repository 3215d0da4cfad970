// Feed of alerts and advisories from the Australian Cyber Security Centre (ACSC).
import { address, integer } from '../../../domain/setting.ts'
import type { Feed } from '../../feed.ts'
import { createFeed, defineFeed } from '../../feed-definition.ts'
import { collectNotices } from './collect.ts'
import { fetchFromDirectory } from './from-directory.ts'
import { fetchFromNetwork } from './from-network.ts'
import { type NoticeRow, normaliseNotice } from './normalise.ts'
import type { RawNotice } from './notice.ts'
import { noticeStore } from './notice-store.ts'
import type { AcscSettings } from './page-fetcher.ts'

export const acscDefinition = defineFeed<AcscSettings>(
  {
    alertsUrl: address('FEED_ACSC_ALERTS_URL', 'https://www.cyber.gov.au/rss/alerts'),
    advisoriesUrl: address('FEED_ACSC_ADVISORIES_URL', 'https://www.cyber.gov.au/rss/advisories'),
    listingUrl: address(
      'FEED_ACSC_LISTING_URL',
      'https://www.cyber.gov.au/about-us/view-all-content/alerts-and-advisories',
    ),
    historyPages: integer('FEED_ACSC_HISTORY_PAGES', 0, 1000, 60),
    pagesPerRun: integer('FEED_ACSC_PAGES_PER_RUN', 0, 100, 10),
    pauseMs: integer('FEED_ACSC_PAUSE_MS', 0, 60_000, 2000),
  },
  acscFeed,
)

export function acscFeed(settings: AcscSettings): Feed<RawNotice, NoticeRow> {
  return createFeed('acsc', {
    fetch: (context) =>
      context.from === undefined ? fetchFromNetwork(settings, context) : fetchFromDirectory(context.from, context),
    collect: (context) => collectNotices(settings, context),
    normalise: normaliseNotice,
    store: noticeStore,
  })
}
