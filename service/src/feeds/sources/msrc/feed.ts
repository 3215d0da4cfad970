// The Microsoft Security Response Center: what Microsoft says of the vulnerabilities in its products, month by month.
import { address } from '../../../domain/setting.ts'
import type { Feed } from '../../feed.ts'
import { feedPlan } from '../../feed-definition.ts'
import { type SourceRow, sourceRecordStore } from '../../stores/source-record.ts'
import type { MsrcRecord } from './document.ts'
import { fromDirectory } from './from-directory.ts'
import { fromNetwork } from './from-network.ts'
import { normaliseMsrc } from './normalise.ts'

export const msrcPlan = feedPlan(
  { url: address('FEED_MSRC_URL', 'https://api.msrc.microsoft.com/cvrf/v3.0/') },
  msrcFeed,
)

export function msrcFeed(settings: { readonly url: string }): Feed<MsrcRecord, SourceRow> {
  return {
    name: 'msrc',
    title: 'Microsoft Security Response Center',
    // A month is revised several times a day in the weeks after its second Tuesday.
    everySeconds: 6 * 60 * 60,
    staleAfterSeconds: 7 * 24 * 60 * 60,
    fetch: (context) => (context.from === undefined ? fromNetwork(settings.url, context) : fromDirectory(context.from, context)),
    normalise: normaliseMsrc,
    guards: [],
    store: sourceRecordStore('msrc'),
  }
}
