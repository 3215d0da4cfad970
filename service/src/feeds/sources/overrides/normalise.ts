import { Type } from 'typebox'
import { parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { parseDateTime } from '../../../domain/instant.ts'
import type { Rejected } from '../../feed.ts'
import { orNull, shapeOf } from '../../schema-check.ts'
import { type SourceRow, sourceRow } from '../../stores/source-record.ts'

const OVERRIDE = shapeOf(
  Type.Object({
    _annotation: Type.Object({ cve_id: Type.String(), modified: orNull(Type.String()) }),
    cve: Type.Object({ configurations: Type.Optional(Type.Array(Type.Object({}))) }),
  }),
)

/** A quarter of them has no date. Such a one is older than any that has: it never comes before one with a date. */
const UNDATED = new Date(0)

export function normaliseOverride(raw: unknown, now: Date): SourceRow | Rejected {
  const rejected = idOf(raw)
  if (!OVERRIDE.fits(raw)) return { rejected, reason: OVERRIDE.fault(raw) }
  const { cve_id: id, modified: said } = raw._annotation
  const cveId = parseCanonicalCveId(id)
  if (!cveId) return { rejected, reason: 'not a CVE id' }
  const modified = said ? parseDateTime(said) : UNDATED
  if (!modified) return { rejected, reason: `_annotation.modified is no date: "${said}"` }
  return sourceRow(cveId, modified, { value: raw, score: null }, now)
}

function idOf(raw: unknown): string {
  const annotation = typeof raw === 'object' && raw !== null && '_annotation' in raw ? raw._annotation : undefined
  const isNamed = typeof annotation === 'object' && annotation !== null && 'cve_id' in annotation
  return isNamed && typeof annotation.cve_id === 'string' ? annotation.cve_id : 'an override without an id'
}
