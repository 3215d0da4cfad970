// Schemas of the answers of /stats/series and /stats/top.
import { Type } from 'typebox'
import { unknownNamesSchema } from './name-suggestions.ts'
import {
  closedObject,
  countSchema,
  daySchema,
  flagSchema,
  instantSchema,
  orNull,
  textSchema,
} from './response/schemas.ts'

export const windowMembers = {
  meaning: textSchema('What the metric counts, as a sentence.'),
  dated_by: Type.Enum(['source', 'service'], {
    description:
      'Whose day decides: source: the day that the source of the data states; service: the day on which this service recorded the change.',
  }),
  from: daySchema('First day of the window, in UTC.'),
  to: daySchema('Last day of the window, in UTC. The counts of today grow until midnight.'),
  complete_since: orNull(
    instantSchema(
      'Time since which the service knows every event. A count over earlier days is null, never 0. Null if nothing is known yet.',
    ),
  ),
  did_you_mean: Type.Optional(unknownNamesSchema),
}

const eventCount = (description: string) => orNull(countSchema(description))

export const bucketSchema = closedObject(
  {
    from: daySchema('First day of the bucket.'),
    to: daySchema('Last day of the bucket.'),
    count: eventCount('The number; null if the bucket begins before complete_since.'),
    values: Type.Optional(
      Type.Array(
        closedObject(
          {
            value: orNull(textSchema('A value; null for what has none.')),
            count: eventCount('The number with this value; null if it is not known for the whole bucket.'),
          },
          'A value and how much of the bucket has it.',
          'SeriesValue',
        ),
        { description: 'Only with by: all values in a fixed order, also those with 0.' },
      ),
    ),
  },
  'A day, a week or a month of a series.',
  'SeriesBucket',
)

export const topNameSchema = closedObject(
  {
    value: textSchema('Name of the vendor or product, as filters expect it, or id of the weakness.'),
    count: countSchema('Number of events of CVEs with this name.'),
  },
  'A name and how many events it has.',
  'TopName',
)

export const isLevelSchema = flagSchema(
  'false: each count is the number of events in the bucket. true: each count is how many CVEs there were at the end of the bucket, so counts must not be added up.',
)
