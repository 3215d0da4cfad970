// Feed of Anchore's overrides (corrections of NVD records): they name the affected products of CVEs for which NVD lists
// no products or too many.
import { address } from '../../../domain/setting.ts'
import { fetchUndatedFile } from '../../download/undated-file.ts'
import type { Feed } from '../../feed.ts'
import { defineFeed, readSchedule } from '../../feed-definition.ts'
import { type SourceRow, sourceRecordStore } from '../../stores/source-record.ts'
import { normaliseOverride } from './normalise.ts'
import { readOverrides } from './read-overrides.ts'

const MAX_DOWNLOAD_BYTES = 512 * 1024 * 1024

export const overridesDefinition = defineFeed(
  {
    url: address('FEED_OVERRIDES_URL', 'https://codeload.github.com/anchore/nvd-data-overrides/zip/refs/heads/main'),
  },
  overridesFeed,
)

export function overridesFeed(settings: { readonly url: string }): Feed<unknown, SourceRow> {
  return {
    ...readSchedule('overrides'),
    fetch: (context) =>
      fetchUndatedFile(context, {
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
    // Anchore withdraws an override by deleting its file, for example when NVD has corrected its record.
    store: sourceRecordStore('overrides', 'delete'),
  }
}
