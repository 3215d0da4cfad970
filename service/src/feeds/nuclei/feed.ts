// The list of Nuclei's templates for CVEs: the list, never the templates.
import { address } from '../../domain/setting.ts'
import type { EvidenceRow } from '../evidence.ts'
import { evidenceStore } from '../evidence-store.ts'
import type { Feed } from '../feed.ts'
import { feedPlan } from '../plan.ts'
import { jsonLines } from '../reading/json-lines.ts'
import { openFile } from '../reading/unpack.ts'
import { fetchUndated } from '../undated-file.ts'
import { normaliseTemplate } from './normalise.ts'

/** Thirty times what it is today. */
const MOST_BYTES = 64 * 1024 * 1024
const MOST_LINE_BYTES = 256 * 1024

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
    fetch: (visit) =>
      fetchUndated(visit, {
        feed: 'nuclei',
        name: 'cves.json',
        url: settings.url,
        mostDownloadBytes: MOST_BYTES,
        inDirectory: /^(?:cves\.json|nuclei_cves\.ndjson)(?:\.gz)?$/,
        read: (path, onBytes) =>
          jsonLines(openFile(path, { mostBytes: MOST_BYTES }, onBytes), { mostLineBytes: MOST_LINE_BYTES }),
      }),
    normalise: normaliseTemplate,
    guards: [],
    store: evidenceStore('nuclei'),
  }
}
