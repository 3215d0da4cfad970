// One endpoint for each price of the specification, each able to end in every way: for tests of credits, before the
// endpoints that have prices exist.
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { defineEndpoint, type ServedEndpoint } from '../../src/api/services.ts'
import { ApiError } from '../../src/contract/errors.ts'
import { optional, withDefault } from '../../src/contract/parameters.ts'
import { integer, word } from '../../src/contract/value-types.ts'

export const PRICES = [0, 0.5, 1, 2, 5, 35] as const

export const pathOfPrice = (credits: number) => `/api/v1/price/${credits * 2}` as const

/** A price of 2 credits stands at /api/v1/price/4: the half-credits are in the path. */
export const priceProbes: readonly ServedEndpoint[] = PRICES.map((credits) =>
  defineEndpoint({
    name: `price-${credits * 2}`,
    method: 'GET',
    path: pathOfPrice(credits),
    summary: 'A probe with a price',
    description: 'Exists only in tests.',
    access: 'key',
    credits,
    consumesRate: credits > 0,
    cacheControl: 'private, max-age=60',
    response: {
      name: `Price${credits * 2}`,
      schema: Type.Object({ paid: Type.Number() }, { additionalProperties: false }),
    },
    errors: ['NOT_FOUND'],
    parameters: {
      query: {
        end: withDefault(word(['200', '404', '500', 'hang']), '200', 'How to end. 304 comes from If-None-Match.'),
        after_ms: optional(integer({ minimum: 0, maximum: 60_000 }), 'How long to take.'),
      },
    },
    answer: async ({ query }) => {
      if (query.after_ms) await sleep(query.after_ms)
      if (query.end === '404') throw new ApiError('NOT_FOUND', 'There is nothing here.')
      if (query.end === '500') throw new Error('a probe was told to fail')
      if (query.end === 'hang') await sleep(60_000, undefined, { ref: false })
      return { data: { paid: credits } }
    },
  }),
)
