// Feed of Nuclei's list of templates for CVEs. Only the list is read, never the templates.
import { Type } from 'typebox'
import { address } from '../../../domain/setting.ts'
import { type EvidenceRow, evidenceFeed, toEvidenceRow } from '../../evidence-feed.ts'
import type { Rejected } from '../../feed.ts'
import { defineFeed } from '../../feed-definition.ts'
import { readDecompressed } from '../../formats/decompress.ts'
import { readJsonLines } from '../../formats/json-lines.ts'
import { compileSchema, optionalOrNull } from '../../schema-check.ts'
import { findIdForReport, parseCveIds } from '../../stores/extract-ids.ts'

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

const TEMPLATE = compileSchema(
  Type.Object({
    ID: Type.String(),
    Info: Type.Object({ Name: Type.String({ minLength: 1 }), Severity: optionalOrNull(Type.String()) }),
    file_path: Type.String(),
  }),
)

const SOURCE = 'https://github.com/projectdiscovery/nuclei-templates/blob/main/'
const SEVERITY = /^[a-z]{1,20}$/

function normaliseTemplate(raw: unknown, now: Date): EvidenceRow | Rejected {
  const rejected = findIdForReport(raw, 'ID', 'a template')
  if (!TEMPLATE.matches(raw)) return { rejected, reason: TEMPLATE.describeMismatch(raw) }
  const cveIds = parseCveIds([raw.ID])
  if (cveIds.length === 0) return { rejected, reason: `ID is not a CVE id: "${raw.ID}"` }
  const path = encodePath(raw.file_path)
  if (path === undefined) return { rejected, reason: `file_path is not a path in the repository: "${raw.file_path}"` }
  const severity = raw.Info.Severity?.toLowerCase() ?? ''
  const item = {
    id: raw.ID,
    kind: 'template' as const,
    title: raw.Info.Name,
    url: `${SOURCE}${path}`,
    published: null,
    rank: SEVERITY.test(severity) ? severity : null,
    cveIds,
  }
  return toEvidenceRow(item, now)
}

/** Returns undefined for a path that could lead out of the repository. */
function encodePath(path: string): string | undefined {
  const parts = path.split('/')
  const isWithin = path.endsWith('.yaml') && !path.includes('\\') && parts.every((each) => !/^\.{0,2}$/.test(each))
  return isWithin ? parts.map(encodeURIComponent).join('/') : undefined
}
