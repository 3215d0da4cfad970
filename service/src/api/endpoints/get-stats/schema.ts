// The `stats` object of /stats: totals for the whole catalog (decisions C20, D17).
import { Type } from 'typebox'
import { closedObject, countSchema, instantSchema, orNull } from '../../../contract/response/schemas.ts'

export const statisticsSchema = closedObject(
  {
    totalCves: countSchema('Number of CVEs, including rejected CVEs.'),
    cvesLast24Hours: countSchema('Number of CVEs published within the last 24 hours.'),
    cvesLast7Days: countSchema('Number of CVEs published within the last 7 days.'),
    cvesLast30Days: countSchema('Number of CVEs published within the last 30 days.'),
    totalKev: countSchema("Number of entries in CISA's catalog of known exploited vulnerabilities."),
    totalWithEpss: countSchema('Number of CVEs that have an EPSS score.'),
    totalWithAcsc: countSchema('Number of CVEs that an ACSC notice names.'),
    averageEpssScore: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Average EPSS score of the CVEs that have one, with five decimals.',
    }),
    lastUpdated: orNull(instantSchema('When a feed was last imported successfully; null before the first import.')),
  },
  'Totals over the whole catalog.',
)
