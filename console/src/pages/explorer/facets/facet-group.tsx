// One facet: its values as checkboxes, with the number of CVEs for each, and a field for finding further names.
import { useId, useRef, useState } from 'react'
import { useInSight } from '../../../kit/use-in-sight.ts'
import { classNames } from '../../../text/class-names.ts'
import { formatNumber } from '../../../text/format.ts'
import type { FilterProps } from '../filter-controls.tsx'
import { chooseValue, listChosen } from './choose.ts'
import { listValues } from './list-values.ts'
import { NameField } from './name-field.tsx'
import { describeValue, FACETS, type FacetName, listFixedValues } from './specs.ts'
import type { FacetReads } from './use-facets.ts'

export interface FacetProps extends FilterProps {
  readonly facets: FacetReads
}

interface FacetListProps extends FacetProps {
  readonly name: FacetName
}

/** Number of values that a facet shows before the person asks for more. */
const FIRST_VALUES = 5

export function FacetGroup(props: FacetListProps) {
  const { title } = FACETS[props.name]
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-xs font-semibold text-ink-2">{title}</legend>
      <FacetList {...props} />
    </fieldset>
  )
}

export function FacetList({ name, facets, state, setState }: FacetListProps) {
  const place = useId()
  const listRef = useRef<HTMLDivElement>(null)
  const [isLong, setIsLong] = useState(false)
  useInSight(listRef, (isInSight) => facets.onSight(place, name, isInSight))
  const counts = facets.get(name)
  const chosen = listChosen(state, name)
  const isFixed = listFixedValues(name) !== undefined
  const values = listValues(name, counts?.values, chosen)
  const shown =
    isFixed || isLong ? values : values.filter(({ value }, at) => at < FIRST_VALUES || chosen.includes(value))
  const max = Math.max(1, ...values.map(({ count = 0 }) => count))
  return (
    <div ref={listRef}>
      {name !== 'year' && FACETS[name].names && (
        <div className="mb-1">
          <NameField name={name} state={state} setState={setState} />
        </div>
      )}
      {/* The height stays the same while counts load and after a selection, so that nothing moves under the pointer. */}
      <div className={isFixed ? '' : 'min-h-30'}>
        {!isFixed && !counts && facets.isReading && <PendingValues />}
        {shown.map(({ value, count }) => (
          <FacetValue
            key={value}
            words={describeValue(name, value)}
            count={count}
            share={name === 'year' ? (count ?? 0) / max : undefined}
            isOutdated={counts?.isOutdated === true}
            isChosen={chosen.includes(value)}
            onChange={(isOn) => setState(chooseValue(state, name, value, isOn))}
          />
        ))}
      </div>
      {!isFixed && values.length > FIRST_VALUES && (
        <button
          type="button"
          aria-expanded={isLong}
          onClick={() => setIsLong(!isLong)}
          className="rounded text-xs text-accent hover:underline"
        >
          {isLong ? 'Fewer' : `${values.length - FIRST_VALUES} more`}
          <span className="sr-only"> values of {FACETS[name].title}</span>
        </button>
      )}
    </div>
  )
}

interface FacetValueProps {
  readonly words: string
  readonly count: number | undefined
  /** Length of the bar next to the value, from 0 to 1. Without it, there is no bar. */
  readonly share: number | undefined
  readonly isOutdated: boolean
  readonly isChosen: boolean
  readonly onChange: (isChosen: boolean) => void
}

function FacetValue({ words, count, share, isOutdated, isChosen, onChange }: FacetValueProps) {
  const id = useId()
  const isRare = count === 0 && !isChosen
  return (
    <div className="relative flex min-h-6 items-center gap-2 rounded text-sm hover:bg-soft">
      {/* The label covers the whole line, so that a click on the number counts, too. */}
      <label
        title={words}
        className={classNames(
          'flex min-w-0 items-center gap-2 after:absolute after:inset-0',
          share === undefined && 'flex-1',
          isRare && 'text-ink-3',
        )}
      >
        <input
          type="checkbox"
          checked={isChosen}
          aria-describedby={count === undefined ? undefined : id}
          onChange={(event) => onChange(event.target.checked)}
          className="relative z-1 size-3.5 shrink-0 accent-accent"
        />
        <span className="truncate">{words}</span>
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
