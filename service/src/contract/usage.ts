// The usage object, as /api/v1/usage and the operators' commands show it.
import { Type } from 'typebox'
import { creditFigures } from '../domain/credits.ts'
import { formatInstant } from '../domain/instant.ts'
import { PLAN_NAMES } from '../domain/plan.ts'
import { instantSchema } from './schemas.ts'

export const usageSchema = Type.Object(
  {
    plan: Type.Enum(PLAN_NAMES),
    credits_limit: Type.Integer({ minimum: 0 }),
    credits_used: Type.Integer({ minimum: 0, description: 'Half a credit counts as one.' }),
    credits_remaining: Type.Integer({ minimum: 0 }),
    reset_at: instantSchema(),
    percentage_used: Type.Number({ minimum: 0, maximum: 100, description: 'From the exact value, two decimals.' }),
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
  const figures = creditFigures(usedHalf, limitHalf)
  return {
    plan,
    credits_limit: figures.limit,
    credits_used: figures.used,
    credits_remaining: figures.remaining,
    reset_at: formatInstant(resetAt),
    percentage_used: figures.percentageUsed,
  }
}
