// The dialog that mutes a CVE in a watch: until when, and what still speaks.
import { type FormEvent, useState } from 'react'
import { shiftDay } from '../../text/months.ts'
import { describeIdleReopener, type Urgency } from '../../text/reopeners.ts'
import { REOPENER_WORDS, type StateDraft, toWatchScope } from '../../text/triage.ts'
import { Button } from '../controls/button.tsx'
import { Dialog } from '../controls/dialog.tsx'
import { SelectField, TextField } from '../controls/field.tsx'
import { FormError } from '../controls/form-error.tsx'

interface MuteDialogProps {
  readonly cveId: string
  /** The watches that told it, by id. */
  readonly watches: readonly (readonly [id: string, name: string])[]
  /** What is known about the CVE now. */
  readonly urgency: Urgency
  /** UTC day of now. */
  readonly today: string
  readonly isPending: boolean
  readonly error: unknown
  readonly onMute: (draft: StateDraft) => void
  readonly onClose: () => void
}

const DAYS = 30
const MAX_NOTE_LENGTH = 2000

type Reopener = keyof typeof REOPENER_WORDS

// The cast is safe: the keys of the table are the words of the API.
const REOPENERS = Object.keys(REOPENER_WORDS) as readonly Reopener[]

export function MuteDialog(props: MuteDialogProps) {
  const { cveId, watches, urgency, today, isPending, error, onMute, onClose } = props
  const [watch, setWatch] = useState(watches[0]?.[0] ?? '')
  const [until, setUntil] = useState(shiftDay(today, DAYS))
  const [unless, setUnless] = useState<readonly Reopener[]>(REOPENERS)
  const [note, setNote] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onMute({
      // Of the states that hide findings, the one that claims nothing about what runs where.
      state: 'accepted',
      scope: toWatchScope(watch),
      unless: [...unless],
      ...(until === '' ? {} : { until }),
      ...(note.trim() === '' ? {} : { note: note.trim() }),
    })
  }
  return (
    <Dialog
      title={`Mute ${cveId}`}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      <form onSubmit={submit} className="space-y-3.5">
        <Meaning />
        <SelectField
          label="In the watch"
          value={watch}
          options={watches}
          onChange={({ target }) => setWatch(target.value)}
        />
        <UntilField today={today} value={until} onChange={setUntil} />
        <Unless chosen={unless} urgency={urgency} onChange={setUnless} />
        <TextField
          label="Reason (optional)"
          maxLength={MAX_NOTE_LENGTH}
          value={note}
          onChange={({ target }) => setNote(target.value)}
          help="Colleagues see it. It is kept with the states of the CVE, as the state Accepted in this watch."
        />
        <FormError error={error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={isPending || watch === ''}>
            Mute
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const Meaning = () => (
  <p className="text-sm text-ink-2">
    Later events of this CVE in the watch stay in the inbox, marked as muted, and do not count as unread.
  </p>
)

interface UntilFieldProps {
  readonly today: string
  readonly value: string
  readonly onChange: (day: string) => void
}

const UntilField = ({ today, value, onChange }: UntilFieldProps) => (
  <TextField
    label="Until the end of (UTC)"
    type="date"
    min={today}
    className="max-w-48"
    value={value}
    onChange={({ target }) => onChange(target.value)}
    help="Empty: no end."
  />
)

interface UnlessProps {
  readonly chosen: readonly Reopener[]
  readonly urgency: Urgency
  readonly onChange: (chosen: readonly Reopener[]) => void
}

function Unless({ chosen, urgency, onChange }: UnlessProps) {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">Unless</legend>
      {REOPENERS.map((reopener) => {
        const idle = describeIdleReopener(reopener, [urgency])
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
              checked={chosen.includes(reopener)}
              onChange={({ target: { checked } }) =>
                onChange(REOPENERS.filter((each) => (each === reopener ? checked : chosen.includes(each))))
              }
              className="size-4 accent-accent"
            />
            {REOPENER_WORDS[reopener]}
          </label>
        )
      })}
    </fieldset>
  )
}
