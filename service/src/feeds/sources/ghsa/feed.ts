// Feed of GitHub's security advisories for open source packages. Only advisories that GitHub has reviewed are imported.
import { address, secret } from '../../../domain/setting.ts'
import type { Delivery, Feed, FetchContext, Reading } from '../../feed.ts'
import { defineFeed } from '../../feed-definition.ts'
import type { AdvisoryRow } from './advisory.ts'
import { fetchFromDirectory } from './from-directory.ts'
import { fetchFromNetwork, type GhsaSettings } from './from-network.ts'
import { isReviewed, normaliseAdvisory } from './normalise.ts'
import { advisoryStore } from './store.ts'

export const ghsaDefinition = defineFeed<GhsaSettings>(
  {
    archiveUrl: address('FEED_GHSA_URL', 'https://codeload.github.com/github/advisory-database/zip/refs/heads/main'),
    apiUrl: address('FEED_GHSA_API_URL', 'https://api.github.com/advisories'),
    token: secret('FEED_GHSA_TOKEN'),
  },
  ghsaFeed,
)

export function ghsaFeed(settings: GhsaSettings): Feed<unknown, AdvisoryRow> {
  return {
    name: 'ghsa',
    title: "GitHub's security advisories",
    intervalSeconds: 3600,
    staleAfterSeconds: 48 * 3600,
    fetch: (context) => fetchReviewed(settings, context),
    normalise: normaliseAdvisory,
    guards: [],
    store: advisoryStore,
  }
}

async function* fetchReviewed(settings: GhsaSettings, context: FetchContext): AsyncGenerator<Delivery<unknown>> {
  const deliveries =
    context.from === undefined ? fetchFromNetwork(settings, context) : fetchFromDirectory(context.from, context)
  for await (const delivery of deliveries)
    yield { ...delivery, records: (onBytes) => filterReviewed(delivery.records(onBytes)) }
}

async function* filterReviewed(readings: AsyncIterable<Reading<unknown>>): AsyncGenerator<Reading<unknown>> {
  for await (const reading of readings) if (!('raw' in reading) || isReviewed(reading.raw)) yield reading
}
