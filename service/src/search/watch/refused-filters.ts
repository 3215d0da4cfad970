// The filters of /cves that a watch does not take, each with the reason and what to use instead.
import { splitQuery } from '../../contract/request/query-string.ts'
import { createIssue, type ValidationIssue } from '../../contract/request/validation-issue.ts'
import type { FilterName } from '../filters/table.ts'

interface Refusal {
  readonly reason: string
  readonly instead: string
}

const EVERY_EDIT = {
  reason: 'every edit of a record moves its modification time, so every edit would be an event',
  instead: 'the event updated in `on`, or published_after for new CVEs',
}
const COMPONENT = {
  reason: 'a component is compared with affected versions, which are not part of a search that a watch keeps',
  instead: 'product_vendor and product',
}

export const REFUSED_FILTERS = {
  modified_after: EVERY_EDIT,
  modified_before: EVERY_EDIT,
  epss_percentile_min: {
    reason: 'a percentile moves when the scores of other CVEs change',
    instead: 'epss_min',
  },
  cpe: COMPONENT,
  purl: COMPONENT,
} as const satisfies Readonly<Partial<Record<FilterName, Refusal>>>

// The cast is safe: Object.keys returns the keys of the table.
const NAMES = Object.keys(REFUSED_FILTERS) as readonly (keyof typeof REFUSED_FILTERS)[]

/** Returns an issue for each filter of a view's query that a watch does not take. */
export function findRefusedFilters(query: string): readonly ValidationIssue[] {
  const sent = splitQuery(query)
  return NAMES.filter((name) => sent.has(name)).map((name) => {
    const { reason, instead } = REFUSED_FILTERS[name]
    const issue = createIssue(name, sent.get(name)?.[0]?.text ?? null, instead)
    return { ...issue, message: `cannot be used in a watch, because ${reason}; use ${instead}` }
  })
}
