import { Type } from 'typebox'
import { required, withDefault } from '../../../contract/request/parameters.ts'
import { integer, withExample, word } from '../../../contract/request/value-types.ts'
import { closedObject, countSchema, daySchema, orNull } from '../../../contract/response/schemas.ts'
import { topNameSchema, windowMembers } from '../../../contract/series.ts'
import { describeMetric, EVENT_METRIC_NAMES } from '../../../domain/series/metrics.ts'
import { findUnknownNames } from '../../../search/names/find-unknown-names.ts'
import { countTop, readCompleteSince, TOP_KINDS } from '../../../search/series/count-top.ts'
import { getEventMetric } from '../../../search/series/metrics.ts'
import { findCountedFrom, readWindow, WINDOW_PARAMETERS } from '../../../search/series/parameters.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

/** A window is a list of days, like that of a series. */
export const getStatsTop = defineEndpoint({
  name: 'get-stats-top',
  method: 'GET',
  path: '/api/v1/stats/top',
  tag: 'Service',
  summary: 'Count events by vendor, product or weakness',
  description:
    'The vendors, products or weaknesses with the most CVEs that were published, were added to KEV and so on within a window of at most 400 days. All counts are exact. A CVE counts once for each of its names.',
  access: 'key',
  credits: 1,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'search',
  cacheControl: 'private, max-age=60',
  response: {
    name: 'StatsTop',
    schema: closedObject(
      {
        of: Type.Enum([...TOP_KINDS], { description: 'Kind of the names.' }),
        metric: Type.Enum([...EVENT_METRIC_NAMES], { description: 'What is counted.' }),
        ...windowMembers,
        first_counted_day: orNull(
          daySchema('First day that was counted: from, or the first day after complete_since; null if there is none.'),
        ),
        total: countSchema('Number of events from first_counted_day to the end of the window.'),
        without_name: countSchema('Number of these events whose CVE has no such name.'),
        names: Type.Array(topNameSchema, { description: 'The names with the most events, most first.' }),
      },
      'The names with the most events.',
    ),
  },
  example,
  errors: ['QUERY_TIMEOUT'],
  parameters: {
    query: {
      of: required(word(TOP_KINDS), 'Kind of the names.'),
      metric: required(word(EVENT_METRIC_NAMES), 'What is counted.'),
      ...WINDOW_PARAMETERS,
      limit: withDefault(withExample(integer({ minimum: 1, maximum: 50 }), 10), 10, 'Maximum number of names.'),
    },
  },
  // Rejects an invalid window before credits are charged.
  answerWithoutCharge: ({ query }, { now }) => {
    readWindow(query, now)
    return undefined
  },
  answer: async ({ query }, { db, now, countInMemory }) => {
    const { of, limit, product_vendor } = query
    const [{ from, to }, metric] = [readWindow(query, now), getEventMetric(query.metric)]
    const description = describeMetric(query.metric)
    const completeSince = await readCompleteSince(db, metric)
    const countedFrom = findCountedFrom({ from, to }, completeSince)
    const window = countedFrom === null ? undefined : { from: countedFrom, to }
    const top = await countTop(db, countInMemory, { metric, window, productVendor: product_vendor, of, limit })
    const unknown = await findUnknownNames(db, { product_vendor }, top.total > 0)
    return {
      data: {
        of,
        metric: query.metric,
        meaning: description.meaning,
        dated_by: description.datedBy,
        from,
        to,
        complete_since: completeSince,
        first_counted_day: countedFrom,
        total: top.total,
        without_name: top.unnamed,
        names: top.names,
        ...(unknown.length > 0 && { did_you_mean: unknown }),
      },
    }
  },
})
