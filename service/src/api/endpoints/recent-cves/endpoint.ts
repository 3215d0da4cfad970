import { Type } from 'typebox'
import { paginationSchema } from '../../../contract/page.ts'
import { countSchema, textSchema } from '../../../contract/schemas.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { type Place, type Query, renderPagination } from '../../cursor.ts'
import { assemble } from '../../cve-record/assemble.ts'
import { cveSchema } from '../../cve-record/schema.ts'
import { select } from '../../cve-record/selection.ts'
import { defineEndpoint, type Services } from '../../services.ts'
import example from './example.json' with { type: 'json' }
import { type Asked, lookbackOf, PARAMETERS } from './parameters.ts'
import { findRecent } from './query.ts'

export const recentCves = defineEndpoint({
  name: 'recent-cves',
  method: 'GET',
  path: '/api/v1/cves/recent',
  summary: 'Recent CVEs',
  description: 'CVEs that were published or modified of late, the newest event first.',
  access: 'key',
  credits: 2,
  consumesRate: true,
  cacheControl: 'private, max-age=60',
  response: {
    name: 'RecentCves',
    schema: Type.Object(
      {
        cves: Type.Array(cveSchema('recent')),
        pagination: paginationSchema,
        lookback_period: textSchema('How far back this looks, from the time of the first page.'),
        total_found: countSchema('On all pages together; exact.'),
      },
      { additionalProperties: false },
    ),
  },
  example,
  errors: ['QUERY_TIMEOUT'],
  parameters: { query: PARAMETERS },
  // A cursor that is not ours costs nothing.
  known: ({ query }, services) => {
    placeOf(query, services)
    return undefined
  },
  answer: async ({ query }, services) => {
    const [after, selection, { period, lengthMs }] = [
      placeOf(query, services),
      select('recent', query),
      lookbackOf(query),
    ]
    const asOf = after?.asOf ?? formatInstant(services.now)
    const [until, from] = [new Date(asOf), new Date(Date.parse(asOf) - lengthMs)]
    const rows = await findRecent(services.db, { asked: query, from, until, after, selection })
    const total = after?.totalEstimate ?? rows[0]?.total_found ?? 0
    const shown = rows.slice(0, query.limit)
    const last = rows.length > query.limit ? shown.at(-1) : undefined
    const place = last && { value: formatInstant(last.event), key: last.cve_key, totalEstimate: total, asOf }
    const cves = shown.map((row) => assemble(row, selection)).join(',')
    const render = (nextCursor: string | undefined) => {
      const pagination = renderPagination({ limit: query.limit, nextCursor, totalEstimate: total })
      return `{"cves":[${cves}],${JSON.stringify({ pagination, lookback_period: period, total_found: total }).slice(1)}`
    }
    return {
      json: render(place && services.cursors.seal(queryOf(query), place)),
      // The cursor carries the time of the first page, so it is another one every second: its place stands for it.
      etagOf: render(place && `${place.value} ${place.key}`),
    }
  },
})

function queryOf(asked: Asked): Query {
  const { type, severity, has_acsc, status } = asked
  const { period } = lookbackOf(asked)
  return {
    endpoint: 'recent-cves',
    filters: { period, type, severity: severity?.toSorted(), has_acsc, status: status?.toSorted() },
  }
}

function placeOf(asked: Asked, { cursors }: Services): Place | undefined {
  return cursors.open(queryOf(asked), asked.after)
}
