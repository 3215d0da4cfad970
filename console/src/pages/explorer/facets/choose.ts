// The values of a facet that are chosen, and what the state becomes when a person chooses or removes one.
import { FILTERS, type FilterName } from '../filters.ts'
import { type ExplorerState, withFilter } from '../state.ts'
import type { FacetName } from './specs.ts'

/** Lists the chosen values of a facet. */
export function listChosen({ filters }: ExplorerState, name: FacetName): readonly string[] {
  if (name === 'year') return findYear(filters.published_after, filters.published_before)
  return filters[name]?.split(',') ?? []
}

/** Returns the year if the dates are its first and its last day. */
function findYear(from = '', until = ''): readonly string[] {
  const year = from.slice(0, 4)
  return from === `${year}-01-01` && until === `${year}-12-31` ? [year] : []
}

/** Chooses or removes a value. Filters that have a single value take the new one instead of the old one. */
export function chooseValue(state: ExplorerState, name: FacetName, value: string, isOn: boolean): ExplorerState {
  if (name === 'year') {
    const from = withFilter(state, 'published_after', isOn ? `${value}-01-01` : undefined)
    return withFilter(from, 'published_before', isOn ? `${value}-12-31` : undefined)
  }
  const chosen = listChosen(state, name)
  if (!isOn) {
    const left = chosen.filter((each) => each !== value)
    return withFilter(state, name, left.join(','))
  }
  return withFilter(state, name, hasSingleValue(name) ? value : [...chosen, value].join(','))
}

function hasSingleValue(name: FilterName): boolean {
  return FILTERS[name].kind === 'choice' || FILTERS[name].kind === 'flag'
}
