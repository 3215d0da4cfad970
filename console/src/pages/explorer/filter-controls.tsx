// Controls of the filter panel. Each shows the value from the address and reports a new one.
import { type ReactNode, useId, useRef, useState } from 'react'
import { useShownValue } from '../../kit/use-shown-value.ts'
import { capitalise, formatNumber } from '../../text/format.ts'
import { FILTERS, type FilterName } from '../../text/search/filters.ts'
import { type ExplorerState, withFilter } from './state.ts'
import type { SetState } from './use-explorer.ts'

const FIELD = 'h-7 rounded-md border border-line-strong bg-canvas px-1.5 text-xs text-ink'

export interface FilterProps {
  readonly state: ExplorerState
  readonly setState: SetState
}

type NamedFilterProps = FilterProps & { readonly name: FilterName }

export function FilterGroup({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-xs font-semibold text-ink-2">{title}</legend>
      <div className="space-y-1">{children}</div>
    </fieldset>
  )
}

/** The control that suits a filter's values. Search words and component names are entered elsewhere. */
export function FilterControl(props: NamedFilterProps) {
  switch (FILTERS[props.name].kind) {
    case 'choices':
      return <Checkboxes {...props} />
    case 'choice':
    case 'flag':
      return <FilterSelect {...props} />
    case 'number':
    case 'percent':
      return <NumberField {...props} />
    case 'date':
    case 'day':
      return <DateField {...props} />
    case 'ids':
    case 'list':
    case 'text':
      return null
  }
}

/** One checkbox per value; several may be checked. */
function Checkboxes({ name, state, setState }: NamedFilterProps) {
  const spec = FILTERS[name]
  if (spec.kind !== 'choices') return null
  const chosen = state.filters[name]?.split(',') ?? []
  const toggle = (value: string, isOn: boolean) => {
    const next = isOn ? [...chosen, value] : chosen.filter((each) => each !== value)
    setState(withFilter(state, name, next.join(',')))
  }
  return Object.entries(spec.options).map(([value, word]) => (
    <label key={value} className="flex min-h-6 items-center gap-2 text-sm">
      <input
        type="checkbox"
        checked={chosen.includes(value)}
        onChange={(event) => toggle(value, event.target.checked)}
        className="size-3.5 accent-accent"
      />
      {word}
    </label>
  ))
}

/** A list with at most one selected value: yes and no for a flag, otherwise the filter's words. */
function FilterSelect({ name, state, setState }: NamedFilterProps) {
  const id = useId()
  const spec = FILTERS[name]
  const options = spec.kind === 'flag' ? { true: 'Yes', false: 'No' } : spec.kind === 'choice' ? spec.options : {}
  return (
    <FilterRow id={id} label={capitalise(FILTERS[name].label)}>
      <select
        id={id}
        value={state.filters[name] ?? ''}
        onChange={(event) => setState(withFilter(state, name, event.target.value))}
        className={`${FIELD} w-20`}
      >
        <option value="">Any</option>
        {Object.entries(options).map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </select>
    </FilterRow>
  )
}

/**
 * A number that takes effect on Enter or when the field loses the focus. Probabilities are entered as percentages. A
 * number that the API would refuse stays in the field, with a message, and does not change the filter.
 */
function NumberField({ name, state, setState }: NamedFilterProps) {
  const id = useId()
  const inputRef = useRef<HTMLInputElement>(null)
  /** The filter's value when a number was refused: the message disappears as soon as the filter changes. */
  const [refusedAt, setRefusedAt] = useState<string>()
  const { factor, min, max, isInteger } = readNumberSpec(name)
  const text = state.filters[name]
  const shown = text === undefined ? '' : String(round(Number(text) * factor))
  useShownValue(inputRef, shown)
  const isRefused = refusedAt === shown
  const commit = ({ value, validity }: HTMLInputElement) => {
    setRefusedAt(validity.valid ? undefined : shown)
    if (!validity.valid || value === shown) return
    setState(withFilter(state, name, value === '' ? undefined : String(round(Number(value) / factor))))
  }
  return (
    <div>
      <FilterRow id={id} label={capitalise(FILTERS[name].label)}>
        <span className="flex items-center gap-1">
          <input
            ref={inputRef}
            id={id}
            type="number"
            min={min}
            max={max}
            step={isInteger ? 1 : 'any'}
            defaultValue={shown}
            aria-invalid={isRefused || undefined}
            aria-errormessage={isRefused ? `${id}-error` : undefined}
            onBlur={(event) => commit(event.currentTarget)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') commit(event.currentTarget)
            }}
            className={`${FIELD} w-16 text-right aria-invalid:border-critical`}
          />
          {factor === 100 && <span className="text-xs text-ink-3">%</span>}
        </span>
      </FilterRow>
      <p role="alert" id={`${id}-error`} className="text-right text-xs text-critical">
        {isRefused && `Enter a ${isInteger ? 'whole ' : ''}number from ${min} to ${formatNumber(max)}.`}
      </p>
    </div>
  )
}

/** Returns the bounds of a number in the unit that people enter. */
function readNumberSpec(name: FilterName) {
  const spec = FILTERS[name]
  if (spec.kind !== 'number' && spec.kind !== 'percent') throw new Error(`The filter ${name} is not a number.`)
  const factor = spec.kind === 'percent' ? 100 : 1
  return { factor, min: spec.min * factor, max: spec.max * factor, isInteger: spec.isInteger ?? false }
}

/** A day. If the address contains a time, its day is shown. */
function DateField({ name, state, setState }: NamedFilterProps) {
  const id = useId()
  const inputRef = useRef<HTMLInputElement>(null)
  const shown = state.filters[name]?.slice(0, 10) ?? ''
  useShownValue(inputRef, shown)
  const change = (text: string) => {
    // While a year is being typed, the field reports years such as 0002.
    if (text === '' || text >= '1980') setState(withFilter(state, name, text))
  }
  return (
    <FilterRow id={id} label={capitalise(FILTERS[name].label)}>
      <input
        ref={inputRef}
        id={id}
        type="date"
        defaultValue={shown}
        onChange={(event) => change(event.target.value)}
        className={`${FIELD} w-32`}
      />
    </FilterRow>
  )
}

interface FilterRowProps {
  readonly id: string
  readonly label: string
  readonly children: ReactNode
}

function FilterRow({ id, label, children }: FilterRowProps) {
  return (
    <div className="flex min-h-7 items-center justify-between gap-2 text-sm">
      <label htmlFor={id}>{label}</label>
      {children}
    </div>
  )
}

/** Removes binary rounding errors: 0.07 × 100 is 7, not 7.000000000000001. */
function round(value: number): number {
  return Math.round(value * 1e6) / 1e6
}
