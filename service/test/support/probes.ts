// Endpoints that exist only in tests. The test endpoints exercise API rules that no real endpoint exercises in
// isolation.
import { sql } from 'kysely'
import { Type } from 'typebox'
import { defineEndpoint } from '../../src/api/services.ts'
import { object, objects, optionalField, requiredField, requiredList } from '../../src/contract/request/body.ts'
import { list, optional, required, withDefault } from '../../src/contract/request/parameters.ts'
import { cveId, date, decimal, flag, integer, moment, text, word } from '../../src/contract/request/value-types.ts'
import { ApiError } from '../../src/contract/response/errors.ts'

const echoSchema = Type.Object({}, { additionalProperties: true })

const defaults = {
  tag: 'Service',
  summary: 'A test endpoint',
  description: 'Exists only in tests.',
  access: 'key',
  credits: 0,
  consumesRate: true,
  work: 'record',
  cacheControl: 'private, max-age=60',
  errors: [],
} as const

/** Test endpoint that returns its parsed query parameters, one of each type. */
export const parameterProbe = defineEndpoint({
  ...defaults,
  name: 'parameter-probe',
  method: 'GET',
  path: '/api/v1/probe/parameters',
  response: { name: 'ParameterProbe', schema: echoSchema },
  parameters: {
    query: {
      q: optional(text({ maxLength: 256 }), 'Free text.'),
      ids: list(cveId(), 'Ids.', { maxItems: 3, rejectsEmpty: true }),
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
      parameters: ['score_min', 'score_max'],
      check: ({ query: { score_min, score_max } }) =>
        score_min !== undefined && score_max !== undefined && score_min > score_max
          ? 'must not exceed score_max'
          : undefined,
    },
  ],
  answer: async ({ query }) => ({ data: query }),
})

/** Test endpoint that returns its parsed path and query parameters. */
const pathProbe = defineEndpoint({
  ...defaults,
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

/** Test endpoint that returns its parsed request body. */
export const bodyProbe = defineEndpoint({
  ...defaults,
  name: 'body-probe',
  method: 'POST',
  path: '/api/v1/probe/cve/batch',
  response: { name: 'BodyProbe', schema: echoSchema },
  body: { cve_ids: requiredList(cveId(), { description: 'Ids.', minItems: 1, maxItems: 3 }) },
  answer: async ({ body }) => ({ data: body }),
})

/** Test endpoint with objects in its body and a body limit of its own. It returns its parsed request body. */
export const objectsProbe = defineEndpoint({
  ...defaults,
  name: 'objects-probe',
  method: 'POST',
  path: '/api/v1/probe/objects',
  response: { name: 'ObjectsProbe', schema: echoSchema },
  body: {
    items: objects(
      {
        cve_id: requiredField(cveId(), 'An id.'),
        exposure: optionalField(word(['exposed', 'internal']), 'Exposure.'),
        score: optionalField(decimal({ minimum: 0, maximum: 10 }), 'Score.'),
      },
      { description: 'Items.', minItems: 1, maxItems: 500 },
    ),
    context: object(
      {
        exposure: optionalField(word(['exposed', 'internal']), 'Exposure.'),
        is_strict: optionalField(flag(), 'A flag.'),
      },
      'Context.',
    ),
    limit: optionalField(integer({ minimum: 1, maximum: 500 }), 'Limit.'),
  },
  bodyLimit: 256 * 1024,
  rules: [{ parameters: ['items', 'limit'], check: ({ body }) => checkLimit(body.limit, body.items.length) }],
  answer: async ({ body }) => ({ data: body }),
})

function checkLimit(limit: number | undefined, count: number): string | undefined {
  return limit !== undefined && limit > count ? 'must have at least limit entries' : undefined
}

let served = 0

/** Test endpoint that returns the same data each time, except for one counter that is not part of the ETag. */
export const etagProbe = defineEndpoint({
  ...defaults,
  name: 'etag-probe',
  method: 'GET',
  path: '/api/v1/probe/etag',
  response: { name: 'EtagProbe', schema: echoSchema },
  parameters: { query: { colour: withDefault(text({ maxLength: 20 }), 'red', 'Any color.') } },
  answer: async ({ query: { colour } }) => {
    served += 1
    return { data: { colour, served }, etagSource: colour }
  },
})

/** Test endpoint that fails in the way that a query parameter names. */
export const failureProbe = defineEndpoint({
  ...defaults,
  name: 'failure-probe',
  method: 'GET',
  path: '/api/v1/probe/failure',
  response: { name: 'FailureProbe', schema: echoSchema },
  errors: ['NOT_FOUND', 'QUERY_TIMEOUT'],
  parameters: { query: { how: required(word(['not-found', 'bug', 'slow-query', 'locked-out']), 'How to fail.') } },
  answer: async ({ query: { how } }, { db }) => {
    switch (how) {
      case 'not-found':
        throw new ApiError('NOT_FOUND', 'The probe found no record.')
      case 'bug':
        throw new TypeError('an internal detail that clients must not see')
      case 'slow-query':
        await sql`select pg_sleep(30)`.execute(db)
        return { data: {} }
      case 'locked-out':
        await sql`select no_such_column from catalog.dataset`.execute(db)
        return { data: {} }
    }
  },
})

/** Test endpoint that returns a list of strings, about `kilobytes` in total, in several chunks. */
export const largeProbe = defineEndpoint({
  ...defaults,
  name: 'large-probe',
  method: 'GET',
  path: '/api/v1/probe/large',
  credits: 1,
  work: 'none',
  response: { name: 'LargeProbe', schema: Type.Array(Type.String()) },
  parameters: { query: { kilobytes: required(integer({ minimum: 1, maximum: 100_000 }), 'Size.') } },
  estimateBytes: ({ query: { kilobytes } }) => kilobytes * 1000,
  answer: async ({ query: { kilobytes } }) => ({ json: buildLargeList(kilobytes) }),
})

/** Builds a JSON list of texts with ASCII letters, umlauts and emoji, of 1 kB and 100 kB in turns. */
export function buildLargeList(kilobytes: number): string[] {
  const texts: string[] = []
  for (let left = kilobytes; left > 0; ) {
    const size = Math.min(left, texts.length % 2 === 0 ? 1 : 100)
    texts.push(JSON.stringify(`${texts.length} ${'abcdefgü🛡'.repeat(size * 77)}`))
    left -= size
  }
  return ['[', ...texts.map((text, index) => (index === 0 ? text : `,${text}`)), ']']
}

export const probes = [parameterProbe, pathProbe, bodyProbe, etagProbe, failureProbe]
