// Which values of a facet are selected, and the state after a person selects or clears one.

import type { FacetName } from '../../../text/search/facet-specs.ts'
import { FILTERS, type FilterName, splitItems } from '../../../text/search/filters.ts'
import { chooseMaturity, listChosenMaturities } from '../../../text/search/maturities.ts'
import { type ExplorerState, withFilter } from '../state.ts'

export function listChosen({ filters }: ExplorerState, name: FacetName): readonly string[] {
  if (name === 'year') return findYear(filters.published_after, filters.published_before)
  const values = filters[name] === undefined ? [] : splitItems(name, filters[name])
  return name === 'exploit_maturity' ? listChosenMaturities(values) : values
}

/** Returns the year if the dates are its first and last day. */
function findYear(from = '', until = ''): readonly string[] {
  const year = from.slice(0, 4)
  return from === `${year}-01-01` && until === `${year}-12-31` ? [year] : []
}

/** Selects or clears a value. In a filter with a single value, the new one replaces the old one. */
export function chooseValue(state: ExplorerState, name: FacetName, value: string, isOn: boolean): ExplorerState {
  if (name === 'year') {
    const from = withFilter(state, 'published_after', isOn ? `${value}-01-01` : undefined)
    return withFilter(from, 'published_before', isOn ? `${value}-12-31` : undefined)
  }
  if (name === 'exploit_maturity') {
    const filter = state.filters[name] === undefined ? [] : splitItems(name, state.filters[name])
    return withFilter(state, name, chooseMaturity(filter, value, isOn).join(','))
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
