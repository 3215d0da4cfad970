// Totals over everything that is published (decisions C20, D17).
import { Type } from 'typebox'
import { closedObject, countSchema, instantSchema, orNull } from './schemas.ts'

export const statisticsSchema = closedObject(
  {
    totalCves: countSchema('CVEs, also rejected ones.'),
    cvesLast24Hours: countSchema('CVEs published within the last 24 hours.'),
    cvesLast7Days: countSchema('CVEs published within the last 7 days.'),
    cvesLast30Days: countSchema('CVEs published within the last 30 days.'),
    totalKev: countSchema("Entries of CISA's catalogue of known exploited vulnerabilities."),
    totalWithEpss: countSchema('CVEs that have an EPSS score.'),
    totalWithAcsc: countSchema('CVEs that a notice of the ACSC names.'),
    averageEpssScore: Type.Number({ minimum: 0, maximum: 1, description: 'Over those that have one, five decimals.' }),
    lastUpdated: orNull(instantSchema('When a feed last succeeded; null before the first time.')),
  },
  'Totals over everything that is published.',
)
