// Shapes that every endpoint shares.
import { type TProperties, Type } from 'typebox'
import { ERRORS } from './errors.ts'

const closed = { additionalProperties: false }

export const instantSchema = (description = 'UTC, whole seconds.') =>
  Type.String({
    format: 'date-time',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$',
    description,
  })

export const daySchema = (description: string) =>
  Type.String({ format: 'date', pattern: '^\\d{4}-\\d\\d-\\d\\d$', description })

export const textSchema = (description: string) => Type.String({ description })

export const flagSchema = (description: string) => Type.Boolean({ description })

export const countSchema = (description: string) => Type.Integer({ minimum: 0, description })

/** An object with these members and no others. */
export const closedObject = <P extends TProperties>(members: P, description: string) =>
  Type.Object(members, { ...closed, description })

/** `T` or null, in the form that serialises fastest and reads best in OpenAPI 3.1. */
export function orNull<T extends { readonly type: string }>(schema: T) {
  return { ...schema, type: [schema.type, 'null'] }
}

/** One of a few words, or null: which an enumeration must name, or it would refuse it. */
export const wordOrNull = (words: readonly string[], description: string) =>
  orNull(Type.String({ enum: [...words, null], description }))

export const meta = Type.Object(
  {
    timestamp: instantSchema(),
    version: Type.Literal('v1'),
    correlationId: Type.String({
      pattern: '^req_[0-9a-f-]{36}$',
      description: 'Also in X-Correlation-Id and in our logs.',
    }),
  },
  closed,
)

const faultSchema = Type.Object(
  {
    parameter: Type.String(),
    value: Type.Unknown({ description: 'As sent, cut at 200 characters.' }),
    message: Type.String({ minLength: 1 }),
    allowed: Type.Array(Type.String()),
    did_you_mean: Type.Optional(Type.String()),
  },
  closed,
)

export const errorBody = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.Enum(Object.keys(ERRORS)),
        message: Type.String({ minLength: 1 }),
        parameter: Type.Optional(Type.String({ description: 'The first faulty parameter.' })),
        value: Type.Optional(Type.Unknown({ description: 'Its value as sent, cut at 200 characters.' })),
        details: Type.Optional(
          Type.Object(
            { errors: Type.Optional(Type.Array(faultSchema, { minItems: 1 })) },
            {
              additionalProperties: true,
              description: 'errors lists every fault of a 400; other errors have members of their own.',
            },
          ),
        ),
      },
      closed,
    ),
    meta,
  },
  closed,
)
