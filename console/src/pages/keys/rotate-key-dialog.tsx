import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import type { ApiKey, CreatedKey } from 'vis-sdk'
import { client } from '../../data/client.ts'
import { Button } from '../../kit/controls/button.tsx'
import { Dialog } from '../../kit/controls/dialog.tsx'
import { SelectField } from '../../kit/controls/field.tsx'
import { FormError } from '../../kit/controls/form-error.tsx'
import { readFormText } from '../../kit/controls/form-text.ts'
import { nameKey } from './key-texts.ts'

const OVERLAPS = [
  ['0', '0 hours (it expires now)'],
  ['1', '1 hour'],
  ['24', '24 hours'],
  ['72', '3 days'],
  ['168', '7 days'],
] as const

interface RotateKeyDialogProps {
  readonly keyToRotate: ApiKey
  readonly onDone: (created: CreatedKey) => void
  readonly onClose: () => void
}

export function RotateKeyDialog({ keyToRotate, onDone, onClose }: RotateKeyDialogProps) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: (overlapHours: number) => client.rotateKey(keyToRotate.id, { overlap_hours: overlapHours }),
    onSuccess: onDone,
    // The answer contains the secret, which the cache must not keep.
    gcTime: 0,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate(Number(readFormText(event.currentTarget, 'overlap')))
  }
  return (
    <Dialog
      title={`Rotate “${nameKey(keyToRotate)}”`}
      isOpen
      startsInField
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      <form onSubmit={submit} className="space-y-4">
        <p className="text-sm text-ink-2">
          You get a new key with the same name, scopes, addresses and lifetime. Give it to your programs before the old
          key ends.
        </p>
        <SelectField label="The old key stays valid for" name="overlap" options={OVERLAPS} defaultValue="24" />
        <FormError error={error} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={isPending}>
            Rotate key
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
