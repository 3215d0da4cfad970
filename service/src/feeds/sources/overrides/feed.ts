// Feed of Anchore's overrides (corrections of NVD records): they name the affected products of CVEs for which NVD lists
// no products or too many.
import { Type } from 'typebox'
import { parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { parseDateTime, UNDATED } from '../../../domain/instant.ts'
import { address } from '../../../domain/setting.ts'
import { collectUndatedFile, fetchUndatedFile, type UndatedFile } from '../../download/undated-file.ts'
import type { Feed, Rejected } from '../../feed.ts'
import { createFeed, defineFeed } from '../../feed-definition.ts'
import { type JsonFiles, readArchiveOrLines } from '../../formats/json-files.ts'
import { compileSchema, optionalOrNull, readText } from '../../schema-check.ts'
import { type SourceRow, sourceRecordStore, toSourceRow } from '../../stores/source-record.ts'

const MEBIBYTE = 1024 * 1024
const MAX_DOWNLOAD_BYTES = 512 * MEBIBYTE
const OVERRIDE_PATH = /^[^/]+\/data\/\d{4}\/(CVE-[^/]+)\.json$/i

const FILES: JsonFiles = {
  toId: (name) => OVERRIDE_PATH.exec(name)?.[1],
  maxRecordBytes: 16 * MEBIBYTE,
  maxBytes: 2048 * MEBIBYTE,
}

export const overridesDefinition = defineFeed(
  {
    url: address('FEED_OVERRIDES_URL', 'https://codeload.github.com/anchore/nvd-data-overrides/zip/refs/heads/main'),
  },
  overridesFeed,
)

export function overridesFeed(settings: { readonly url: string }): Feed<unknown, SourceRow> {
  const archive: UndatedFile<unknown> = {
    feed: 'overrides',
    folders: ['nvd'],
    name: 'nvd-data-overrides-main.zip',
    url: settings.url,
    maxDownloadBytes: MAX_DOWNLOAD_BYTES,
    inDirectory: /^(?:nvd-data-overrides-main\.zip|nvd_overrides_anchore\.ndjson(?:\.gz)?)$/,
    read: readOverrides,
  }
  return createFeed('overrides', {
    fetch: (context) => fetchUndatedFile(context, archive),
    collect: collectUndatedFile(archive),
    normalise: normaliseOverride,
    // Anchore withdraws an override by deleting its file, for example when NVD has corrected its record.
    store: sourceRecordStore('overrides', 'delete'),
  })
}

export function readOverrides(path: string, onBytes: (count: number) => void) {
  return readArchiveOrLines(path, FILES, onBytes)
}

const OVERRIDE = compileSchema(
  Type.Object({
    _annotation: Type.Object({ cve_id: Type.String(), modified: optionalOrNull(Type.String()) }),
    cve: Type.Object({ configurations: Type.Optional(Type.Array(Type.Object({}))) }),
  }),
)

export function normaliseOverride(raw: unknown, now: Date): SourceRow | Rejected {
  const rejected = readText(raw, '_annotation', 'cve_id') ?? 'an override without an id'
  if (!OVERRIDE.matches(raw)) return { rejected, reason: OVERRIDE.describeMismatch(raw) }
  const { cve_id: id, modified: date } = raw._annotation
  const cveId = parseCanonicalCveId(id)
  if (!cveId) return { rejected, reason: 'not a CVE id' }
  // A quarter of the overrides (Anchore's corrections of NVD records) have no date. They never replace a dated one.
  const modified = date ? parseDateTime(date) : UNDATED
  if (!modified) return { rejected, reason: `_annotation.modified is not a valid date-time: "${date}"` }
  return toSourceRow(cveId, modified, { value: raw, score: null }, now)
}
