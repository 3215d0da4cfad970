// Raw ATT&CK techniques and CAPEC patterns, either as STIX objects from MITRE or as the plain objects of a third-party
// file.
import { Type } from 'typebox'
import { compileSchema, readText } from '../../schema-check.ts'

export const TECHNIQUE_ID = /^T\d{4}(?:\.\d{3})?$/
export const CAPEC_ID = /^CAPEC-[1-9]\d{0,5}$/
export const CWE_ID = /^CWE-[1-9]\d{0,5}$/

export interface RawPattern {
  readonly format: 'stix' | 'plain'
  readonly object: unknown
}

const REFERENCES = compileSchema(
  Type.Object({
    external_references: Type.Array(
      Type.Object({ source_name: Type.String(), external_id: Type.Optional(Type.String()) }),
    ),
  }),
)

/** For the source that published the object, the first id is the id of the object itself. */
export function listExternalIds(source: string, object: unknown): string[] {
  if (!REFERENCES.matches(object)) return []
  return object.external_references.flatMap((each) =>
    each.source_name === source && each.external_id !== undefined ? [each.external_id] : [],
  )
}

export function findName(object: unknown): string {
  return readText(object, 'id') || readText(object, 'name') || 'an entry without an id'
}

/** Sorts the ids, so that the STIX format and the plain format give the same order. */
export function sortIds(ids: readonly string[]): string[] {
  return [...new Set(ids)].toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
}
