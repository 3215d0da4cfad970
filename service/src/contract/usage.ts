// The `usage` object of /api/v1/usage, which is also printed by operator commands.
import { Type } from 'typebox'
import { toCreditFigures } from '../domain/account/credits.ts'
import { PLAN_NAMES } from '../domain/account/plan.ts'
import { formatInstant } from '../domain/instant.ts'
import { instantSchema } from './response/schemas.ts'

export const usageSchema = Type.Object(
  {
    plan: Type.Enum(PLAN_NAMES, { description: 'The plan of the account.' }),
    credits_limit: Type.Integer({ minimum: 0, description: 'Credits per calendar month.' }),
    credits_used: Type.Integer({
      minimum: 0,
      description: 'Credits used in this calendar month, rounded up to whole credits.',
    }),
    credits_remaining: Type.Integer({ minimum: 0, description: 'Credits left in this calendar month.' }),
    reset_at: instantSchema('When the next calendar month begins, in UTC.'),
    percentage_used: Type.Number({
      minimum: 0,
      maximum: 100,
      description: 'Share of the credits that is used, in percent with two decimals, computed before rounding.',
    }),
  },
  { additionalProperties: false },
)

interface Usage {
  readonly plan: string
  readonly limitHalf: number
  readonly usedHalf: number
  readonly resetAt: Date
}

export function renderUsage({ plan, limitHalf, usedHalf, resetAt }: Usage) {
  const figures = toCreditFigures(usedHalf, limitHalf)
  return {
    plan,
    credits_limit: figures.limit,
    credits_used: figures.used,
    credits_remaining: figures.remaining,
    reset_at: formatInstant(resetAt),
    percentage_used: figures.percentageUsed,
  }
}
