// Feed of ENISA's catalog of vulnerabilities that are known to be exploited in the EU (EU KEV, decision E23).
import { address } from '../../../domain/setting.ts'
import { fetchUndatedFile } from '../../download/undated-file.ts'
import type { Feed } from '../../feed.ts'
import { defineFeed } from '../../feed-definition.ts'
import { type EuKevRow, normaliseEuKev } from './normalise.ts'
import { MAX_BYTES, readCatalog } from './read-catalog.ts'
import { euKevStore } from './store.ts'

const FILE = 'eukev.json'

export const euKevDefinition = defineFeed(
  { url: address('FEED_EUKEV_URL', 'https://raw.githubusercontent.com/enisaeu/CNW/main/eukev/eukev.json') },
  euKevFeed,
)

export function euKevFeed(settings: { readonly url: string }): Feed<unknown, EuKevRow> {
  return {
    name: 'eukev',
    title: 'ENISA EU Known Exploited Vulnerabilities',
    // ENISA adds entries a few times a month. Most requests return 304 Not Modified.
    intervalSeconds: 2 * 60 * 60,
    staleAfterSeconds: 7 * 24 * 60 * 60,
    fetch: (context) =>
      fetchUndatedFile(context, {
        feed: 'eukev',
        name: FILE,
        url: settings.url,
        maxDownloadBytes: MAX_BYTES,
        inDirectory: /^eukev\.json(?:\.gz)?$/,
        read: readCatalog,
      }),
    normalise: normaliseEuKev,
    guards: [],
    store: euKevStore,
  }
}
