// Whether something from outside has the form that we rely on, and if not, where it differs.
import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'

export interface Shape<T> {
  fits(raw: unknown): raw is T
  /** For a value that does not fit: where, and why. */
  fault(raw: unknown): string
}

/** Members that the schema does not name are allowed, and stay: upstreams add some without asking. */
export function shapeOf<const S extends TSchema>(schema: S): Shape<Static<S>> {
  const validator = Compile(schema)
  return {
    fits: (raw): raw is Static<S> => validator.Check(raw),
    fault: (raw) => {
      const [first] = validator.Errors(raw)
      return first ? `${first.instancePath || 'the record'} ${first.message}` : 'it has another form than expected'
    },
  }
}

/** A member that may be missing, or be there and say nothing. */
export const orNull = <const S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]))
