// Feed of GitHub's security advisories for open source packages. Only advisories that GitHub has reviewed are imported.
import { sql } from 'kysely'
import { address, secret } from '../../../domain/setting.ts'
import { collectUndatedFile } from '../../download/undated-file.ts'
import type { Delivery, Feed, FetchContext, Reading } from '../../feed.ts'
import { createFeed, defineFeed } from '../../feed-definition.ts'
import { extractIds } from '../../stores/extract-ids.ts'
import { stagedStore } from '../../stores/staged-store.ts'
import type { AdvisoryRow } from './advisory.ts'
import { describeArchive } from './archive.ts'
import { fetchFromDirectory } from './from-directory.ts'
import { fetchFromNetwork, type GhsaSettings } from './from-network.ts'
import { isReviewed, normaliseAdvisory } from './normalise.ts'

export const ghsaDefinition = defineFeed<GhsaSettings>(
  {
    archiveUrl: address('FEED_GHSA_URL', 'https://codeload.github.com/github/advisory-database/zip/refs/heads/main'),
    apiUrl: address('FEED_GHSA_API_URL', 'https://api.github.com/advisories'),
    token: secret('FEED_GHSA_TOKEN'),
  },
  ghsaFeed,
)

export function ghsaFeed(settings: GhsaSettings): Feed<unknown, AdvisoryRow> {
  return createFeed('ghsa', {
    fetch: (context) => fetchReviewed(settings, context),
    collect: collectUndatedFile(describeArchive(settings.archiveUrl)),
    normalise: normaliseAdvisory,
    store: advisoryStore,
  })
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

/** Store of GitHub's advisories, including those without a CVE, which are kept for matching by package. */
const advisoryStore = stagedStore<AdvisoryRow>({
  table: 'ghsa_advisory',
  key: ['ghsa_id'],
  columns: {
    ghsa_id: (row) => row.ghsaId,
    cve_id: (row) => row.cveId,
    modified: (row) => row.modified,
    record: (row) => row.record,
  },
  contentHash: (row) => row.contentHash,
  readTime: (row) => row.modified,
  stagingColumns: { is_future: { type: 'boolean not null', value: (row) => row.isFuture } },
  isVersioned: true,
  removal: {
    rule: 'delete',
    // The archive is hours behind the API, so it may lack an advisory from the last day.
    onlyIf: sql`held.modified < (select max(modified) - interval '1 day' from staged_ghsa_advisory)`,
    rejected: { column: sql`held.ghsa_id`, ids: extractIds(/GHSA(?:-[0-9a-z]{4}){3}/) },
  },
  lostCve: sql`held.cve_id is not null and staged.cve_id is null`,
  queueAs: 'ghsa',
})
