// Red Hat's VEX documents: what it says of a CVE, and which of its products are affected, fixed or neither.
import { address, integer } from '../../../domain/setting.ts'
import type { Feed } from '../../feed.ts'
import { feedPlan } from '../../feed-definition.ts'
import { type SourceRow, sourceRecordStore } from '../../stores/source-record.ts'
import { fromDirectory } from './from-directory.ts'
import { fromNetwork } from './from-network.ts'
import { normaliseVex, type RawVex } from './normalise.ts'
import type { RedHatSettings } from './settings.ts'

export const redhatPlan = feedPlan<RedHatSettings>(
  {
    url: address('FEED_REDHAT_URL', 'https://security.access.redhat.com/data/csaf/v2/vex/'),
    filesPerRun: integer('FEED_REDHAT_FILES_PER_RUN', 1, 100_000, 3000),
    pauseMs: integer('FEED_REDHAT_PAUSE_MS', 0, 60_000, 100),
  },
  redhatFeed,
)

export function redhatFeed(settings: RedHatSettings): Feed<RawVex, SourceRow> {
  return {
    name: 'redhat',
    title: "Red Hat's VEX documents",
    everySeconds: 60 * 60,
    staleAfterSeconds: 48 * 60 * 60,
    fetch: (context) => (context.from === undefined ? fromNetwork(settings, context) : fromDirectory(context.from, context)),
    normalise: normaliseVex,
    guards: [],
    store: sourceRecordStore('redhat'),
  }
}
