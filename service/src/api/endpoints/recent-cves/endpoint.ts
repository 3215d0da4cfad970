import { Type } from 'typebox'
import { type CursorPosition, type CursorScope, renderPagination } from '../../../contract/cursor.ts'
import { searchedComponentSchema } from '../../../contract/match.ts'
import { unknownNamesSchema } from '../../../contract/name-suggestions.ts'
import { paginationSchema } from '../../../contract/response/page.ts'
import { countSchema, textSchema } from '../../../contract/response/schemas.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { assembleAll } from '../../../record/assemble.ts'
import { cveSchema } from '../../../record/record-schema.ts'
import { estimateBytes, select } from '../../../record/selection-parameters.ts'
import { normaliseFilters } from '../../../search/filters/build-filters.ts'
import { filterRules } from '../../../search/filters/rules.ts'
import { findUnknownNames } from '../../../search/names/find-unknown-names.ts'
import { resolveComponent } from '../../component-filter.ts'
import { defineEndpoint, type Services } from '../../services.ts'
import example from './example.json' with { type: 'json' }
import { PARAMETERS, type Query, resolveLookback } from './parameters.ts'
import { findRecent } from './query.ts'

export const recentCves = defineEndpoint({
  name: 'recent-cves',
  method: 'GET',
  path: '/api/v1/cves/recent',
  tag: 'Search',
  summary: 'List recent CVEs',
  description:
    'CVEs that were published or modified within a period before now, the newest event first. Additions to and removals from KEV catalogs and ACSC notices count as modifications, at the later of their own date and the time at which this service first published them. They stay in the list for five minutes longer than the period, so that a caller that asks once per period misses none of them.',
  access: 'key',
  credits: 2,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'search',
  cacheControl: 'private, max-age=60',
  response: {
    name: 'RecentCves',
    schema: Type.Object(
      {
        cves: Type.Array(cveSchema('recent')),
        pagination: paginationSchema,
        lookback_period: textSchema('Length of the period before the first page was read, such as "24 hours".'),
        total_found: countSchema('Exact number of CVEs on all pages.'),
        component: Type.Optional(searchedComponentSchema),
        did_you_mean: Type.Optional(unknownNamesSchema),
      },
      { additionalProperties: false },
    ),
  },
  example,
  errors: ['QUERY_TIMEOUT'],
  parameters: { query: PARAMETERS },
  rules: filterRules('recent'),
  // Rejects an invalid cursor before credits are charged.
  answerWithoutCharge: ({ query }, services) => {
    decodePosition(query, services)
    return undefined
  },
  estimateBytes: ({ query }) => estimateBytes(select('recent', query), query.limit),
  answer: async ({ query }, services) => {
    const [after, selection, { period, lengthMs }] = [
      decodePosition(query, services),
      select('recent', query),
      resolveLookback(query),
    ]
    const asOf = after?.asOf ?? formatInstant(services.now)
    const [until, from] = [new Date(asOf), new Date(Date.parse(asOf) - lengthMs)]
    const resolved = await resolveComponent(services, query)
    const rows = await findRecent(services.db, { query: resolved.query, from, until, after, selection })
    const total = after?.totalEstimate ?? rows[0]?.total_found ?? 0
    const shown = rows.slice(0, query.limit)
    const last = rows.length > query.limit ? shown.at(-1) : undefined
    const position = last && { value: formatInstant(last.event), key: last.cve_key, totalEstimate: total, asOf }
    const cves = assembleAll(shown, selection)
    const unknown = after ? [] : await findUnknownNames(services.db, query, shown.length > 0)
    const didYouMean = unknown.length > 0 && { did_you_mean: unknown }
    const render = (nextCursor: string | undefined) => {
      const pagination = renderPagination({ limit: query.limit, nextCursor, totalEstimate: total })
      const { component } = resolved
      const rest = JSON.stringify({ pagination, lookback_period: period, total_found: total, component, ...didYouMean })
      return ['{"cves":[', ...cves, `],${rest.slice(1)}`]
    }
    return {
      json: render(position && services.cursors.encode(buildScope(query), position)),
      // The cursor for the next page contains the time at which the first page was read and therefore differs every
      // second. The ETag must not change with it, so it is computed from the position of the page's last CVE instead.
      etagSource: render(position && `${position.value} ${position.key}`),
    }
  },
})

function buildScope(query: Query): CursorScope {
  const { period } = resolveLookback(query)
  return { endpoint: 'recent-cves', filters: { ...normaliseFilters(query), period, type: query.type } }
}

function decodePosition(query: Query, { cursors }: Services): CursorPosition | undefined {
  return cursors.decode(buildScope(query), query.after)
}
