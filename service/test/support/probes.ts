// Endpoints that exist only in tests, so that rules can be shown before an endpoint of the specification needs them.
import { sql } from 'kysely'
import { Type } from 'typebox'
import { defineEndpoint } from '../../src/api/services.ts'
import { requiredList } from '../../src/contract/body.ts'
import { ApiError } from '../../src/contract/errors.ts'
import { list, optional, required, withDefault } from '../../src/contract/parameters.ts'
import { cveId, date, decimal, flag, integer, moment, text, word } from '../../src/contract/value-types.ts'

const echoSchema = Type.Object({}, { additionalProperties: true })

const usual = {
  summary: 'A probe',
  description: 'Exists only in tests.',
  access: 'key',
  credits: 0,
  consumesRate: true,
  cacheControl: 'private, max-age=60',
  errors: [],
} as const

/** Answers with what it understood of every kind of query parameter. */
export const parameterProbe = defineEndpoint({
  ...usual,
  name: 'parameter-probe',
  method: 'GET',
  path: '/api/v1/probe/parameters',
  response: { name: 'ParameterProbe', schema: echoSchema },
  parameters: {
    query: {
      q: optional(text({ maxLength: 256 }), 'Free text.'),
      ids: list(cveId(), 'Ids.', { maxItems: 3, isFaultWhenEmpty: true }),
      severity: list(word(['critical', 'high', 'medium', 'low'], { anyCase: true }), 'Levels.'),
      score_min: optional(decimal({ minimum: 0, maximum: 10 }), 'Lower bound.'),
      score_max: optional(decimal({ minimum: 0, maximum: 10 }), 'Upper bound.'),
      kev: optional(flag(), 'Membership.'),
      published_after: optional(moment(), 'From.'),
      published_before: optional(moment(), 'To.'),
      due: optional(date(), 'A day.'),
      sort: withDefault(word(['published_desc', 'published_asc']), 'published_desc', 'Order.'),
      limit: withDefault(integer({ minimum: 1, maximum: 100 }), 20, 'Page size.'),
    },
  },
  rules: [
    {
      of: ['score_min', 'score_max'],
      broken: ({ query: { score_min, score_max } }) =>
        score_min !== undefined && score_max !== undefined && score_min > score_max
          ? 'must not exceed score_max'
          : undefined,
    },
  ],
  answer: async ({ query }) => ({ data: query }),
})

/** Answers with the id in its path. */
export const pathProbe = defineEndpoint({
  ...usual,
  name: 'path-probe',
  method: 'GET',
  path: '/api/v1/probe/cve/{cve-id}',
  errors: ['NOT_FOUND'],
  response: { name: 'PathProbe', schema: echoSchema },
  parameters: {
    path: { 'cve-id': required(cveId(), 'An id.') },
    query: { fields: list(word(['cve_id', 'epss'], { anyCase: true }), 'Fields.') },
  },
  answer: async ({ path, query }) => ({ data: { path, query } }),
})

/** Answers with what it understood of a body. */
export const bodyProbe = defineEndpoint({
  ...usual,
  name: 'body-probe',
  method: 'POST',
  path: '/api/v1/probe/cve/batch',
  response: { name: 'BodyProbe', schema: echoSchema },
  body: { cve_ids: requiredList(cveId(), { description: 'Ids.', minItems: 1, maxItems: 3 }) },
  answer: async ({ body }) => ({ data: body }),
})

let served = 0

/** Always the same data, but for one volatile member that its ETag leaves out. */
export const etagProbe = defineEndpoint({
  ...usual,
  name: 'etag-probe',
  method: 'GET',
  path: '/api/v1/probe/etag',
  response: { name: 'EtagProbe', schema: echoSchema },
  parameters: { query: { colour: withDefault(text({ maxLength: 20 }), 'red', 'What to paint.') } },
  answer: async ({ query: { colour } }) => {
    served += 1
    return { data: { colour, served }, etagOf: colour }
  },
})

/** Fails in the way that is asked for. */
export const failureProbe = defineEndpoint({
  ...usual,
  name: 'failure-probe',
  method: 'GET',
  path: '/api/v1/probe/failure',
  response: { name: 'FailureProbe', schema: echoSchema },
  errors: ['NOT_FOUND', 'QUERY_TIMEOUT'],
  parameters: { query: { how: required(word(['not-found', 'bug', 'slow-query', 'locked-out']), 'How to fail.') } },
  answer: async ({ query: { how } }, { db }) => {
    switch (how) {
      case 'not-found':
        throw new ApiError('NOT_FOUND', 'There is nothing here.')
      case 'bug':
        throw new TypeError('the secret of the house')
      case 'slow-query':
        await sql`select pg_sleep(5)`.execute(db)
        return { data: {} }
      case 'locked-out':
        await sql`select no_such_column from catalog.dataset`.execute(db)
        return { data: {} }
    }
  },
})

export const probes = [parameterProbe, pathProbe, bodyProbe, etagProbe, failureProbe]
