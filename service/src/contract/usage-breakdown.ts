// The part of the contract for an account's usage by day, endpoint and key.
import { Type } from 'typebox'
import { closedObject, countSchema, daySchema, textSchema } from './response/schemas.ts'

/** Members by which usage can be grouped, in the order in which they appear in a row. */
export const USAGE_DIMENSIONS = ['day', 'endpoint', 'key'] as const

export type UsageDimension = (typeof USAGE_DIMENSIONS)[number]

export const MAX_PERIOD_DAYS = 400
/** Completes the error message "from …". */
export const PERIOD_LIMIT = `must not be after to, and the period may have at most ${MAX_PERIOD_DAYS} days`

const calls = countSchema(
  'Number of charged calls, and of free reads of the web console. Refunded calls are not counted.',
)
const credits = Type.Number({ minimum: 0, multipleOf: 0.5, description: 'Credits, exact to half a credit.' })

export const usageRowSchema = closedObject(
  {
    day: Type.Optional(daySchema('The day (UTC), if the breakdown has days.')),
    endpoint: Type.Optional(
      textSchema(
        'Name of the endpoint, as the operation id in openapi.json in kebab case, if the breakdown has endpoints. console: free reads of the web console.',
      ),
    ),
    key_id: Type.Optional(textSchema('Id of the key, if the breakdown has keys.')),
    calls,
    credits,
  },
  'Usage of one day, endpoint or key, or of a combination of them.',
  'UsageRow',
)

export const usageTotalsSchema = closedObject({ calls, credits }, 'The sums of all rows.')
