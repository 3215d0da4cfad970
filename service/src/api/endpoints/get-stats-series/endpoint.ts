import { Type } from 'typebox'
import { optional, required, withDefault } from '../../../contract/request/parameters.ts'
import { word } from '../../../contract/request/value-types.ts'
import { closedObject, countSchema, orNull, wordOrNull } from '../../../contract/response/schemas.ts'
import { bucketSchema, isLevelSchema, windowMembers } from '../../../contract/series.ts'
import { BUCKETS } from '../../../domain/series/buckets.ts'
import { describeMetric, isLevel, METRIC_NAMES, SPLITS } from '../../../domain/series/metrics.ts'
import { findUnknownNames } from '../../../search/names/find-unknown-names.ts'
import { addCounts, countSeries } from '../../../search/series/count-series.ts'
import { getEventMetric } from '../../../search/series/metrics.ts'
import { findEnds, readBuckets, SERIES_PARAMETERS } from '../../../search/series/parameters.ts'
import { readLevels } from '../../../search/series/read-levels.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

const query = {
  metric: required(word(METRIC_NAMES), 'What is counted.'),
  by: optional(word(SPLITS), `Divides each bucket into values. ${describeSplits()}`),
  bucket: withDefault(
    word(BUCKETS),
    'day',
    'Length of a bucket in UTC. A week begins on Monday. The first and the last bucket are shorter if the window begins or ends within them.',
  ),
  ...SERIES_PARAMETERS,
}

function describeSplits(): string {
  return METRIC_NAMES.map((name) => `${name}: ${describeMetric(name).by.join(', ') || 'none'}.`).join(' ')
}

export const getStatsSeries = defineEndpoint({
  name: 'get-stats-series',
  method: 'GET',
  path: '/api/v1/stats/series',
  tag: 'Service',
  summary: 'Count events over time',
  description:
    'How many CVEs were published, were added to KEV and so on in each day, week or month, divided by severity, priority and so on if by is sent. All counts are exact. A bucket that begins before complete_since has null instead of a count.',
  access: 'key',
  credits: 1,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'search',
  cacheControl: 'private, max-age=60',
  response: {
    name: 'StatsSeries',
    schema: closedObject(
      {
        metric: Type.Enum([...METRIC_NAMES], { description: 'What is counted.' }),
        is_level: isLevelSchema,
        bucket: Type.Enum([...BUCKETS], { description: 'Length of a bucket.' }),
        split_by: wordOrNull(SPLITS, 'By which values buckets are divided; null if they are not.'),
        ...windowMembers,
        total: orNull(countSchema('Sum of all counts; null if one of them is null, and for a level.')),
        buckets: Type.Array(bucketSchema, { description: 'The buckets, oldest first.' }),
      },
      'A number over time.',
    ),
  },
  example,
  errors: ['QUERY_TIMEOUT'],
  parameters: { query },
  rules: [
    {
      parameters: ['by', 'metric'],
      check: ({ query: { by, metric } }) =>
        by === undefined || describeMetric(metric).by.includes(by)
          ? undefined
          : describeMetric(metric).by.length === 0
            ? `must be left out for metric=${metric}, which cannot be divided`
            : `must be one of ${describeMetric(metric).by.join(', ')} for metric=${metric}`,
    },
    {
      parameters: ['product_vendor', 'metric'],
      check: ({ query: { product_vendor, metric } }) =>
        product_vendor !== undefined && isLevel(metric)
          ? `must be left out for metric=${metric}, which is kept only for the whole catalog`
          : undefined,
    },
  ],
  // Rejects an invalid window before credits are charged.
  answerWithoutCharge: (input, { now }) => {
    readBuckets(input.query.bucket, input.query, now)
    return undefined
  },
  answer: async ({ query: sent }, { db, now }) => {
    const { metric: name, by, bucket, product_vendor } = sent
    const [buckets, description] = [readBuckets(bucket, sent, now), describeMetric(name)]
    const series = isLevel(name)
      ? await readLevels(db, name, buckets)
      : await countSeries(db, { metric: getEventMetric(name), buckets, productVendor: product_vendor }, by)
    const total = isLevel(name) ? null : addCounts(series.buckets)
    const unknown = await findUnknownNames(db, { product_vendor }, (total ?? 0) > 0)
    return {
      data: {
        metric: name,
        meaning: description.meaning,
        dated_by: description.datedBy,
        is_level: isLevel(name),
        bucket,
        split_by: by ?? null,
        ...findEnds(buckets),
        complete_since: series.completeSince,
        total,
        buckets: series.buckets,
        ...(unknown.length > 0 && { did_you_mean: unknown }),
      },
    }
  },
})
