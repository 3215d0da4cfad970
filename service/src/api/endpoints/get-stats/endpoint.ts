import { Type } from 'typebox'
import { formatInstant } from '../../../domain/instant.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }
import { countWindows, readTotals } from './query.ts'
import { statisticsSchema } from './schema.ts'

export const getStats = defineEndpoint({
  name: 'get-stats',
  method: 'GET',
  path: '/api/v1/stats',
  tag: 'Service',
  summary: 'Get totals of the catalog',
  description:
    'Totals over all CVEs. They are updated whenever data changes. The counts of the last 24 hours, 7 days and 30 days are up to one minute old.',
  access: 'key',
  credits: 0.5,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'none',
  cacheControl: 'private, max-age=60',
  response: { name: 'Stats', schema: Type.Object({ stats: statisticsSchema }, { additionalProperties: false }) },
  example,
  errors: [],
  answer: async (_input, { checks, now }) => {
    const [totals, windows] = await Promise.all([readTotals(checks, now), countWindows(checks, now)])
    return {
      data: {
        stats: {
          totalCves: totals.totalCves,
          cvesLast24Hours: windows.last24Hours,
          cvesLast7Days: windows.last7Days,
          cvesLast30Days: windows.last30Days,
          totalKev: totals.totalKev,
          totalWithEpss: totals.totalWithEpss,
          totalWithAcsc: totals.totalWithAcsc,
          averageEpssScore: Math.round(totals.averageEpss * 100_000) / 100_000,
          lastUpdated: totals.lastUpdated && formatInstant(totals.lastUpdated),
        },
      },
    }
  },
})
