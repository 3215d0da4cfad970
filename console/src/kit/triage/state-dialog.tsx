// The dialog that sets the triage state of one or several CVEs.
import { type FormEvent, useId, useState } from 'react'
import type { TriageEntry } from 'vis-sdk'
import { describeIdleReopener, type Urgency } from '../../text/reopeners.ts'
import {
  describeActor,
  describeScope,
  EVERYWHERE,
  JUSTIFICATION_WORDS,
  REOPENER_WORDS,
  type StateConflict,
  type StateDraft,
  TRIAGE_STATES,
  TRIAGE_WORDS,
  type TriageState,
} from '../../text/triage.ts'
import { Button } from '../controls/button.tsx'
import { Dialog } from '../controls/dialog.tsx'
import { SelectField, TextArea, TextField } from '../controls/field.tsx'
import { FormError } from '../controls/form-error.tsx'
import { StateShape } from './state-chip.tsx'

export interface StateDialogProps {
  /** What the state is about: an id, or the number of CVEs. */
  readonly subject: string
  /** The entry that is changed; undefined for a new one. */
  readonly entry: TriageEntry | undefined
  /** Packages and products to which the state can be limited. */
  readonly scopes: readonly string[]
  /** What is known now about each CVE. */
  readonly urgencies: readonly Urgency[]
  readonly isPending: boolean
  readonly error: unknown
  readonly conflict: StateConflict | undefined
  readonly onSave: (draft: StateDraft) => void
  /** Saves the draft although a colleague changed the entry meanwhile. */
  readonly onReplace: () => void
  readonly onRemove: (() => void) | undefined
  readonly onClose: () => void
}

export function StateDialog(props: StateDialogProps) {
  const { subject, conflict, onClose } = props
  return (
    <Dialog
      title={`State of ${subject}`}
      isOpen
      startsInField
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      {conflict ? <Conflict {...props} conflict={conflict} /> : <StateForm {...props} />}
    </Dialog>
  )
}

