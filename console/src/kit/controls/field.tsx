// A labelled form control with help text below it.
import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from '../../text/class-names.ts'

/** Classes for text fields and lists. */
const CONTROL = 'w-full rounded-lg border border-line-strong bg-canvas px-3 text-sm text-ink'

interface FieldProps {
  readonly label: string
  readonly help?: ReactNode
  /** Renders the control. The id connects the label, and `describedBy` the help text. */
  readonly children: (control: { readonly id: string; readonly 'aria-describedby'?: string }) => ReactNode
}

function Field({ label, help, children }: FieldProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      {children({ id, ...(help ? { 'aria-describedby': `${id}-help` } : {}) })}
      {help && (
        <p id={`${id}-help`} className="mt-1 text-xs text-ink-3">
          {help}
        </p>
      )}
    </div>
  )
}

type Labels = Pick<FieldProps, 'label' | 'help'>

export function TextField({ label, help, className, ...input }: Labels & ComponentProps<'input'>) {
  return (
    <Field label={label} help={help}>
      {(control) => <input {...input} {...control} className={classNames(CONTROL, 'h-9', className)} />}
    </Field>
  )
}

export function TextArea({ label, help, className, ...input }: Labels & ComponentProps<'textarea'>) {
  return (
    <Field label={label} help={help}>
      {(control) => <textarea {...input} {...control} className={classNames(CONTROL, 'py-1.5', className)} />}
    </Field>
  )
}

interface SelectFieldProps extends Labels, Omit<ComponentProps<'select'>, 'children'> {
  /** Values with their labels, in list order. */
  readonly options: readonly (readonly [value: string, words: string])[]
}

export function SelectField({ label, help, options, className, ...select }: SelectFieldProps) {
  return (
    <Field label={label} help={help}>
      {(control) => (
        <select {...select} {...control} className={classNames(CONTROL, 'h-9', className)}>
          {options.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
