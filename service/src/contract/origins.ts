// The part of the contract for an account's browser origins (decision A13).
import { Type } from 'typebox'
import { toOrigin } from '../domain/account/origin.ts'
import { formatInstant } from '../domain/instant.ts'
import type { ValueType } from './request/value-types.ts'
import { ApiError } from './response/errors.ts'
import { closedObject, instantSchema, orNull } from './response/schemas.ts'

const EXAMPLE = 'https://app.example'
const MAX_ORIGIN_LENGTH = 300

/** An origin in the exact form that browsers send, because origins are compared as text. */
export function originType(): ValueType<string> {
  return {
    schema: Type.String({ maxLength: MAX_ORIGIN_LENGTH, examples: [EXAMPLE] }),
    expects:
      'an origin as browsers send it: scheme, host and, unless it is the default, the port, such as https://app.example or http://localhost:8080',
    example: EXAMPLE,
    parse: (sent) => (sent.length <= MAX_ORIGIN_LENGTH && toOrigin(sent) === sent ? sent : undefined),
    suggest: (sent) => (sent.length <= MAX_ORIGIN_LENGTH ? toOrigin(sent) : undefined),
  }
}

export const originListSchema = closedObject(
  {
    origins: Type.Array(
      closedObject(
        {
          origin: Type.String({ description: 'The origin.', examples: [EXAMPLE] }),
          created_at: orNull(instantSchema('When the origin was added; null if the time was not recorded.')),
        },
        'A browser origin.',
        'Origin',
      ),
      { description: 'The browser origins in alphabetical order.' },
    ),
  },
  'The browser origins of the account.',
)

interface Origin {
  readonly origin: string
  readonly createdAt: Date | null
}

export function renderOrigins(origins: readonly Origin[]) {
  return {
    origins: origins.map(({ origin, createdAt }) => ({ origin, created_at: createdAt && formatInstant(createdAt) })),
  }
}

const MAX_ORIGINS = 20

export function tooManyOrigins(): ApiError {
  return new ApiError(
    'CONFLICT',
    `The account has ${MAX_ORIGINS} browser origins, which is the limit. Remove one that is not used any more, then try again.`,
    { details: { limit: MAX_ORIGINS } },
  )
}

export function noSuchOrigin(origin: string): ApiError {
  return new ApiError('NOT_FOUND', `This account has no origin ${origin}. GET /api/v1/origins lists its origins.`)
}
