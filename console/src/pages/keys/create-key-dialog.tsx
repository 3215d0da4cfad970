import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import type { CreatedKey, NewKey } from 'vis-sdk'
import { client } from '../../data/client.ts'
import { Button } from '../../kit/controls/button.tsx'
import { Dialog } from '../../kit/controls/dialog.tsx'
import { SelectField, TextArea, TextField } from '../../kit/controls/field.tsx'
import { FormError } from '../../kit/controls/form-error.tsx'
import { readFormText } from '../../kit/controls/form-text.ts'
import { splitAddresses } from './key-texts.ts'

const EXPIRIES = [
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['180', 'In 180 days'],
  ['365', 'In a year'],
  ['', 'Never'],
] as const

interface CreateKeyDialogProps {
  readonly onDone: (created: CreatedKey) => void
  readonly onClose: () => void
}

export function CreateKeyDialog({ onDone, onClose }: CreateKeyDialogProps) {
  // The answer contains the secret, which the cache must not keep.
  const { mutate, isPending, error } = useMutation({
    mutationFn: (key: NewKey) => client.createKey(key),
    onSuccess: onDone,
    gcTime: 0,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate(readForm(event.currentTarget))
  }
  return (
    <Dialog
      title="New key"
      isOpen
      startsInField
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      <form onSubmit={submit} className="space-y-4">
        <TextField
          label="Name"
          name="name"
          required
          maxLength={100}
          autoComplete="off"
          help="Name the program that will use the key, such as “build pipeline”."
        />
        <ScopeFields />
        <SelectField label="Expires" name="expiry" options={EXPIRIES} defaultValue="90" />
        <TextArea
          label="Allowed addresses (optional)"
          name="addresses"
          rows={2}
          spellCheck={false}
          placeholder="203.0.113.7, 2001:db8::/32"
          className="font-mono"
          help="IP addresses or networks from which the key may be used. Empty: from everywhere."
        />
        <FormError error={error} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={isPending}>
            Create key
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** This form always grants the scope read. Keys with only manage can be created through the API. */
function ScopeFields() {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">Scopes</legend>
      <label className="flex min-h-7 items-center gap-2 text-sm">
        <input type="checkbox" checked disabled readOnly className="size-4 shrink-0 accent-accent" />
        read: call the API and read the usage
      </label>
      <label className="flex min-h-7 items-center gap-2 text-sm">
        <input type="checkbox" name="manage" className="size-4 shrink-0 accent-accent" />
        manage: also manage keys, origins and members, and read the audit log
      </label>
    </fieldset>
  )
}

function readForm(form: HTMLFormElement): NewKey {
  const scopes: NewKey['scopes'] = readFormText(form, 'manage') !== '' ? ['read', 'manage'] : ['read']
  const [expiry, addresses] = [readFormText(form, 'expiry'), splitAddresses(readFormText(form, 'addresses'))]
  return {
    name: readFormText(form, 'name'),
    scopes,
    ...(expiry === '' ? {} : { expires_in_days: Number(expiry) }),
    ...(addresses.length === 0 ? {} : { allowed_ips: addresses }),
  }
}
