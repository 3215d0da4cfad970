// The list of Nuclei's templates for CVEs: the list, never the templates.
import { address } from '../../../domain/setting.ts'
import { fetchUndated } from '../../download/undated-file.ts'
import type { Feed } from '../../feed.ts'
import { feedPlan } from '../../feed-definition.ts'
import { openFile } from '../../formats/decompress.ts'
import { jsonLines } from '../../formats/json-lines.ts'
import type { EvidenceRow } from '../../stores/exploit-row.ts'
import { evidenceStore } from '../../stores/exploit-store.ts'
import { normaliseTemplate } from './normalise.ts'

/** Thirty times what it is today. */
const MAX_BYTES = 64 * 1024 * 1024
const MAX_LINE_BYTES = 256 * 1024

export const nucleiPlan = feedPlan(
  {
    url: address(
      'FEED_NUCLEI_URL',
      'https://raw.githubusercontent.com/projectdiscovery/nuclei-templates/main/cves.json',
    ),
  },
  nucleiFeed,
)

export function nucleiFeed(settings: { readonly url: string }): Feed<unknown, EvidenceRow> {
  return {
    name: 'nuclei',
    title: 'Nuclei templates',
    everySeconds: 12 * 60 * 60,
    staleAfterSeconds: 7 * 24 * 60 * 60,
    fetch: (context) =>
      fetchUndated(context, {
        feed: 'nuclei',
        name: 'cves.json',
        url: settings.url,
        maxDownloadBytes: MAX_BYTES,
        inDirectory: /^(?:cves\.json|nuclei_cves\.ndjson)(?:\.gz)?$/,
        read: (path, onBytes) =>
          jsonLines(openFile(path, { maxBytes: MAX_BYTES }, onBytes), { maxLineBytes: MAX_LINE_BYTES }),
      }),
    normalise: normaliseTemplate,
    guards: [],
    store: evidenceStore('nuclei'),
  }
}
