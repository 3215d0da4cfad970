// JSON schemas that all endpoints share: times, counts, `meta` and the error body.
import { type TProperties, Type } from 'typebox'
import { ERRORS } from './errors.ts'
import { loadingSchema } from './loading.ts'

const closed = { additionalProperties: false }

export const instantSchema = (description = 'A time in UTC, in whole seconds.') =>
  Type.String({
    format: 'date-time',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$',
    title: 'Time',
    description,
  })

export const daySchema = (description: string) =>
  Type.String({ format: 'date', pattern: '^\\d{4}-\\d\\d-\\d\\d$', title: 'Day', description })

export const textSchema = (description: string) => Type.String({ description })

export const flagSchema = (description: string) => Type.Boolean({ description })

export const countSchema = (description: string) => Type.Integer({ minimum: 0, title: 'Count', description })

/**
 * Creates the schema for an object that has the given members and no others. A schema with a title becomes a component
 * of openapi.json under that name, so that a schema used several times is written once.
 */
export const closedObject = <P extends TProperties>(members: P, description: string, title?: string) =>
  Type.Object(members, { ...closed, description, ...(title !== undefined && { title }) })

/** Makes a schema accept null too, as `type: [T, 'null']`, which OpenAPI 3.1 tools display better than a union. */
export function orNull<T extends { readonly type: string; readonly title?: string }>(schema: T) {
  const { type, title } = schema
  // Times, days and counts exist in both variants, with and without null.
  const hasBoth = title !== undefined && type !== 'object'
  return { ...schema, type: [type, 'null'], ...(hasBoth && { title: `${title}OrNull` }) }
}

/**
 * Creates the schema for a value that is one of the listed words or null. The `enum` must list null too; otherwise
 * validators would reject null.
 */
export const wordOrNull = (words: readonly string[], description: string) =>
  orNull(Type.String({ enum: [...words, null], description }))

export const meta = Type.Object(
  {
    timestamp: instantSchema('The time of the response, in UTC and whole seconds.'),
    version: Type.Literal('v1', { description: 'The version of the API.' }),
    correlationId: Type.String({
      pattern: '^req_[0-9a-f-]{36}$',
      description: 'The id of the request. Also in the X-Correlation-Id header and in the server log.',
    }),
    loading: Type.Optional(loadingSchema),
  },
  closed,
)

const issueSchema = Type.Object(
  {
    parameter: Type.String({ description: 'The name of the parameter or body field.' }),
    value: Type.Unknown({ description: 'The value as sent, truncated to 200 characters.' }),
    message: Type.String({ minLength: 1, description: 'The problem, as a sentence without its subject.' }),
    allowed: Type.Array(Type.String(), {
      description: 'The values that would be accepted, or one phrase that describes them.',
    }),
    suggestion: Type.Optional(Type.String({ description: 'The accepted value or name that is most similar.' })),
  },
  closed,
)

export const errorBody = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.Enum(Object.keys(ERRORS), { description: 'The kind of error, for programs.' }),
        message: Type.String({ minLength: 1, description: 'The error as a sentence, for people.' }),
        parameter: Type.Optional(Type.String({ description: 'The first invalid parameter.' })),
        value: Type.Optional(
          Type.Unknown({ description: 'The value of that parameter as sent, truncated to 200 characters.' }),
        ),
        details: Type.Optional(
          Type.Object(
            {
              errors: Type.Optional(
                Type.Array(issueSchema, {
                  minItems: 1,
                  description: 'Every invalid parameter, as far as the body stays below 8 KiB. Only in 400 responses.',
                }),
              ),
              omitted_errors: Type.Optional(
                Type.Integer({
                  minimum: 1,
                  description: 'The number of invalid parameters that `errors` omits to keep the body small.',
                }),
              ),
            },
            {
              additionalProperties: true,
              description: 'Facts about the error. The members depend on the code.',
            },
          ),
        ),
      },
      closed,
    ),
    meta: Type.Unsafe({ $ref: '#/components/schemas/Meta' }),
  },
  closed,
)
