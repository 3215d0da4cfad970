// Anchore's overrides for NVD: which products a CVE affects, where NVD does not say or says too much.
import { address } from '../../../domain/setting.ts'
import { fetchUndated } from '../../download/undated-file.ts'
import type { Feed } from '../../feed.ts'
import { feedPlan } from '../../feed-definition.ts'
import { type SourceRow, sourceRecordStore } from '../../stores/source-record.ts'
import { normaliseOverride } from './normalise.ts'
import { readOverrides } from './read-overrides.ts'

const MAX_DOWNLOAD_BYTES = 512 * 1024 * 1024

export const overridesPlan = feedPlan(
  {
    url: address('FEED_OVERRIDES_URL', 'https://codeload.github.com/anchore/nvd-data-overrides/zip/refs/heads/main'),
  },
  overridesFeed,
)

export function overridesFeed(settings: { readonly url: string }): Feed<unknown, SourceRow> {
  return {
    name: 'overrides',
    title: "Anchore's overrides for NVD",
    everySeconds: 24 * 60 * 60,
    staleAfterSeconds: 7 * 24 * 60 * 60,
    fetch: (context) =>
      fetchUndated(context, {
        feed: 'overrides',
        folders: ['nvd'],
        name: 'nvd-data-overrides-main.zip',
        url: settings.url,
        maxDownloadBytes: MAX_DOWNLOAD_BYTES,
        inDirectory: /^(?:nvd-data-overrides-main\.zip|nvd_overrides_anchore\.ndjson(?:\.gz)?)$/,
        read: readOverrides,
      }),
    normalise: normaliseOverride,
    guards: [],
    store: sourceRecordStore('overrides'),
  }
}
