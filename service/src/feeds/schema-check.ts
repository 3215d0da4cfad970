// Checks upstream records against a TypeBox schema and describes the first mismatch.
import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'

export interface SchemaCheck<T> {
  matches(raw: unknown): raw is T
  /** Only for a value for which `matches` returned false. */
  describeMismatch(raw: unknown): string
}

/** Members that the schema does not name are allowed, because upstreams add members without notice. */
export function compileSchema<const S extends TSchema>(schema: S): SchemaCheck<Static<S>> {
  const validator = Compile(schema)
  return {
    matches: (raw): raw is Static<S> => validator.Check(raw),
    describeMismatch: (raw) => {
      const [first] = validator.Errors(raw)
      return first ? `${first.instancePath || 'the record'} ${first.message}` : 'the record does not match the schema'
    },
  }
}

export const optionalOrNull = <const S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]))
