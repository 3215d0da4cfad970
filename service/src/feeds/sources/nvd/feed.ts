// Feed of NIST's National Vulnerability Database (NVD), imported from its files or through its API.
import { setTimeout as wait } from 'node:timers/promises'
import { address, secret, word } from '../../../domain/setting.ts'
import type { Feed, FetchContext } from '../../feed.ts'
import { createFeed, defineFeed } from '../../feed-definition.ts'
import { type SourceRow, sourceRecordStore } from '../../stores/source-record.ts'
import type { ApiSettings } from './api-pages.ts'
import { fetchFromApi } from './from-api.ts'
import { fetchFromDirectory } from './from-directory.ts'
import { collectFeedFiles, fetchFromFeeds } from './from-feeds.ts'
import { normaliseNvd } from './normalise.ts'

export interface NvdSettings extends Omit<ApiSettings, 'sleep'> {
  readonly route: 'feeds' | 'api'
  readonly feedsUrl: string
}

export const nvdDefinition = defineFeed<NvdSettings>(
  {
    route: word('FEED_NVD_ROUTE', ['feeds', 'api'], 'feeds'),
    feedsUrl: address('FEED_NVD_FEEDS_URL', 'https://nvd.nist.gov/feeds/json/cve/2.0/'),
    apiUrl: address('FEED_NVD_API_URL', 'https://services.nvd.nist.gov/rest/json/cves/2.0'),
    apiKey: secret('FEED_NVD_API_KEY'),
  },
  (settings) => nvdFeed(settings),
)

export function nvdFeed(
  settings: NvdSettings,
  sleep: ApiSettings['sleep'] = (ms, signal) => wait(ms, undefined, { signal }),
): Feed<unknown, SourceRow> {
  return createFeed('nvd', {
    fetch: (context) => chooseRoute({ ...settings, sleep }, context),
    // The files are collected by either route, because nothing reads pages of the API from a directory.
    collect: (context) => collectFeedFiles(settings.feedsUrl, context),
    normalise: normaliseNvd,
    store: sourceRecordStore('nvd'),
  })
}

function chooseRoute(settings: NvdSettings & ApiSettings, context: FetchContext) {
  if (context.from !== undefined) return fetchFromDirectory(context.from, context)
  return settings.route === 'api' ? fetchFromApi(settings, context) : fetchFromFeeds(settings.feedsUrl, context)
}
