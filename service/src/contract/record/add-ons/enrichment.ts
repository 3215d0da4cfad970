// The add-on `enrichment`. Its column holds the object without `enriched_at`, the time of its last change, which
// depends on what the catalog held before.
import { formatInstant } from '../../../domain/instant.ts'
import { orNull } from '../../response/schemas.ts'
import { defineAddOn } from '../cve-member.ts'
import { enrichmentSchema } from '../enrichment.ts'

export const enrichment = defineAddOn({
  name: 'enrichment',
  schema: orNull(enrichmentSchema),
  columns: ['enrichment'],
  alsoReads: ['enriched_at'],
  render: (row) => row.enriched_at && completeEnrichment(row.enrichment ?? 'null', row.enriched_at),
})

/** Adds `enriched_at` and the optional members in `more` to the stored JSON text of the enrichment object. */
export function completeEnrichment(stored: string, enrichedAt: Date, more = ''): string {
  if (stored === 'null') return 'null'
  return `${stored.slice(0, -1)},"enriched_at":"${formatInstant(enrichedAt)}"${more}}`
}
