// GitHub's security advisories: those that GitHub has reviewed, for packages of the open source ecosystems.
import { address, secret } from '../../../domain/setting.ts'
import type { Delivery, Feed, FetchContext } from '../../feed.ts'
import { feedPlan } from '../../feed-definition.ts'
import type { AdvisoryRow } from './advisory.ts'
import { fromNetwork, type GhsaSettings } from './from-api.ts'
import { fromDirectory } from './from-directory.ts'
import { normaliseAdvisory } from './normalise.ts'
import { withRemarks } from './read-advisories.ts'
import { advisoryStore } from './store.ts'

export const ghsaPlan = feedPlan<GhsaSettings>(
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
    everySeconds: 3600,
    staleAfterSeconds: 48 * 3600,
    fetch: (context) => open(settings, context),
    normalise: normaliseAdvisory,
    guards: [],
    store: advisoryStore,
  }
}

async function* open(settings: GhsaSettings, context: FetchContext): AsyncGenerator<Delivery<unknown>> {
  const deliveries = context.from === undefined ? fromNetwork(settings, context) : fromDirectory(context.from, context)
  for await (const delivery of deliveries) yield withRemarks(delivery, context)
}
