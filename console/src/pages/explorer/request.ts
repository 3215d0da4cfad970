// Translates the list state to the parameters of GET /api/v1/cves.
import type { SearchFilters } from 'vis-sdk'
import { STATUS_WORDS } from 'vis-sdk/vocabulary'
import { FILTER_NAMES, FILTERS, type FilterName, splitItems } from '../../text/search/filters.ts'
import { ROW_FIELDS } from './row.ts'
import { type ExplorerState, getSort } from './state.ts'

export const PAGE_SIZE = 50

/** Members of a listed CVE that the API returns only if `include` names them. */
const ADD_ONS = ['enrichment', 'priority', 'fixes', 'epss_trend'] as const

/** Statuses that are shown by default: all except Rejected. The API itself hides nothing. */
const SHOWN_STATUSES = Object.keys(STATUS_WORDS).filter((status) => status !== 'Rejected')

/** Returns whether the list hides rejected CVEs although no filter says so. */
export function hidesRejected({ filters, showsRejected }: ExplorerState): boolean {
  // A list of ids names exactly the CVEs that the person wants, so none of them is hidden.
  return !showsRejected && filters.status === undefined && filters.ids === undefined
}

/** Returns the parameters that select CVEs. */
export function toFilters(state: ExplorerState): Pick<SearchFilters, FilterName> {
  const entries = Object.entries(state.filters).map(([name, text]) => [name, toValue(name as FilterName, text)])
  return {
    // The cast is safe: parseState checked the values against the same table.
    ...(Object.fromEntries(entries) as Pick<SearchFilters, FilterName>),
    ...(hidesRejected(state) ? { status: SHOWN_STATUSES as NonNullable<SearchFilters['status']> } : {}),
  }
}

/** Returns the parameters as shown in the commands for other programs: without the selection of members. */
export function toParameters(state: ExplorerState): SearchFilters {
  const needsEnrichment = FILTER_NAMES.some(
    (name) => state.filters[name] !== undefined && FILTERS[name].needsEnrichment,
  )
  return {
    ...toFilters(state),
    sort: getSort(state),
    limit: PAGE_SIZE,
    ...(needsEnrichment ? { include: ['enrichment'] as const } : {}),
  }
}

/** Returns the parameters of the console's own call. */
export function toRequest(state: ExplorerState) {
  return { ...toParameters(state), fields: ROW_FIELDS, include: ADD_ONS }
}

type FilterValue = string | number | boolean | readonly string[]

function toValue(name: FilterName, text: string): FilterValue {
  switch (FILTERS[name].kind) {
    case 'flag':
      return text === 'true'
    case 'number':
    case 'percent':
      return Number(text)
    case 'choices':
    case 'ids':
    case 'list':
      return splitItems(name, text)
    case 'text':
    case 'choice':
    case 'date':
    case 'day':
      return text
  }
}
