// The record of a CVE on an earlier day: the members of a CVE, of which some may be known only in part (ADR 0033).
import { type TObject, type TSchema, Type } from 'typebox'
import { closedObject } from '../response/schemas.ts'
import { CVE_FIELD_NAMES, type CveField, epssSchema, isAvailableIn, listFieldSchemas } from './cve-fields.ts'
import { enrichmentContentSchema, enrichmentSchema } from './enrichment.ts'
import { kevSummarySchema } from './kev.ts'

const AS_FAR_AS_KNOWN = 'As far as it is known for the day; unknown names the other members.'

const PARTIAL_SCHEMAS: Partial<Record<CveField, TSchema>> = {
  kev: makePartial(kevSummarySchema, "The CVE's entry in the KEV catalog.", 'PastKev'),
  epss: makePartial(epssSchema, "FIRST's estimate of the probability of exploitation.", 'PastEpss'),
  enrichment: Type.Union(
    [makePartial(enrichmentSchema, 'Facts derived from all sources together.', 'PastEnrichment'), Type.Null()],
    { description: AS_FAR_AS_KNOWN },
  ),
}

/** The names of the parts of those members of which a record may have only some parts. */
export const PARTS_OF_MEMBERS: Partial<Record<CveField, readonly string[]>> = {
  kev: Object.keys(kevSummarySchema.properties),
  epss: Object.keys(epssSchema.properties),
  enrichment: [...Object.keys(enrichmentContentSchema.properties), 'enriched_at'],
}

function makePartial({ properties }: TObject, description: string, title: string): TObject {
  const members = Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)] as const)
  return closedObject(Object.fromEntries(members), `${description} ${AS_FAR_AS_KNOWN}`, title)
}

export const pastCveSchema = closedObject(
  Object.fromEntries(
    CVE_FIELD_NAMES.filter((field) => isAvailableIn(field, 'single')).flatMap((field) =>
      listFieldSchemas(field, 'single').map(([name, schema]) => [
        name,
        Type.Optional(PARTIAL_SCHEMAS[field] ?? schema),
      ]),
    ),
  ),
  'A CVE on an earlier day. A member is absent if the CVE did not have it or if it is not known for that day: unknown says which.',
  'PastCve',
)
