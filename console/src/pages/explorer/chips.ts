// The chips of the active filters, and what remains when one is removed.
import { describeFilter, listActiveFilters } from './describe-filters.ts'
import { chooseValue, listChosen } from './facets/choose.ts'
import { type ExplorerState, withFilter } from './state.ts'

interface ActiveFilter {
  readonly label: string
  /** The state without the filter. */
  readonly without: ExplorerState
}

/** Lists the active filters. The two dates of a year count as one filter. */
export function listChips(state: ExplorerState): readonly ActiveFilter[] {
  const [year] = listChosen(state, 'year')
  const names = listActiveFilters(state).filter((name) => year === undefined || !name.startsWith('published_'))
  const chips = names.map((name) => ({
    label: describeFilter(name, state.filters[name] ?? ''),
    without: withFilter(state, name, undefined),
  }))
  if (year === undefined) return chips
  return [...chips, { label: `published in ${year}`, without: chooseValue(state, 'year', year, false) }]
}