function StateForm(props: StateDialogProps) {
  const { entry, scopes, urgencies, isPending, error, onSave, onRemove, onClose } = props
  const [draft, setDraft] = useState(() => toDraft(entry))
  const change = (part: Partial<StateDraft>) => setDraft((before) => ({ ...before, ...part }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSave(tidyDraft(draft))
  }
  return (
    <form onSubmit={submit} className="space-y-3.5">
      <States value={draft.state} onChange={(state) => change({ state })} />
      <Scope draft={draft} scopes={scopes} isFixed={entry !== undefined} onChange={change} />
      <Statements draft={draft} onChange={change} />
      <TextArea
        label="Note"
        rows={2}
        maxLength={2000}
        value={draft.note ?? ''}
        onChange={({ target }) => change({ note: target.value })}
      />
      <Ends draft={draft} urgencies={urgencies} onChange={change} />
      <FormError error={error} />
      {/* The buttons stay visible while the form scrolls. */}
      <div className="sticky -bottom-4 -mx-4 -mb-4 flex flex-wrap justify-end gap-2 border-t border-line bg-panel px-4 py-3">
        {onRemove && (
          <Button variant="quiet" className="mr-auto" disabled={isPending} onClick={onRemove}>
            Remove the state
          </Button>
        )}
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={isPending}>
          Save
        </Button>
      </div>
    </form>
  )
}

function toDraft(entry: TriageEntry | undefined): StateDraft {
  if (!entry) return { state: 'under_investigation', scope: EVERYWHERE, unless: ['exploited', 'priority_raised'] }
  const {
    state,
    scope,
    unless,
    version_range,
    justification,
    impact_statement,
    action_statement,
    note,
    until_day: until,
  } = entry
  const given = { version_range, justification, impact_statement, action_statement, note, until }
  return { state, scope, unless: [...unless], ...dropEmpty(given) }
}

/** Leaves out members that the state cannot have, and empty ones. */
export function tidyDraft({ state, scope, unless, ...draft }: StateDraft): StateDraft {
  const { version_range, justification, impact_statement, action_statement, note, until } = draft
  return {
    state,
    scope: scope.trim(),
    ...(unless === undefined ? {} : { unless }),
    ...dropEmpty({
      note,
      until,
      ...(scope.trim() === EVERYWHERE ? {} : { version_range }),
      ...(state === 'not_affected' ? { justification, impact_statement } : {}),
      ...(state === 'affected' || state === 'accepted' ? { action_statement } : {}),
    }),
  }
}

type Present<Members> = { readonly [Name in keyof Members]?: NonNullable<Members[Name]> }

function dropEmpty<Members extends object>(members: Members): Present<Members> {
  const given = Object.entries(members).filter(([, value]) => typeof value === 'string' && value.trim() !== '')
  // The cast is safe: only members with a value are left.
  return Object.fromEntries(given) as Present<Members>
}

interface PartProps {
  readonly draft: StateDraft
  readonly onChange: (part: Partial<StateDraft>) => void
}

interface StatesProps {
  readonly value: TriageState
  readonly onChange: (state: TriageState) => void
}

function States({ value, onChange }: StatesProps) {
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">State</legend>
      <div className="grid gap-1.5">
        {TRIAGE_STATES.map((state) => (
          <label
            key={state}
            className="flex items-center gap-2.5 rounded-lg border border-line px-3 py-1.5 has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name={name}
              checked={value === state}
              onChange={() => onChange(state)}
              className="size-4 accent-accent"
            />
            <StateShape state={state} />
            <span className="min-w-0">
              <span className="font-medium">{TRIAGE_WORDS[state].label}</span>{' '}
              <span className="text-xs text-ink-2">{TRIAGE_WORDS[state].meaning}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

interface ScopeProps extends PartProps {
  readonly scopes: readonly string[]
  /** Whether the scope belongs to an entry that exists. Another scope would be another entry. */
  readonly isFixed: boolean
}

function Scope({ draft, scopes, isFixed, onChange }: ScopeProps) {
  const listId = useId()
  const isEverywhere = draft.scope.trim() === EVERYWHERE
  return (
    <>
      <TextField
        label="Scope"
        list={listId}
        required
        readOnly={isFixed}
        maxLength={512}
        value={draft.scope}
        onChange={({ target }) => onChange({ scope: target.value })}
        help={
          isEverywhere
            ? '* is the CVE as such: it is shown everywhere and hides nothing. Write a package URL or a CPE name to hide findings of that package or product.'
            : 'Findings outside of this scope stay visible.'
        }
      />
      <datalist id={listId}>
        {[EVERYWHERE, ...scopes].map((scope) => (
          <option key={scope} value={scope} />
        ))}
      </datalist>
      {!isEverywhere && (
        <TextField
          label="Versions"
          readOnly={isFixed}
          maxLength={256}
          placeholder="all versions"
          value={draft.version_range ?? ''}
          onChange={({ target }) => onChange({ version_range: target.value })}
          help="An interval such as >=1.0|<2.0, or single versions such as =1.5|=1.6."
        />
      )}
    </>
  )
}

function Statements({ draft, onChange }: PartProps) {
  if (draft.state === 'not_affected')
    return (
      <>
        <SelectField
          label="Why"
          value={draft.justification ?? ''}
          options={[['', 'in my own words'], ...Object.entries(JUSTIFICATION_WORDS)]}
          onChange={({ target: { value } }) =>
            onChange({ justification: isJustification(value) ? value : undefined } as Partial<StateDraft>)
          }
        />
        <TextArea
          label="Reason in words"
          rows={2}
          maxLength={2000}
          required={!draft.justification}
          value={draft.impact_statement ?? ''}
          onChange={({ target }) => onChange({ impact_statement: target.value })}
        />
      </>
    )
  if (draft.state !== 'affected' && draft.state !== 'accepted') return null
  return (
    <TextField
      label="What you do about it"
      maxLength={2000}
      value={draft.action_statement ?? ''}
      onChange={({ target }) => onChange({ action_statement: target.value })}
    />
  )
}

function isJustification(value: string): value is keyof typeof JUSTIFICATION_WORDS {
  return Object.hasOwn(JUSTIFICATION_WORDS, value)
}

// The cast is safe: the keys of the table are the words of the API.
const REOPENERS = Object.entries(REOPENER_WORDS) as readonly (readonly [keyof typeof REOPENER_WORDS, string])[]

function Ends({ draft, urgencies, onChange }: PartProps & Pick<StateDialogProps, 'urgencies'>) {
  const unless = draft.unless ?? []
  return (
    <>
      <TextField
        label="Until"
        type="date"
        className="max-w-48"
        value={draft.until ?? ''}
        onChange={({ target }) => onChange({ until: target.value })}
        help="The last day on which the state hides findings. Empty: no end."
      />
      <fieldset>
        <legend className="mb-1 text-sm font-medium">Unless</legend>
        {REOPENERS.map(([reopener, words]) => {
          const idle = describeIdleReopener(reopener, urgencies)
          if (idle !== undefined)
            return (
              <p key={reopener} className="text-xs text-ink-2">
                {idle}
              </p>
            )
          return (
            <label key={reopener} className="flex min-h-6 items-center gap-2 text-sm">
              <input
                type="checkbox"
                checked={unless.includes(reopener)}
                onChange={({ target }) => onChange({ unless: toggleReopener(unless, reopener, target.checked) })}
                className="size-4 accent-accent"
              />
              {words}
            </label>
          )
        })}
      </fieldset>
    </>
  )
}

/** Keeps the order of the table. */
function toggleReopener(
  chosen: NonNullable<StateDraft['unless']>,
  reopener: keyof typeof REOPENER_WORDS,
  isOn: boolean,
) {
  return REOPENERS.map(([each]) => each).filter((each) => (each === reopener ? isOn : chosen.includes(each)))
}

/** Shows both versions if a colleague changed the entry meanwhile. Nothing is overwritten unseen. */
function Conflict({ conflict, isPending, error, onReplace, onClose }: StateDialogProps & { conflict: StateConflict }) {
  const { theirs, mine } = conflict
  return (
    <div className="space-y-3.5">
      <p role="alert" className="rounded-lg bg-high-soft px-3 py-2 text-sm">
        {theirs === null
          ? 'The state was removed meanwhile. Nothing was saved.'
          : `${describeActor(theirs.set_by)} changed the state meanwhile. Nothing was saved.`}
      </p>
      <div className="grid gap-3 sm:grid-cols-2">
        <Version title="Now" version={theirs ?? undefined} />
        <Version title="Yours" version={mine} />
      </div>
      <FormError error={error} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Keep what is there</Button>
        <Button variant="primary" disabled={isPending} onClick={onReplace}>
          Replace with yours
        </Button>
      </div>
    </div>
  )
}

interface VersionProps {
  readonly title: string
  readonly version: StateDraft | TriageEntry | undefined
}

function Version({ title, version }: VersionProps) {
  const until = version && ('until_day' in version ? version.until_day : version.until)
  return (
    <section aria-label={title} className="min-w-0 rounded-lg border border-line px-3 py-2 text-sm">
      <h3 className="mb-1 text-xs font-medium text-ink-3">{title}</h3>
      {version === undefined ? (
        <p>No state</p>
      ) : (
        <>
          <p className="flex items-center gap-1.5 font-medium">
            <StateShape state={version.state} /> {TRIAGE_WORDS[version.state].label}
          </p>
          <p className="text-xs break-words text-ink-2">
            {describeScope({ scope: version.scope, version_range: version.version_range ?? null })}
            {until && `, until ${until}`}
          </p>
          {version.note && <p className="mt-1 break-words">{version.note}</p>}
        </>
      )}
    </section>
  )
}
