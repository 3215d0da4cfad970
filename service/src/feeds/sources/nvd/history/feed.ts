// Feed of NVD's change history: what NVD and CNAs changed in NVD's records, and when.
import { setTimeout as wait } from 'node:timers/promises'
import { address, integer, secret } from '../../../../domain/setting.ts'
import type { Feed } from '../../../feed.ts'
import { createFeed, defineFeed } from '../../../feed-definition.ts'
import type { ApiSettings } from '../api-pages.ts'
import { collectPages, fetchFromDirectory } from './files.ts'
import { fetchFromNetwork, type HistorySettings } from './from-network.ts'
import { type ChangeRow, normaliseChange } from './normalise.ts'
import { nvdHistoryStore } from './store.ts'

export const nvdHistoryDefinition = defineFeed<Omit<HistorySettings, 'sleep'>>(
  {
    apiUrl: address('FEED_NVD_HISTORY_API_URL', 'https://services.nvd.nist.gov/rest/json/cvehistory/2.0'),
    apiKey: secret('FEED_NVD_API_KEY'),
    pagesPerRun: integer('FEED_NVD_HISTORY_PAGES_PER_RUN', 0, 1000, 40),
    pauseMs: integer('FEED_NVD_HISTORY_PAUSE_MS', 0, 60_000, 7500),
  },
  (settings) => nvdHistoryFeed(settings),
)

export function nvdHistoryFeed(
  settings: Omit<HistorySettings, 'sleep'>,
  sleep: ApiSettings['sleep'] = (ms, signal) => wait(ms, undefined, { signal }),
): Feed<unknown, ChangeRow> {
  const all = { ...settings, sleep }
  return createFeed('nvd-history', {
    fetch: (context) =>
      context.from === undefined ? fetchFromNetwork(all, context) : fetchFromDirectory(context.from, context),
    collect: (context) => collectPages(all, context),
    normalise: normaliseChange,
    store: nvdHistoryStore,
  })
}
