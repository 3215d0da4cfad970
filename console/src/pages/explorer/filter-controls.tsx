// Controls of the filter panel. Each shows the value in the address and reports a new one.
import { type ReactNode, useId } from 'react'
import { FILTERS, type FilterName } from './filters.ts'
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

/** One checkbox per value; several may be on. */
export function Checkboxes({ name, state, setState }: NamedFilterProps) {
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

interface SelectProps extends NamedFilterProps {
  readonly label: string
}

/** A list of one value or none: yes and no for a flag, else the words of the filter. */
export function FilterSelect({ name, label, state, setState }: SelectProps) {
  const id = useId()
  const spec = FILTERS[name]
  const options = spec.kind === 'flag' ? { true: 'Yes', false: 'No' } : spec.kind === 'choice' ? spec.options : {}
  return (
    <FilterRow id={id} label={label}>
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

interface NumberProps extends NamedFilterProps {
  readonly label: string
  readonly unit?: string
  readonly step?: number
}

/** A number that takes effect with Enter or when the field loses the focus. Probabilities are entered in percent. */
export function NumberField({ name, label, unit, step = 0.1, state, setState }: NumberProps) {
  const id = useId()
  const factor = FILTERS[name].kind === 'percent' ? 100 : 1
  const text = state.filters[name]
  const shown = text === undefined ? '' : String(round(Number(text) * factor))
  const commit = (input: HTMLInputElement) => {
    if (input.value === shown) return
    const next = input.value === '' ? undefined : String(round(Number(input.value) / factor))
    setState(withFilter(state, name, next))
  }
  const { max } = { max: undefined, ...FILTERS[name] }
  return (
    <FilterRow id={id} label={label}>
      <span className="flex items-center gap-1">
        <input
          id={id}
          key={shown}
          type="number"
          min={0}
          max={max === undefined ? undefined : max * factor}
          step={step}
          defaultValue={shown}
          onBlur={(event) => commit(event.currentTarget)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit(event.currentTarget)
          }}
          className={`${FIELD} w-16 text-right`}
        />
        {unit && <span className="text-xs text-ink-3">{unit}</span>}
      </span>
    </FilterRow>
  )
}

/** A day. A time in the address is shown as its day. */
export function DateField({ name, label, state, setState }: SelectProps) {
  const id = useId()
  const shown = state.filters[name]?.slice(0, 10) ?? ''
  const change = (text: string) => {
    // While a year is being typed, the field reports years such as 0002.
    if (text === '' || text >= '1980') setState(withFilter(state, name, text))
  }
  return (
    <FilterRow id={id} label={label}>
      <input
        id={id}
        key={shown}
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

/** Removes the noise of binary fractions: 0.07 × 100 is 7, not 7.000000000000001. */
function round(value: number): number {
  return Math.round(value * 1e6) / 1e6
}
