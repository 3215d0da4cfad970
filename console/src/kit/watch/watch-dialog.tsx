// The dialog that creates or changes a watch: its name, what it tells and for which team.
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { WatchKind, WatchPreview } from 'vis-sdk'
import { PRICES } from 'vis-sdk/vocabulary'
import { formatCredits } from '../../text/format.ts'
import { DEFAULT_KINDS } from '../../text/watch/kinds.ts'
import { describeAmount } from '../../text/watch/preview.ts'
import { describeQuery, suggestWatchName } from '../../text/watch/query.ts'
import { listRefused, type RefusedFilter, withoutRefused } from '../../text/watch/refused.ts'
import { Button } from '../controls/button.tsx'
import { Chip } from '../controls/chip.tsx'
import { Dialog } from '../controls/dialog.tsx'
import { TextField } from '../controls/field.tsx'
import { FormError } from '../controls/form-error.tsx'
import { KindChoice } from './kind-choice.tsx'

const MAX_NAME_LENGTH = 100
const MAX_TEAM_LENGTH = 60

interface WatchDraft {
  readonly name: string
  readonly team: string
  readonly query: string
  readonly kinds: readonly WatchKind[]
}

export interface WatchDialogProps {
  readonly title: string
  /** Label of the button that saves. */
  readonly action: string
  /** Filters of the search, as a query string. */
  readonly query: string
  /** The watch that is changed; undefined for a new one. */
  readonly initial?: Pick<WatchDraft, 'name' | 'team' | 'kinds'> | undefined
  /** Teams of other watches. */
  readonly teams: readonly string[]
  readonly isPending: boolean
  readonly error: unknown
  readonly preview: WatchPreview | undefined
  readonly isPreviewing: boolean
  readonly previewError: unknown
  /** Counts what the watch would have told. */
  readonly onPreview: (query: string) => void
  readonly onSave: (draft: WatchDraft) => void
  readonly onClose: () => void
  /** Further words about the search, such as how to change it. */
  readonly children?: ReactNode
}

export function WatchDialog(props: WatchDialogProps) {
  const { title, action, initial, isPending, error, onSave, onClose } = props
  const refused = listRefused(props.query)
  const query = refused.length > 0 ? withoutRefused(props.query) : props.query
  const isLost = refused.length > 0 && !hasFilter(query)
  const [name, setName] = useState(initial?.name ?? suggestWatchName(query))
  const [team, setTeam] = useState(initial?.team ?? '')
  const [kinds, setKinds] = useState(initial?.kinds ?? DEFAULT_KINDS)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSave({ name: name.trim(), team: team.trim(), query, kinds })
  }
  return (
    <Dialog
      title={title}
      isOpen
      startsInField
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      <form onSubmit={submit} className="space-y-3.5">
        <div className="grid gap-x-3 gap-y-3.5 sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <TextField
            label="Name"
            required
            maxLength={MAX_NAME_LENGTH}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <TeamField teams={props.teams} value={team} onChange={setTeam} />
        </div>
        <Search query={query} refused={refused} isLost={isLost}>
          {props.children}
        </Search>
        <KindChoice kinds={kinds} onChange={setKinds} preview={props.preview} />
        {!isLost && <Counting {...props} query={query} kinds={kinds} />}
        <FormError error={error} />
        {/* The buttons stay visible while the form scrolls. */}
        <div className="sticky -bottom-4 -mx-4 -mb-4 flex flex-wrap justify-end gap-2 border-t border-line bg-panel px-4 py-3">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            disabled={isPending || name.trim() === '' || kinds.length === 0 || isLost}
          >
            {refused.length > 0 ? `${action} without ${refused.length === 1 ? 'it' : 'them'}` : action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const hasFilter = (query: string) => [...new URLSearchParams(query).keys()].some((name) => name !== 'sort')

interface TeamFieldProps {
  readonly teams: readonly string[]
  readonly value: string
  readonly onChange: (team: string) => void
}

function TeamField({ teams, value, onChange }: TeamFieldProps) {
  const id = useId()
  return (
    <>
      <TextField
        label="Team (optional)"
        list={id}
        maxLength={MAX_TEAM_LENGTH}
        placeholder="such as network"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={id}>
        {teams.map((team) => (
          <option key={team} value={team} />
        ))}
      </datalist>
    </>
  )
}

interface SearchProps {
  readonly query: string
  readonly refused: readonly RefusedFilter[]
  /** Whether no filter is left. */
  readonly isLost: boolean
  readonly children: ReactNode
}

function Search({ query, refused, isLost, children }: SearchProps) {
  return (
    <div className="text-sm">
      <p className="mb-1 font-medium">Search</p>
      {!isLost && (
        <p className="flex flex-wrap gap-1.5">
          {describeQuery(query).map((words) => (
            <Chip key={words}>{words}</Chip>
          ))}
        </p>
      )}
      {refused.length > 0 && (
        <div role="note" className="mt-2 space-y-1 rounded-lg bg-high-soft px-3 py-2">
          <p>
            {isLost
              ? 'A watch cannot have this search:'
              : `A watch cannot have ${refused.length === 1 ? 'one of the filters' : `${refused.length} of the filters`}:`}
          </p>
          <ul className="list-disc pl-4">
            {refused.map(({ name, words, reason }) => (
              <li key={name}>
                <b>{words}</b>: {reason}
              </li>
            ))}
          </ul>
        </div>
      )}
      {children}
    </div>
  )
}

type CountingProps = Pick<WatchDialogProps, 'query' | 'preview' | 'isPreviewing' | 'previewError' | 'onPreview'> & {
  readonly kinds: readonly WatchKind[]
}

/** How much the watch would have told. The service works for it, so it is counted when the person asks, and only once. */
function Counting({ query, kinds, preview, isPreviewing, previewError, onPreview }: CountingProps) {
  if (preview)
    return (
      <p role="status" className="text-xs text-ink-2">
        {describeAmount(preview, kinds)}
      </p>
    )
  return (
    <div className="text-xs text-ink-3">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Button className="h-7 px-2 text-xs" disabled={isPreviewing} onClick={() => onPreview(query)}>
          {isPreviewing ? 'Counting' : 'Count the last 30 days'}
        </Button>
        <span>{`How often each would have happened. Free here, ${formatCredits(PRICES.previewWatch)} with an API key.`}</span>
      </span>
      <FormError error={previewError} />
    </div>
  )
}
