// The line above the list: active filters, and what is hidden.
import type { ReactNode } from 'react'
import { FilterChip } from '../../kit/controls/chip.tsx'
import { describeOmissions } from '../../text/search/describe-filters.ts'
import { listChips } from './chips.ts'
import type { FacetProps } from './facets/facet-group.tsx'
import { FacetNote } from './facets/facet-note.tsx'
import type { FilterProps } from './filter-controls.tsx'
import { FilterDialog } from './filter-panel.tsx'
import { hidesRejected } from './request.ts'

const LINK = 'rounded text-accent underline underline-offset-2'

interface FilterBarProps extends FacetProps {
  /** Controls at the end of the line. */
  readonly children: ReactNode
}

export function FilterBar({ state, setState, facets, children }: FilterBarProps) {
  const chips = listChips(state)
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1.5">
      <FilterDialog state={state} setState={setState} facets={facets} />
      {chips.map(({ label, without }) => (
        <FilterChip key={label} label={label} onRemove={() => setState(without)} />
      ))}
      {chips.length > 1 && (
        <button type="button" className={`${LINK} text-xs`} onClick={() => setState({ ...state, filters: {} })}>
          Remove all
        </button>
      )}
      <HiddenNote state={state} setState={setState} />
      <div className="hidden md:block">
        <FacetNote facets={facets} />
      </div>
      <div className="ml-auto flex flex-wrap gap-2">{children}</div>
    </div>
  )
}

/** Explains what the list hides although no filter says so, and offers to show it. */
export function HiddenNote({ state, setState }: FilterProps) {
  const omissions = describeOmissions(state)
  return (
    <p className="flex flex-wrap gap-x-2 text-xs text-ink-2 max-sm:order-last max-sm:w-full">
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
