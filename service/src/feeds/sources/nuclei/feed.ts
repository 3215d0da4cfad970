// Feed of Nuclei's list of templates for CVEs. Only the list is read, never the templates.
import { address } from '../../../domain/setting.ts'
import { evidenceFeed } from '../../evidence-feed.ts'
import { defineFeed } from '../../feed-definition.ts'
import { readDecompressed } from '../../formats/decompress.ts'
import { readJsonLines } from '../../formats/json-lines.ts'
import { normaliseTemplate } from './normalise.ts'

/** Maximum size of Nuclei's list of templates: thirty times its size in 2026. */
const MAX_BYTES = 64 * 1024 * 1024
const MAX_LINE_BYTES = 256 * 1024

export const nucleiFeed = evidenceFeed<unknown>({
  feed: 'nuclei',
  name: 'cves.json',
  maxDownloadBytes: MAX_BYTES,
  inDirectory: /^(?:cves\.json|nuclei_cves\.ndjson)(?:\.gz)?$/,
  read: (path, onBytes) =>
    readJsonLines(readDecompressed(path, { maxBytes: MAX_BYTES }, onBytes), { maxLineBytes: MAX_LINE_BYTES }),
  normalise: normaliseTemplate,
})

export const nucleiDefinition = defineFeed(
  {
    url: address(
      'FEED_NUCLEI_URL',
      'https://raw.githubusercontent.com/projectdiscovery/nuclei-templates/main/cves.json',
    ),
  },
  nucleiFeed,
)
