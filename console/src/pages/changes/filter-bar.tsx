// The filters: week, priority, severity, KEV, vendor and product. The strip and the chips filter by kind.
import { type FormEvent, useId } from 'react'
import { PRIORITY_WORDS, SEVERITY_WORDS, TYPES_WORDS } from 'vis-sdk/vocabulary'
import { Button } from '../../kit/controls/button.tsx'
import { FilterChip } from '../../kit/controls/chip.tsx'
import { Menu, MenuCheckbox } from '../../kit/controls/menu.tsx'
import { capitalise } from '../../text/format.ts'
import type { ChangesState, Priority, Severity } from './state.ts'

interface FilterBarProps {
  readonly state: ChangesState
  readonly setState: (next: ChangesState) => void
}

const FIELD = 'h-8 w-full rounded-md border border-line-strong bg-panel px-2.5 text-sm max-sm:h-9'

export function FilterBar({ state, setState }: FilterBarProps) {
  return (
    <search aria-label="Filters" className="space-y-2.5">
      <div className="flex flex-wrap items-end gap-2">
        <Menu label="Filter by priority" trigger={`Priority${count(state.priority)}`}>
          {(Object.keys(PRIORITY_WORDS) as Priority[]).map((level) => (
            <MenuCheckbox
              key={level}
              isChecked={state.priority.includes(level)}
              onChange={(isOn) => setState({ ...state, priority: toggle(state.priority, level, isOn) })}
            >
              {level === 'unrated' ? capitalise(PRIORITY_WORDS.unrated) : `${level} ${PRIORITY_WORDS[level]}`}
            </MenuCheckbox>
          ))}
        </Menu>
        <Menu label="Filter by severity" trigger={`Severity${count(state.severity)}`}>
          {(Object.keys(SEVERITY_WORDS) as Severity[]).map((band) => (
            <MenuCheckbox
              key={band}
              isChecked={state.severity.includes(band)}
              onChange={(isOn) => setState({ ...state, severity: toggle(state.severity, band, isOn) })}
            >
              {capitalise(SEVERITY_WORDS[band])}
            </MenuCheckbox>
          ))}
        </Menu>
        <label className="flex h-8 items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={state.isInKev}
            onChange={({ target }) => setState({ ...state, isInKev: target.checked })}
            className="size-4 accent-accent"
          />
          Now in KEV
        </label>
        <NameForm key={`${state.vendor} ${state.product}`} state={state} setState={setState} />
      </div>
      <Chips state={state} setState={setState} />
    </search>
  )
}

const count = (values: readonly unknown[]) => (values.length === 0 ? '' : ` (${values.length})`)

function toggle<Value>(values: readonly Value[], value: Value, isOn: boolean): readonly Value[] {
  return isOn ? [...values, value] : values.filter((each) => each !== value)
}

/** Vendor and product are read by the service, so they are sent with Enter and not with each letter. */
function NameForm({ state, setState }: FilterBarProps) {
  const id = useId()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const read = (name: string) => {
      const value = form.get(name)
      return typeof value === 'string' ? value : ''
    }
    setState({ ...state, vendor: read('vendor'), product: read('product') })
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
      {(['vendor', 'product'] as const).map((name) => (
        <div key={name} className="w-36">
          <label htmlFor={`${id}-${name}`} className="sr-only">
            {capitalise(name)}
          </label>
          <input
            id={`${id}-${name}`}
            name={name}
            defaultValue={state[name]}
            placeholder={capitalise(name)}
            autoComplete="off"
            maxLength={100}
            className={FIELD}
          />
        </div>
      ))}
      <Button type="submit">Filter</Button>
    </form>
  )
}

function Chips({ state, setState }: FilterBarProps) {
  const { types, priority, severity, isInKev, vendor, product } = state
  const chips = [
    ...types.map((type) => ({
      label: capitalise(TYPES_WORDS[type]),
      next: { ...state, types: toggle(types, type, false) },
    })),
    ...priority.map((level) => ({ label: level, next: { ...state, priority: toggle(priority, level, false) } })),
    ...severity.map((band) => ({
      label: capitalise(band),
      next: { ...state, severity: toggle(severity, band, false) },
    })),
    ...(isInKev ? [{ label: 'Now in KEV', next: { ...state, isInKev: false } }] : []),
    ...(vendor === '' ? [] : [{ label: `Vendor ${vendor}`, next: { ...state, vendor: '' } }]),
    ...(product === '' ? [] : [{ label: `Product ${product}`, next: { ...state, product: '' } }]),
  ]
  if (chips.length === 0) return null
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {chips.map(({ label, next }) => (
        <FilterChip key={label} label={label} onRemove={() => setState(next)} />
      ))}
    </div>
  )
}
