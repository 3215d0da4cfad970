import { Type } from 'typebox'
import { type OwnUsage, readOwnUsage } from '../../../accounts/credits/own-usage.ts'
import { list, optional } from '../../../contract/request/parameters.ts'
import { createIssue } from '../../../contract/request/validation-issue.ts'
import { date, word } from '../../../contract/request/value-types.ts'
import { invalidParameters } from '../../../contract/response/errors.ts'
import { closedObject, daySchema } from '../../../contract/response/schemas.ts'
import {
  MAX_PERIOD_DAYS,
  PERIOD_LIMIT,
  USAGE_DIMENSIONS,
  type UsageDimension,
  usageRowSchema,
  usageTotalsSchema,
} from '../../../contract/usage-breakdown.ts'
import { actForCaller } from '../../self-service/act.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

const MAX_ROWS = 10_000
const DAY_MS = 86_400_000

export const getUsageBreakdown = defineEndpoint({
  name: 'get-usage-breakdown',
  method: 'GET',
  path: '/api/v1/usage/breakdown',
  tag: 'Account',
  summary: 'Get usage by day, endpoint and key',
  description: `Calls and credits of the account in a period of at most ${MAX_PERIOD_DAYS} days (UTC), including today's. The credits of a calendar month are exactly those of /api/v1/usage. Refunded calls are not counted. Reads of the web console are calls of the endpoint console, which cost nothing. Calls of free endpoints are not listed. Free of charge.`,
  access: 'key',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: {
    name: 'UsageBreakdown',
    schema: closedObject(
      {
        from: daySchema('First day of the period.'),
        to: daySchema('Last day of the period.'),
        by: Type.Array(Type.Enum([...USAGE_DIMENSIONS]), { description: 'What the rows are broken down by.' }),
        rows: Type.Array(usageRowSchema, { description: 'The rows, in the order of day, endpoint and key.' }),
        totals: usageTotalsSchema,
      },
      'The usage of the account in a period.',
    ),
  },
  example,
  errors: [],
  parameters: {
    query: {
      by: list(word(USAGE_DIMENSIONS), 'What to break the usage down by; several are combined. Without it: day.', {
        example: ['day', 'key'],
      }),
      from: optional(date(), 'First day of the period (UTC); without it, the first day of the month of `to`.'),
      to: optional(date(), 'Last day of the period (UTC); without it, today.'),
    },
  },
  rules: [
    {
      parameters: ['from', 'to'],
      check: ({ query: { from, to } }) => {
        if (!from || !to) return undefined
        const days = (to.getTime() - from.getTime()) / DAY_MS + 1
        return days >= 1 && days <= MAX_PERIOD_DAYS ? undefined : PERIOD_LIMIT
      },
    },
  ],
  answer: async ({ query }, services) => {
    const by = USAGE_DIMENSIONS.filter((name) => (query.by ?? ['day']).includes(name))
    const period = { from: query.from && formatDay(query.from), to: query.to && formatDay(query.to) }
    const usage = await actForCaller(services, (accounts, credential) =>
      readOwnUsage(accounts, credential, period, by, MAX_ROWS),
    )
    if (usage.rows.length > MAX_ROWS)
      throw invalidParameters([
        createIssue('by', by.join(','), `a breakdown with at most ${MAX_ROWS} rows: choose fewer dimensions or days`),
      ])
    return { data: render(usage, by) }
  },
})

const formatDay = (day: Date) => day.toISOString().slice(0, 10)

function render({ from, to, rows }: OwnUsage, by: readonly UsageDimension[]) {
  const sum = (column: 'calls' | 'costHalf') => rows.reduce((total, row) => total + row[column], 0)
  return {
    from,
    to,
    by,
    rows: rows.map((row) => ({
      ...(row.day !== null && { day: row.day }),
      ...(row.endpoint !== null && { endpoint: row.endpoint }),
      ...(row.keyId !== null && { key_id: row.keyId }),
      calls: row.calls,
      credits: row.costHalf / 2,
    })),
    totals: { calls: sum('calls'), credits: sum('costHalf') / 2 },
  }
}
