// Feed of the EPSS scores of earlier days, which FIRST has published as one file per day since 2021-04-14.
import { address, integer } from '../../../../domain/setting.ts'
import type { Feed } from '../../../feed.ts'
import { createFeed, defineFeed } from '../../../feed-definition.ts'
import { normalisePastScore, type PastScore, type RawPastScore } from './delivery.ts'
import { fetchFromDirectory } from './from-directory.ts'
import { collectDays, fetchFromNetwork, type HistorySettings } from './from-network.ts'
import { historyStore, tooFewScores } from './store.ts'

export const epssHistoryDefinition = defineFeed<HistorySettings>(
  {
    baseUrl: address('FEED_EPSS_HISTORY_URL', 'https://epss.empiricalsecurity.com/'),
    daysPerRun: integer('FEED_EPSS_HISTORY_DAYS_PER_RUN', 0, 400, 31),
    pauseMs: integer('FEED_EPSS_HISTORY_PAUSE_MS', 0, 60_000, 2000),
  },
  epssHistoryFeed,
)

export function epssHistoryFeed(settings: HistorySettings): Feed<RawPastScore, PastScore> {
  return createFeed('epss-history', {
    fetch: (context) =>
      context.from === undefined ? fetchFromNetwork(settings, context) : fetchFromDirectory(context.from, context),
    collect: (context) => collectDays(settings, context),
    normalise: normalisePastScore,
    guards: [tooFewScores],
    store: historyStore,
  })
}
