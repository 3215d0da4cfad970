// The form for a check: lines to paste or an SBOM file, and the options.
import { type FormEvent, type KeyboardEvent, type ReactNode, type Ref, useId } from 'react'
import { Button } from '../../kit/controls/button.tsx'
import type { SbomDocument } from './document.ts'
import { ChosenFile, FileField } from './file-field.tsx'
import type { LineIssue } from './lines.ts'
import { type CheckOptions, CONFIDENCE_WORDS, isKeyOf, LEVEL_CHOICES } from './state.ts'

interface InputFormProps {
  readonly text: string
  readonly setText: (text: string) => void
  readonly issues: readonly LineIssue[]
  readonly textRef: Ref<HTMLTextAreaElement>
  /** The file that is checked instead of the text. */
  readonly document: SbomDocument | undefined
  readonly chooseFile: (file: File) => Promise<void>
  readonly removeFile: () => void
  readonly fileIssue: string | undefined
  readonly options: CheckOptions
  readonly onOptions: (options: CheckOptions) => void
  readonly isPending: boolean
  readonly submit: () => void
}

const EXAMPLE = `pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1
cpe:2.3:a:apache:http_server:2.4.49:*:*:*:*:*:*:*
openssl openssl 1.0.1f`

export function InputForm(props: InputFormProps) {
  const { text, setText, document, removeFile, isPending, submit } = props
  const submitForm = (event: FormEvent) => {
    event.preventDefault()
    submit()
  }
  return (
    <form onSubmit={submitForm} className="space-y-3">
      {document ? <ChosenFile document={document} removeFile={removeFile} /> : <LinesField {...props} />}
      <FileField {...props} />
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
        <OptionFields {...props} />
        <div className="flex gap-2 max-sm:w-full sm:ml-auto">
          {text === '' && !document && <Button onClick={() => setText(EXAMPLE)}>Fill in an example</Button>}
          <Button type="submit" variant="primary" disabled={isPending} className="max-sm:flex-1">
            {isPending ? 'Checking' : 'Check'}
          </Button>
        </div>
      </div>
    </form>
  )
}

function LinesField({ text, setText, issues, textRef, submit }: InputFormProps) {
  const id = useId()
  const hasIssues = issues.length > 0
  const submitByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      submit()
    }
  }
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        Components, one per line
      </label>
      <p id={`${id}-help`} className="mb-1.5 text-xs text-ink-2">
        Package URLs, CPE names, or vendor, product and version separated by blanks.
      </p>
      <textarea
        ref={textRef}
        id={id}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={submitByKey}
        rows={Math.min(14, Math.max(5, text.split('\n').length + 1))}
        wrap="off"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        placeholder={EXAMPLE}
        aria-keyshortcuts="Control+Enter"
        aria-describedby={`${id}-help`}
        aria-invalid={hasIssues || undefined}
        aria-errormessage={hasIssues ? `${id}-issues` : undefined}
        className="block w-full rounded-lg border border-line-strong bg-canvas px-3 py-2 font-mono text-xs leading-relaxed placeholder:text-ink-3 aria-invalid:border-critical"
      />
      {hasIssues && <Issues id={`${id}-issues`} issues={issues} />}
    </div>
  )
}

/** Issues beyond this number are counted but not listed. */
const MAX_ISSUES = 10

function Issues({ id, issues }: { readonly id: string; readonly issues: readonly LineIssue[] }) {
  return (
    <ul id={id} role="alert" className="mt-2 space-y-0.5 text-sm text-critical">
      {issues.slice(0, MAX_ISSUES).map(({ line, message }) => (
        <li key={line}>
          <span className="font-semibold">Line {line}:</span> {message}
        </li>
      ))}
      {issues.length > MAX_ISSUES && <li>{`${issues.length - MAX_ISSUES} more lines need a change.`}</li>}
    </ul>
  )
}

function OptionFields({ options, onOptions }: InputFormProps) {
  return (
    <>
      <Choice
        label="Minimum confidence"
        words={CONFIDENCE_WORDS}
        value={options.confidence_min}
        onChange={(confidence_min) => onOptions({ ...options, confidence_min })}
      />
      <Choice
        label="Priority"
        words={LEVEL_CHOICES}
        value={options.priority_max}
        onChange={(priority_max) => onOptions({ ...options, priority_max })}
      />
    </>
  )
}

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly words: Readonly<Record<Value, string>>
  readonly value: Value
  readonly onChange: (value: Value) => void
}

export function Choice<Value extends string>({ label, words, value, onChange }: ChoiceProps<Value>): ReactNode {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-xs text-ink-2">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => {
          if (isKeyOf(words, target.value)) onChange(target.value)
        }}
        className="h-8 rounded-md border border-line-strong bg-panel px-2.5 text-sm"
      >
        {Object.entries<string>(words).map(([each, word]) => (
          <option key={each} value={each}>
            {word}
          </option>
        ))}
      </select>
    </div>
  )
}
