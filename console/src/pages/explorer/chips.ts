// The chips of the active filters, and what remains when one is removed.
import { describeFilter, listActiveFilters } from '../../text/search/describe-filters.ts'
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

const MAX_NAME_LENGTH = 100

/** Suggests a name for the list as a view: its filters, as the chips name them. */
export function suggestName(state: ExplorerState): string {
  const name = listChips(state)
    .map(({ label }) => label)
    .join('; ')
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name
}
