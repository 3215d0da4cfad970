// The filters that apply to the counts of a facet.
import type { FacetFilters } from 'vis-sdk'
import { FACETS, type FacetName } from '../../../text/search/facet-specs.ts'
import { hidesRejected, toFilters } from '../request.ts'
import type { ExplorerState } from '../state.ts'

/** Returns whether the list has a filter that the counts of this facet ignore. */
export function ignoresFilter(state: ExplorerState, name: FacetName): boolean {
  const isStatus = name === 'status' && hidesRejected(state)
  return isStatus || FACETS[name].filters.some((each) => state.filters[each] !== undefined)
}

/** Returns the list's filters without those of the facet itself. */
export function listFacetFilters(state: ExplorerState, name: FacetName): FacetFilters {
  const own: readonly string[] = FACETS[name].filters
  const filters = Object.fromEntries(Object.entries(state.filters).filter(([each]) => !own.includes(each)))
  return toFilters({ ...state, filters, showsRejected: state.showsRejected || name === 'status' })
}
