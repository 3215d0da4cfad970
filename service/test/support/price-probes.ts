// Test endpoints that cost credits: one per price in the API specification. A query parameter chooses how the request
// ends.
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { defineEndpoint, type ServedEndpoint } from '../../src/api/services.ts'
import { optional, withDefault } from '../../src/contract/request/parameters.ts'
import { integer, word } from '../../src/contract/request/value-types.ts'
import { ApiError } from '../../src/contract/response/errors.ts'

export const PRICES = [0, 0.5, 1, 2, 5, 35] as const

export const buildPricePath = (credits: number) => `/api/v1/price/${credits * 2}` as const

/** Test endpoints, one per price. The path contains the price in half credits: /api/v1/price/4 costs 2 credits. */
export const priceProbes: readonly ServedEndpoint[] = PRICES.map((credits) =>
  defineEndpoint({
    name: `price-${credits * 2}`,
    method: 'GET',
    path: buildPricePath(credits),
    tag: 'Service',
    summary: 'A test endpoint with a price',
    description: 'Exists only in tests.',
    access: 'key',
    credits,
    consumesRate: credits > 0,
    work: 'none',
    cacheControl: 'private, max-age=60',
    response: {
      name: `Price${credits * 2}`,
      schema: Type.Object({ paid: Type.Number() }, { additionalProperties: false }),
    },
    errors: ['NOT_FOUND'],
    parameters: {
      query: {
        end: withDefault(
          word(['200', '404', '500', 'hang']),
          '200',
          'How the request ends. If-None-Match leads to 304.',
        ),
        after_ms: optional(integer({ minimum: 0, maximum: 60_000 }), 'How long the request takes.'),
      },
    },
    answer: async ({ query }) => {
      if (query.after_ms) await sleep(query.after_ms)
      if (query.end === '404') throw new ApiError('NOT_FOUND', 'The probe found no record.')
      if (query.end === '500') throw new Error('The probe fails because the test requests it.')
      if (query.end === 'hang') await sleep(60_000, undefined, { ref: false })
      return { data: { paid: credits } }
    },
  }),
)
