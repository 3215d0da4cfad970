// Techniques and attack patterns come in two forms: as STIX objects, as MITRE publishes them, or as plain ones, as
// others pass them on.
import { Type } from 'typebox'
import { shapeOf } from '../../schema-check.ts'

export interface RawPattern {
  readonly form: 'stix' | 'plain'
  readonly said: unknown
}

const REFERENCES = shapeOf(
  Type.Object({
    external_references: Type.Array(
      Type.Object({ source_name: Type.String(), external_id: Type.Optional(Type.String()) }),
    ),
  }),
)

/** What a STIX object is called by others; the first is its own id, where the other is its maker. */
export function idsBy(source: string, said: unknown): string[] {
  if (!REFERENCES.fits(said)) return []
  return said.external_references.flatMap((each) =>
    each.source_name === source && each.external_id !== undefined ? [each.external_id] : [],
  )
}

/** For a rejection: by which name the object can be found. */
export function nameOf(said: unknown): string {
  for (const member of ['id', 'name']) {
    const value: unknown = typeof said === 'object' && said !== null ? Reflect.get(said, member) : undefined
    if (typeof value === 'string' && value !== '') return value
  }
  return 'an entry without an id'
}
