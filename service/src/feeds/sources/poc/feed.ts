// Public repositories that say they show how a CVE is exploited, as nomi-sec gathers them: where they are, no more.
import { address } from '../../../domain/setting.ts'
import { fetchUndated } from '../../download/undated-file.ts'
import type { Feed } from '../../feed.ts'
import { feedPlan } from '../../feed-definition.ts'
import type { EvidenceRow } from '../../stores/exploit-row.ts'
import { evidenceStore } from '../../stores/exploit-store.ts'
import { normaliseRepository } from './normalise.ts'
import { type RawRepository, readRepositories } from './read-repositories.ts'

const MAX_DOWNLOAD_BYTES = 512 * 1024 * 1024

export const pocPlan = feedPlan(
  {
    url: address('FEED_POC_URL', 'https://codeload.github.com/nomi-sec/PoC-in-GitHub/zip/refs/heads/master'),
  },
  pocFeed,
)

export function pocFeed(settings: { readonly url: string }): Feed<RawRepository, EvidenceRow> {
  return {
    name: 'poc',
    title: 'Proof-of-concept repositories',
    everySeconds: 24 * 60 * 60,
    staleAfterSeconds: 7 * 24 * 60 * 60,
    fetch: (context) =>
      fetchUndated(context, {
        feed: 'poc',
        name: 'PoC-in-GitHub-master.zip',
        url: settings.url,
        maxDownloadBytes: MAX_DOWNLOAD_BYTES,
        inDirectory: /^(?:PoC-in-GitHub-master\.zip|poc_in_github\.ndjson(?:\.gz)?)$/,
        read: readRepositories,
      }),
    normalise: normaliseRepository,
    guards: [],
    store: evidenceStore('poc'),
  }
}
