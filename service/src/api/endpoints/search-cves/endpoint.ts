import { Type } from 'typebox'
import { type CursorPosition, type CursorScope, renderPagination } from '../../../contract/cursor.ts'
import { searchedComponentSchema } from '../../../contract/match.ts'
import { unknownNamesSchema } from '../../../contract/name-suggestions.ts'
import { paginationSchema } from '../../../contract/response/page.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { assembleAll } from '../../../record/assemble.ts'
import { cveSchema } from '../../../record/record-schema.ts'
import { estimateBytes, select } from '../../../record/selection-parameters.ts'
import { filterRules } from '../../../search/filters/rules.ts'
import { findRequiredPlan } from '../../../search/filters/values/source.ts'
import { findPage } from '../../../search/find-page.ts'
import { findUnknownNames } from '../../../search/names/find-unknown-names.ts'
import { normaliseQuery, PARAMETERS, type Query, requireWords, resolveLimit } from '../../../search/parameters.ts'
import { resolveComponent } from '../../component-filter.ts'
import { requirePublished } from '../../cve-record/published.ts'
import { defineEndpoint, type Services } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const searchCves = defineEndpoint({
  name: 'search-cves',
  method: 'GET',
  path: '/api/v1/cves',
  tag: 'Search',
  summary: 'Search CVEs',
  description:
    'CVEs that match all filters, in pages. If no CVE matches, the list is empty. A product or vendor that no CVE has is no error: did_you_mean then has similar names.',
  access: 'key',
  credits: 1,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'search',
  cacheControl: 'private, max-age=60',
  response: {
    name: 'CveList',
    schema: Type.Object(
      {
        cves: Type.Array(cveSchema('listed')),
        pagination: paginationSchema,
        component: Type.Optional(searchedComponentSchema),
        did_you_mean: Type.Optional(unknownNamesSchema),
      },
      { additionalProperties: false },
    ),
  },
  example,
  errors: ['FORBIDDEN', 'QUERY_TIMEOUT', 'NOT_READY'],
  parameters: { query: PARAMETERS },
  rules: [...filterRules('search'), requireWords],
  requiredPlan: ({ query }) => findRequiredPlan(query.vendor),
  // Rejects an invalid cursor before credits are charged.
  answerWithoutCharge: ({ query }, services) => {
    decodePosition(query, services)
    return undefined
  },
  estimateBytes: ({ query }) => estimateBytes(select('listed', query), resolveLimit(query)),
  answer: async ({ query }, services) => {
    const [after, limit, selection] = [decodePosition(query, services), resolveLimit(query), select('listed', query)]
    if (query.cpe !== undefined || query.purl !== undefined) await requirePublished(services)
    const resolved = await resolveComponent(services, query)
    const { rows, last, total, newest } = await findPage(services.db, resolved.query, after)
    const nextCursor =
      last &&
      services.cursors.encode(buildScope(query), {
        value: last.sort_value instanceof Date ? formatInstant(last.sort_value) : last.sort_value,
        key: last.cve_key,
        totalEstimate: total,
        asOf: after?.asOf ?? (newest && formatInstant(newest)),
      })
    const pagination = renderPagination({ limit, nextCursor, totalEstimate: total })
    const unknown = after ? [] : await findUnknownNames(services.db, query, rows.length > 0)
    const rest = JSON.stringify({
      pagination,
      component: resolved.component,
      ...(unknown.length > 0 && { did_you_mean: unknown }),
    })
    return { json: ['{"cves":[', ...assembleAll(rows, selection), `],${rest.slice(1)}`] }
  },
})

function buildScope(query: Query): CursorScope {
  return { endpoint: 'search-cves', filters: normaliseQuery(query) }
}

function decodePosition(query: Query, { cursors }: Services): CursorPosition | undefined {
  return cursors.decode(buildScope(query), query.after)
}
