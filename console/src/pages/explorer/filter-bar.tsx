// The line above the list: active filters, and what is hidden.
import { FilterChip } from '../../kit/controls/chip.tsx'
import { describeFilter, describeOmissions, listActiveFilters } from './describe-filters.ts'
import { chooseValue, listChosen } from './facets/choose.ts'
import type { FilterProps } from './filter-controls.tsx'
import { hidesRejected } from './request.ts'
import { type ExplorerState, withFilter } from './state.ts'

const LINK = 'rounded text-accent underline underline-offset-2'

export function FilterBar({ state, setState }: FilterProps) {
  const chips = listChips(state)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      {chips.map(({ label, without }) => (
        <FilterChip key={label} label={label} onRemove={() => setState(without)} />
      ))}
      {chips.length > 1 && (
        <button type="button" className={`${LINK} text-xs`} onClick={() => setState({ ...state, filters: {} })}>
          Remove all
        </button>
      )}
      <HiddenNote state={state} setState={setState} />
    </div>
  )
}

interface ActiveFilter {
  readonly label: string
  /** The state without the filter. */
  readonly without: ExplorerState
}

/** Lists the active filters. The two dates of a year count as one filter. */
function listChips(state: ExplorerState): readonly ActiveFilter[] {
  const [year] = listChosen(state, 'year')
  const names = listActiveFilters(state).filter((name) => year === undefined || !name.startsWith('published_'))
  const chips = names.map((name) => ({
    label: describeFilter(name, state.filters[name] ?? ''),
    without: withFilter(state, name, undefined),
  }))
  if (year === undefined) return chips
  return [...chips, { label: `published in ${year}`, without: chooseValue(state, 'year', year, false) }]
}

/** Explains what the list hides although no filter says so, and offers to show it. */
export function HiddenNote({ state, setState }: FilterProps) {
  const omissions = describeOmissions(state)
  return (
    <p className="flex flex-wrap gap-x-2 text-xs text-ink-2">
      {hidesRejected(state) && (
        <span>
          Rejected CVEs are hidden.{' '}
          <button type="button" className={LINK} onClick={() => setState({ ...state, showsRejected: true })}>
            Show them
          </button>
        </span>
      )}
      {state.showsRejected && (
        <span>
          Rejected CVEs are shown.{' '}
          <button type="button" className={LINK} onClick={() => setState({ ...state, showsRejected: false })}>
            Hide them
          </button>
        </span>
      )}
      {omissions.map((sentence) => (
        <span key={sentence}>{sentence}</span>
      ))}
    </p>
  )
}
