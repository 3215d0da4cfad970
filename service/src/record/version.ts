// The version of a CVE object, from which its ETag is computed.

import type { RecordRow } from './load.ts'
import type { Selection } from './selection.ts'
import { describeSelection } from './selection-parameters.ts'

/**
 * Returns a text that changes whenever the CVE object that `assemble` (record/assemble.ts) returns changes. The ETag is computed from this
 * text.
 */
export function describeVersion(row: RecordRow, selection: Selection): string {
  return [
    row.cve_key,
    row.content_hash.toString('base64'),
    row.kev_hash?.toString('base64'),
    row.enriched_at.getTime(),
    row.epss_score,
    row.epss_percentile,
    row.epss_day,
    describeSelection(selection),
  ].join(' ')
}
