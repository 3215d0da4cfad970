// Parameters of a search, in the order of the specification.
import { optional, type ValuesOf, withDefault } from '../../contract/parameters.ts'
import { integer, type ValueType } from '../../contract/value-types.ts'
import { afterParameter } from '../cursor.ts'
import { fieldsParameter, includeParameter } from '../cve-record/selection.ts'
import { sortType } from '../cve-record/sort.ts'
import { normaliseFilters } from './filters/build-filters.ts'
import { filterParameters } from './filters/table.ts'

const DEFAULT_LIMIT = 20

/**
 * The `limit` parameter. openapi.json shows its usual default. `resolveLimit` applies the default, because another
 * default applies if the request has the parameter `ids`.
 */
function limitType(): ValueType<number> {
  const type = integer({ minimum: 1, maximum: 100 })
  return { ...type, schema: { ...type.schema, default: DEFAULT_LIMIT }, example: DEFAULT_LIMIT }
}

export const PARAMETERS = {
  ...filterParameters('search'),
  sort: withDefault(
    sortType(),
    'published_desc',
    'Sort order; priority_desc is most urgent first. CVEs without the sorted value come last in both directions.',
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

/** Normalises a search, so that two searches with the same meaning give equal values (decision D8). */
export function normaliseQuery(query: Query): Readonly<Record<string, unknown>> {
  return { ...normaliseFilters(query), sort: query.sort }
}
