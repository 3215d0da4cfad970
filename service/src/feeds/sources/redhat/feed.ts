// Feed of Red Hat's VEX documents: one document per CVE with the status of each of Red Hat's products.
import { address, integer } from '../../../domain/setting.ts'
import type { Feed } from '../../feed.ts'
import { createFeed, defineFeed } from '../../feed-definition.ts'
import { type SourceRow, sourceRecordStore } from '../../stores/source-record.ts'
import { collectArchiveAndChanges } from './collect.ts'
import { fetchFromDirectory } from './from-directory.ts'
import { fetchFromNetwork, type RedHatSettings } from './from-network.ts'
import { normaliseVex, type RawVex } from './normalise.ts'

export const redhatDefinition = defineFeed<RedHatSettings>(
  {
    url: address('FEED_REDHAT_URL', 'https://security.access.redhat.com/data/csaf/v2/vex/'),
    filesPerRun: integer('FEED_REDHAT_FILES_PER_RUN', 1, 100_000, 3000),
    pauseMs: integer('FEED_REDHAT_PAUSE_MS', 0, 60_000, 100),
  },
  redhatFeed,
)

export function redhatFeed(settings: RedHatSettings): Feed<RawVex, SourceRow> {
  return createFeed('redhat', {
    fetch: (context) =>
      context.from === undefined ? fetchFromNetwork(settings, context) : fetchFromDirectory(context.from, context),
    collect: (context) => collectArchiveAndChanges(settings, context),
    normalise: normaliseVex,
    store: sourceRecordStore('redhat'),
  })
}
