// Checks upstream records against a TypeBox schema and describes the first mismatch.
import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'

export interface SchemaCheck<T> {
  matches(raw: unknown): raw is T
  /** Call it only for a value that `matches` has rejected. */
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

export type Matched<S> = S extends { matches(raw: unknown): raw is infer T } ? T : never

/** HTTP validators, which make the next request conditional. */
export const httpValidators = Type.Object({
  etag: Type.Optional(Type.String()),
  lastModified: Type.Optional(Type.String()),
})

export function readMember(record: unknown, name: string): unknown {
  return typeof record === 'object' && record !== null ? (record as Record<string, unknown>)[name] : undefined
}

/** Reads a string from an unchecked record, for example the id by which a rejection names the record. */
export function readText(record: unknown, ...path: readonly string[]): string | undefined {
  const value = path.reduce(readMember, record)
  return typeof value === 'string' ? value : undefined
}
