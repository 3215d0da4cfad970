// Feed of the Microsoft Security Response Center (MSRC): Microsoft's monthly documents on vulnerabilities in its
// products.
import { address } from '../../../domain/setting.ts'
import type { Feed } from '../../feed.ts'
import { createFeed, defineFeed } from '../../feed-definition.ts'
import { type SourceRow, sourceRecordStore } from '../../stores/source-record.ts'
import type { MsrcRecord } from './document.ts'
import { fetchFromDirectory } from './from-directory.ts'
import { collectMonths, fetchFromNetwork } from './from-network.ts'
import { normaliseMsrc } from './normalise.ts'

export const msrcDefinition = defineFeed(
  { url: address('FEED_MSRC_URL', 'https://api.msrc.microsoft.com/cvrf/v3.0/') },
  msrcFeed,
)

export function msrcFeed(settings: { readonly url: string }): Feed<MsrcRecord, SourceRow> {
  return createFeed('msrc', {
    fetch: (context) =>
      context.from === undefined ? fetchFromNetwork(settings.url, context) : fetchFromDirectory(context.from, context),
    collect: (context) => collectMonths(settings.url, context),
    normalise: normaliseMsrc,
    store: sourceRecordStore('msrc'),
  })
}
