// The `pagination` object of list responses (decisions D8, D9).
import { Type } from 'typebox'
import { closedObject, countSchema, flagSchema, textSchema } from './schemas.ts'

export const paginationSchema = closedObject(
  {
    limit: Type.Integer({ minimum: 1, description: 'Maximum items per page.' }),
    hasMore: flagSchema('Whether another page follows.'),
    nextCursor: Type.Optional(
      textSchema('The cursor of the next page: send it as the parameter after. Absent on the last page.'),
    ),
    totalEstimate: Type.Optional(countSchema('The number of items on all pages: exact up to 1,000, estimated above.')),
  },
  'The position of this page in the list.',
  'Pagination',
)
