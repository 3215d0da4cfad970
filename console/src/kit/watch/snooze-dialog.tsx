// The dialog that silences a watch for some time.
import { type FormEvent, useState } from 'react'
import { shiftDay } from '../../text/months.ts'
import { Button } from '../controls/button.tsx'
import { CHOICE, CHOICES } from '../controls/choices.ts'
import { Dialog } from '../controls/dialog.tsx'
import { TextField } from '../controls/field.tsx'
import { FormError } from '../controls/form-error.tsx'

interface SnoozeDialogProps {
  /** Name of the watch. */
  readonly name: string
  /** UTC day of now. */
  readonly today: string
  readonly isPending: boolean
  readonly error: unknown
  /** Called with the last day of the snooze. */
  readonly onSnooze: (day: string) => void
  readonly onClose: () => void
}

const PERIODS = [
  [1, '1 day'],
  [7, '1 week'],
  [30, '30 days'],
] as const
const MAX_DAYS = 366

export function SnoozeDialog({ name, today, isPending, error, onSnooze, onClose }: SnoozeDialogProps) {
  const [day, setDay] = useState(shiftDay(today, PERIODS[1][0]))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSnooze(day)
  }
  return (
    <Dialog
      title={`Snooze “${name}”`}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      <form onSubmit={submit} className="space-y-3.5">
        <p className="text-sm text-ink-2">
          Its events are still recorded and stand in the inbox, but they do not count as unread until the snooze ends.
        </p>
        {/* biome-ignore lint/a11y/useSemanticElements: the buttons fill the field below. */}
        <div role="group" aria-label="For" className={CHOICES}>
          {PERIODS.map(([days, words]) => (
            <button
              key={days}
              type="button"
              className={CHOICE}
              aria-pressed={day === shiftDay(today, days)}
              onClick={() => setDay(shiftDay(today, days))}
            >
              {words}
            </button>
          ))}
        </div>
        <TextField
          label="Until the end of (UTC)"
          type="date"
          required
          min={today}
          max={shiftDay(today, MAX_DAYS)}
          className="max-w-48"
          value={day}
          onChange={({ target }) => setDay(target.value)}
        />
        <FormError error={error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={isPending || day === ''}>
            Snooze
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
