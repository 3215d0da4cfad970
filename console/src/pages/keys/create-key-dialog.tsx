import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import type { CreatedKey, NewKey } from 'vis-sdk'
import { SCOPES } from 'vis-sdk/vocabulary'
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

type Scope = NewKey['scopes'][number]

const SCOPE_NAMES = Object.keys(SCOPES) as readonly Scope[]
const DEFAULT_SCOPE: Scope = 'read'

function ScopeFields() {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">Scopes</legend>
      {SCOPE_NAMES.map((scope) => (
        <label key={scope} className="flex items-start gap-2 py-1 text-sm">
          <input
            type="checkbox"
            name="scopes"
            value={scope}
            defaultChecked={scope === DEFAULT_SCOPE}
            className="mt-0.5 size-4 shrink-0 accent-accent"
          />
          <span>
            <span className="font-medium">{scope}</span>
            <span className="block text-xs text-ink-3">{SCOPES[scope]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function readForm(form: HTMLFormElement): NewKey {
  const chosen = new FormData(form).getAll('scopes')
  const scopes = SCOPE_NAMES.filter((scope) => chosen.includes(scope))
  const [expiry, addresses] = [readFormText(form, 'expiry'), splitAddresses(readFormText(form, 'addresses'))]
  return {
    name: readFormText(form, 'name'),
    scopes,
    ...(expiry === '' ? {} : { expires_in_days: Number(expiry) }),
    ...(addresses.length === 0 ? {} : { allowed_ips: addresses }),
  }
}
