import { Type } from 'typebox'
import { paginationSchema } from '../../../contract/page.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { type Place, type Query, renderPagination } from '../../cursor.ts'
import { assemble } from '../../cve-record/assemble.ts'
import { cveSchema } from '../../cve-record/schema.ts'
import { select } from '../../cve-record/selection.ts'
import { planFor } from '../../cve-record/source.ts'
import { filtersOf, normalised } from '../../search/filters.ts'
import { isByModified } from '../../search/keyset-page.ts'
import { type Asked, limitOf, PARAMETERS, RULES } from '../../search/parameters.ts'
import { defineEndpoint, type Services } from '../../services.ts'
import example from './example.json' with { type: 'json' }
import { estimateTotal, type FoundRow, findPage, MAX_EXACT_TOTAL } from './query.ts'

export const searchCves = defineEndpoint({
  name: 'search-cves',
  method: 'GET',
  path: '/api/v1/cves',
  summary: 'Search CVEs',
  description: 'CVEs that pass all filters, page by page. No match is an empty list, not an error.',
  access: 'key',
  credits: 1,
  consumesRate: true,
  cacheControl: 'private, max-age=60',
  response: {
    name: 'CveList',
    schema: Type.Object(
      { cves: Type.Array(cveSchema('listed')), pagination: paginationSchema },
      { additionalProperties: false },
    ),
  },
  example,
  errors: ['FORBIDDEN', 'QUERY_TIMEOUT'],
  parameters: { query: PARAMETERS },
  rules: RULES,
  requiredPlan: ({ query }) => planFor(query.vendor),
  // A cursor that is not ours costs nothing.
  known: ({ query }, services) => {
    placeOf(query, services)
    return undefined
  },
  answer: async ({ query }, services) => {
    const [after, limit, selection] = [placeOf(query, services), limitOf(query), select('listed', query)]
    const rows = await findPage(services.db, { filters: filtersOf(query), sort: query.sort, after, limit, selection })
    const totalEstimate = after?.totalEstimate ?? (await totalOf(rows, query, services))
    const shown = rows.slice(0, limit)
    const last = rows.length > limit ? shown.at(-1) : undefined
    const nextCursor = last && services.cursors.seal(queryOf(query), { ...placeOn(last, query, after), totalEstimate })
    const pagination = renderPagination({ limit, nextCursor, totalEstimate })
    const cves = shown.map((row) => assemble(row, selection))
    return { json: `{"cves":[${cves.join(',')}],"pagination":${JSON.stringify(pagination)}}` }
  },
})

function queryOf(asked: Asked): Query {
  return { endpoint: 'search-cves', filters: normalised(asked) }
}

function placeOf(asked: Asked, { cursors }: Services): Place | undefined {
  return cursors.open(queryOf(asked), asked.after)
}

function placeOn(row: FoundRow, { sort }: Asked, before: Place | undefined): Omit<Place, 'totalEstimate'> {
  const { cve_key, sort_value, newest } = row
  return {
    value: sort_value instanceof Date ? formatInstant(sort_value) : sort_value,
    key: cve_key,
    asOf: isByModified(sort) ? (before?.asOf ?? formatInstant(newest)) : null,
  }
}

async function totalOf([first]: readonly FoundRow[], asked: Asked, { db }: Services): Promise<number> {
  const found = first?.found ?? 0
  if (found <= MAX_EXACT_TOTAL) return found
  return Math.max(MAX_EXACT_TOTAL + 1, await estimateTotal(db, filtersOf(asked)))
}
