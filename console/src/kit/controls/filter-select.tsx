// A list of values of which one filters the page, or none.
interface FilterSelectProps {
  readonly label: string
  /** Words for no choice, such as `All teams`. */
  readonly all: string
  readonly value: string | undefined
  /** Values with their words. */
  readonly options: readonly (readonly [value: string, words: string])[]
  /** Words for a chosen value that is not among the options. */
  readonly unknown: string
  readonly onChange: (value: string | undefined) => void
}

export function FilterSelect({ label, all, value, options, unknown, onChange }: FilterSelectProps) {
  const isKnown = value === undefined || options.some(([each]) => each === value)
  if (options.length === 0 && isKnown) return null
  return (
    <select
      aria-label={label}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
      className="h-8 max-w-44 rounded-md border border-line bg-panel px-2 text-sm max-sm:h-9"
    >
      <option value="">{all}</option>
      {!isKnown && <option value={value}>{unknown}</option>}
      {options.map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </select>
  )
}
