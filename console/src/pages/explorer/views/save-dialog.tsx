// The dialog that names a view, and says who sees it.
import { type FormEvent, useState } from 'react'
import type { ViewList } from 'vis-sdk'
import { Button } from '../../../kit/controls/button.tsx'
import { Dialog } from '../../../kit/controls/dialog.tsx'
import { TextField } from '../../../kit/controls/field.tsx'
import { FormError } from '../../../kit/controls/form-error.tsx'

const MAX_NAME_LENGTH = 100

interface SaveDialogProps {
  readonly title: string
  readonly initialName: string
  /** What the person may save; undefined if who sees the view does not change. */
  readonly rights: ViewList['rights'] | undefined
  readonly isPending: boolean
  readonly error: unknown
  readonly onSave: (name: string, shared: boolean) => void
  readonly onClose: () => void
}

export function SaveDialog({ title, initialName, rights, isPending, error, onSave, onClose }: SaveDialogProps) {
  const [name, setName] = useState(initialName)
  const mustShare = rights !== undefined && !rights.saves_own
  const [isShared, setIsShared] = useState(mustShare)
  const refusal = rights && describeRefusal(rights)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSave(name.trim(), isShared)
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
      {refusal ? (
        <p className="text-sm text-ink-2">{refusal}</p>
      ) : (
        <form onSubmit={submit} className="space-y-3.5">
          <TextField
            label="Name"
            required
            maxLength={MAX_NAME_LENGTH}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          {rights && <ShareField rights={rights} isShared={isShared} mustShare={mustShare} onChange={setIsShared} />}
          <p className="text-xs text-ink-3">
            A view keeps the filters, the order and the columns. It finds new CVEs, too.
          </p>
          <FormError error={error} />
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" variant="primary" disabled={isPending || name.trim() === ''}>
              Save
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

function describeRefusal({ saves_own: savesOwn, saves_shared: savesShared }: ViewList['rights']): string | undefined {
  if (savesOwn || savesShared) return undefined
  return 'A session that was opened with an API key cannot save views. Sign in as a member of the account.'
}

interface ShareFieldProps {
  readonly rights: ViewList['rights']
  readonly isShared: boolean
  readonly mustShare: boolean
  readonly onChange: (isShared: boolean) => void
}

function ShareField({ rights, isShared, mustShare, onChange }: ShareFieldProps) {
  return (
    <label className="flex items-start gap-2 text-sm">
      <input
        type="checkbox"
        checked={isShared}
        disabled={!rights.saves_shared || mustShare}
        onChange={({ target }) => onChange(target.checked)}
        className="mt-0.5 size-4 accent-accent"
      />
      <span>
        Share with the account
        <span className="block text-xs text-ink-3">
          {rights.saves_shared
            ? 'All members see the view.'
            : 'Only admins and owners share views. You can save this one for yourself.'}
        </span>
      </span>
    </label>
  )
}
