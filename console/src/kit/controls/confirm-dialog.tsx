// A confirmation before a change that cannot be undone.
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { FormError } from './form-error.tsx'

interface ConfirmDialogProps {
  readonly title: string
  /** Label of the button that makes the change, such as `Revoke`. */
  readonly action: string
  readonly isPending: boolean
  readonly error: unknown
  readonly onConfirm: () => void
  readonly onClose: () => void
  /** Explains what will happen. */
  readonly children: ReactNode
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, action, isPending, error, onConfirm, onClose, children } = props
  return (
    <Dialog
      title={title}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      <div className="space-y-2 text-sm text-ink-2">{children}</div>
      <FormError error={error} />
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger" disabled={isPending} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
