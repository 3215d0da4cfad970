// Which part of a list an answer is (decisions D8, D9).
import { Type } from 'typebox'
import { closedObject, countSchema, flagSchema, textSchema } from './schemas.ts'

export const paginationSchema = closedObject(
  {
    limit: Type.Integer({ minimum: 1, description: 'The size of a page.' }),
    hasMore: flagSchema('Whether there is another page.'),
    nextCursor: Type.Optional(textSchema('Send it as after to get the next page; absent on the last one.')),
    totalEstimate: Type.Optional(countSchema('How many there are in all: exact up to 10,000, an estimate above.')),
  },
  'Which part of the list this is.',
)
