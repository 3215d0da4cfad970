// The add-on `epss_trend`: the EPSS scores of the last weeks. They are read with each request, because their history can
// change while the record does not.
import { Type } from 'typebox'
import { computeTrend, TREND_WEEKS } from '../../../domain/epss-series/weekly-trend.ts'
import { closedObject, daySchema, orNull } from '../../response/schemas.ts'
import { defineAddOn } from '../cve-member.ts'
import { modelChangeSchema } from '../epss-days.ts'

const scoreSchema = (description: string) => orNull(Type.Number({ minimum: 0, maximum: 1, description }))

export const epssTrend = defineAddOn<'epss_trend', never>({
  name: 'epss_trend',
  schema: closedObject(
    {
      from: daySchema('First day of the first week.'),
      to: daySchema('Last day of the last week: the day of the newest release.'),
      lowest: scoreSchema('Lowest score of all days, not only of those in scores; null if no score is known.'),
      highest: scoreSchema('Highest score of all days; null if no score is known.'),
      scores: Type.Array(scoreSchema('The last score that is known in the week; null if none is known.'), {
        minItems: TREND_WEEKS,
        maxItems: TREND_WEEKS,
        examples: [[null, null, 0.031, 0.03, 0.034, null, 0.047, 0.09, 0.12, 0.119, 0.121, 0.13, 0.128]],
        description: 'One score for each week, oldest first. Nothing is filled in: a week without a score is null.',
      }),
      model_changes: Type.Array(modelChangeSchema, {
        description: 'The changes of the EPSS model in these weeks, oldest first.',
      }),
    },
    `The EPSS scores of the last ${TREND_WEEKS} weeks.`,
    'EpssTrend',
  ),
  render: ({ epss_day: day, epss_score: score, epss_months: months = [], epss_model_changes = [] }) =>
    day === null
      ? undefined
      : JSON.stringify({ ...computeTrend(day, score, months), model_changes: epss_model_changes }),
})
