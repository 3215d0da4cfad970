// Schemas for days in a series of EPSS scores.
import { Type } from 'typebox'
import { closedObject, daySchema, orNull } from '../response/schemas.ts'

export const modelSchema = (description: string) => orNull(Type.String({ description, examples: ['v2026.06.15'] }))

export const modelChangeSchema = closedObject(
  {
    date: daySchema('First day with the other model.'),
    model: modelSchema('The model from this day on; null if the releases name none.'),
    previous: modelSchema('The model of the release before; null if it names none.'),
  },
  'A change of the EPSS model. Scores before and after it are not comparable.',
  'EpssModelChange',
)

export const dayRangeSchema = closedObject(
  { from: daySchema('First day of the range.'), to: daySchema('Last day of the range.') },
  'Days that follow each other.',
  'DayRange',
)
