// One facet: its values as checkboxes, with the number of CVEs for each, and a field for finding further names.
import { useId, useRef, useState } from 'react'
import { useInSight } from '../../../kit/use-in-sight.ts'
import { classNames } from '../../../text/class-names.ts'
import { formatNumber } from '../../../text/format.ts'
import { describeValue, FACETS, type FacetName, listFixedValues } from '../../../text/search/facet-specs.ts'
import { isPartlyExploited } from '../../../text/search/maturities.ts'
import type { FilterProps } from '../filter-controls.tsx'
import { chooseValue, listChosen } from './choose.ts'
import { listValues } from './list-values.ts'
import { NameField } from './name-field.tsx'
import type { FacetReads } from './use-facets.ts'

export interface FacetProps extends FilterProps {
  readonly facets: FacetReads
}

interface FacetListProps extends FacetProps {
  readonly name: FacetName
  /** Shows the first values only, for the strip above the list. */
  readonly isCompact?: boolean
}

/** Number of values that a facet shows before the person asks for more. */
const FIRST_VALUES = 5
const FIRST_COMPACT_VALUES = 4

export function FacetGroup(props: FacetListProps) {
  const { title } = FACETS[props.name]
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-xs font-semibold text-ink-2">{title}</legend>
      <FacetList {...props} />
    </fieldset>
  )
}

export function FacetList({ name, facets, state, setState, isCompact = false }: FacetListProps) {
  const place = useId()
  const listRef = useRef<HTMLDivElement>(null)
  const [isLong, setIsLong] = useState(false)
  useInSight(listRef, (isInSight) => facets.onSight(place, name, isInSight))
  const counts = facets.get(name)
  const chosen = listChosen(state, name)
  const filter = state.filters.exploit_maturity?.split(',') ?? []
  const isFixed = listFixedValues(name) !== undefined
  const values = listValues(name, counts?.values, chosen)
  const first = isCompact ? FIRST_COMPACT_VALUES : isFixed ? values.length : FIRST_VALUES
  const shown = isLong ? values : values.filter(({ value }, at) => at < first || chosen.includes(value))
  const { title, names, none } = FACETS[name]
  const max = Math.max(1, ...values.map(({ count = 0 }) => count))
  return (
    <div ref={listRef}>
      {name !== 'year' && names && (!isCompact || isLong) && (
        <div className="mb-1">
          <NameField name={name} state={state} setState={setState} />
        </div>
      )}
      {/* The height stays the same while counts load and after a selection, so that nothing moves under the pointer. */}
      <div className={isFixed && !isCompact ? '' : 'min-h-30'}>
        {!isFixed && !counts && facets.isReading && <PendingValues />}
        {shown.map(({ value, count }) => (
          <FacetValue
            key={value}
            words={describeValue(name, value)}
            isPart={name === 'exploit_maturity' && value === 'ransomware'}
            isPartlyChosen={name === 'exploit_maturity' && value === 'active' && isPartlyExploited(filter)}
            isDashed={name === 'priority' && value === 'unrated'}
            count={count}
            share={name === 'year' && !isCompact ? (count ?? 0) / max : undefined}
            isOutdated={counts?.isOutdated === true}
            isChosen={chosen.includes(value)}
            onChange={(isOn) => setState(chooseValue(state, name, value, isOn))}
          />
        ))}
        {counts !== undefined && counts.none > 0 && (
          <NoneLine words={none} count={counts.none} isOutdated={counts.isOutdated} />
        )}
      </div>
      {values.length > first && (
        <button
          type="button"
          aria-expanded={isLong}
          onClick={() => setIsLong(!isLong)}
          className="min-h-6 rounded text-xs text-accent hover:underline"
        >
          {isLong ? 'Fewer' : `${values.length - shown.length} more`}
          <span className="sr-only"> values of {title}</span>
        </button>
      )}
    </div>
  )
}

interface NoneLineProps {
  readonly words: string
  readonly count: number
  readonly isOutdated: boolean
}

/** The number of CVEs without a value. No filter of the API finds exactly these, so the line has no checkbox. */
function NoneLine({ words, count, isOutdated }: NoneLineProps) {
  return (
    <p className="flex min-h-6 items-center gap-2 text-sm text-ink-3">
      <span className="min-w-0 flex-1 truncate pl-5" title={words}>
        {words}
      </span>
      <span className={classNames('text-xs', isOutdated && 'opacity-50')}>
        {formatNumber(count)}
        <span className="sr-only"> {count === 1 ? 'CVE' : 'CVEs'}</span>
      </span>
    </p>
  )
}

interface FacetValueProps {
  readonly words: string
  /** Whether the value is a part of the one above. */
  readonly isPart: boolean
  /** Whether only a part of the value is chosen. */
  readonly isPartlyChosen: boolean
  /** For CVEs that are not assessed yet: a dashed frame, so that they do not look like routine ones. */
  readonly isDashed: boolean
  readonly count: number | undefined
  /** Length of the bar next to the value, from 0 to 1. Without it, there is no bar. */
  readonly share: number | undefined
  readonly isOutdated: boolean
  readonly isChosen: boolean
  readonly onChange: (isChosen: boolean) => void
}

function FacetValue(props: FacetValueProps) {
  const { words, isPart, isPartlyChosen, isDashed, count, share, isOutdated, isChosen, onChange } = props
  const id = useId()
  const isRare = count === 0 && !isChosen
  return (
    <div className="relative flex min-h-6 items-center gap-2 rounded text-sm hover:bg-soft">
      {/* The label covers the whole line, so that a click on the number counts, too. */}
      <label
        title={words}
        className={classNames(
          'flex min-w-0 items-center gap-1.5 after:absolute after:inset-0',
          share === undefined && 'flex-1',
          isRare && 'text-ink-3',
          isPart && 'pl-2',
        )}
      >
        <input
          type="checkbox"
          ref={(input) => {
            if (input) input.indeterminate = isPartlyChosen
          }}
          checked={isChosen}
          aria-describedby={count === undefined ? undefined : id}
          onChange={(event) => onChange(event.target.checked)}
          className="relative z-1 size-3.5 shrink-0 accent-accent"
        />
        <span className={classNames('truncate', isDashed && 'rounded border border-dashed border-line-strong px-1')}>
          {words}
        </span>
      </label>
      {share !== undefined && (
        <svg aria-hidden viewBox="0 0 100 6" preserveAspectRatio="none" className="h-1.5 min-w-0 flex-1">
          <rect width={Math.max(1, share * 100)} height="6" className="fill-accent opacity-60" />
        </svg>
      )}
      <span id={id} className={classNames('text-xs text-ink-2', isOutdated && 'opacity-50')}>
        {count !== undefined && (
          <>
            {formatNumber(count)}
            <span className="sr-only"> {count === 1 ? 'CVE' : 'CVEs'}</span>
          </>
        )}
      </span>
    </div>
  )
}

/** Placeholder lines for values that are still loading. */
function PendingValues() {
  return (
    <div aria-hidden className="space-y-2.5 pt-1.5">
      {['w-4/5', 'w-3/5', 'w-2/3', 'w-1/2', 'w-3/5'].map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines never move.
        <div key={index} className={`h-3.5 animate-pulse rounded bg-soft ${width}`} />
      ))}
    </div>
  )
}
