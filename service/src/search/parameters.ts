// Parameters of a search, in the order of the specification.

import { afterParameter } from '../contract/cursor.ts'
import type { Rule } from '../contract/endpoint.ts'
import { optional, type ValuesOf, withDefault } from '../contract/request/parameters.ts'
import { integer, type ValueType, word } from '../contract/request/value-types.ts'
import { fieldsParameter, includeParameter } from '../record/selection-parameters.ts'
import { normaliseFilters } from './filters/build-filters.ts'
import { filterParameters } from './filters/table.ts'
import { SORTS, type Sort } from './sort.ts'
import { normaliseSearch } from './words/pieces.ts'

const DEFAULT_LIMIT = 20

/**
 * The `limit` parameter. openapi.json shows the usual default; `resolveLimit` applies the default, because a request
 * with the parameter `ids` has a different one.
 */
function limitType(): ValueType<number> {
  const type = integer({ minimum: 1, maximum: 100 })
  return { ...type, schema: { ...type.schema, default: DEFAULT_LIMIT }, example: DEFAULT_LIMIT }
}

/** The sort order of a search for words, and the only one that is not based on a single value. */
export const RELEVANCE = 'relevance'

const SORT_LABELS: Readonly<Record<Sort | typeof RELEVANCE, string>> = {
  level_desc: 'by level, newest first',
  level_asc: 'by level, reversed',
  priority_desc: 'most urgent first',
  priority_asc: 'least urgent first',
  published_desc: 'newest first',
  published_asc: 'oldest first',
  modified_desc: 'recently modified first',
  modified_asc: 'least recently modified first',
  severity_desc: 'highest score first',
  severity_asc: 'lowest score first',
  epss_desc: 'highest EPSS first',
  epss_asc: 'lowest EPSS first',
  relevance: 'most relevant first',
}

export const PARAMETERS = {
  ...filterParameters('search'),
  sort: withDefault(
    word<Sort | typeof RELEVANCE>([...SORTS, RELEVANCE], { labels: SORT_LABELS }),
    'published_desc',
    'Sort order; priority_desc is most urgent first. level_desc has the same levels, and within a level the CVE first to which something happened last: its publication, its addition to a KEV catalog, or that it became P0 or P1. CVEs without the sorted value come last in both directions. relevance requires q: first the CVE whose id is searched for, then CVEs with all words in well-known names or the name of the KEV entry, then in names of vendors and products, then all others.',
  ),
  limit: optional(
    limitType(),
    'Maximum CVEs per page. If ids is given, the default is the number of ids, at least 20.',
  ),
  after: afterParameter(),
  fields: fieldsParameter('listed'),
  include: includeParameter('listed'),
}

export type Query = ValuesOf<typeof PARAMETERS>

export function resolveLimit({ limit, ids }: Query): number {
  return limit ?? Math.max(DEFAULT_LIMIT, ids?.length ?? 0)
}

/** Sorting by relevance compares words, so it requires a search with words. */
export const requireWords: Rule<{ readonly query: Pick<Query, 'sort' | 'q'> }> = {
  parameters: ['sort', 'q'],
  check: ({ query: { sort, q } }) =>
    sort === RELEVANCE && (q === undefined || normaliseSearch(q) === undefined)
      ? 'relevance requires words in q, such as q=log4j; without words, use another order such as priority_desc'
      : undefined,
}

/** Normalises a search so that searches with the same meaning give equal values (decision D8). */
export function normaliseQuery(query: Query): Readonly<Record<string, unknown>> {
  return { ...normaliseFilters(query), sort: query.sort }
}
