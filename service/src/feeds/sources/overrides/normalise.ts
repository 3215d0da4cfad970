import { Type } from 'typebox'
import { parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { parseDateTime, UNDATED } from '../../../domain/instant.ts'
import type { Rejected } from '../../feed.ts'
import { compileSchema, optionalOrNull } from '../../schema-check.ts'
import { type SourceRow, toSourceRow } from '../../stores/source-record.ts'

const OVERRIDE = compileSchema(
  Type.Object({
    _annotation: Type.Object({ cve_id: Type.String(), modified: optionalOrNull(Type.String()) }),
    cve: Type.Object({ configurations: Type.Optional(Type.Array(Type.Object({}))) }),
  }),
)

export function normaliseOverride(raw: unknown, now: Date): SourceRow | Rejected {
  const rejected = readId(raw)
  if (!OVERRIDE.matches(raw)) return { rejected, reason: OVERRIDE.describeMismatch(raw) }
  const { cve_id: id, modified: date } = raw._annotation
  const cveId = parseCanonicalCveId(id)
  if (!cveId) return { rejected, reason: 'not a CVE id' }
  // A quarter of the overrides (Anchore's corrections of NVD records) have no date. They never replace a dated one.
  const modified = date ? parseDateTime(date) : UNDATED
  if (!modified) return { rejected, reason: `_annotation.modified is not a valid date-time: "${date}"` }
  return toSourceRow(cveId, modified, { value: raw, score: null }, now)
}

function readId(raw: unknown): string {
  const annotation = typeof raw === 'object' && raw !== null && '_annotation' in raw ? raw._annotation : undefined
  const isNamed = typeof annotation === 'object' && annotation !== null && 'cve_id' in annotation
  return isNamed && typeof annotation.cve_id === 'string' ? annotation.cve_id : 'an override without an id'
}
