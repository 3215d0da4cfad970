import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import type { InvitedMember } from 'vis-sdk'
import { client } from '../../data/client.ts'
import { listGrantableRoles, ROLE_WORDS, type Role } from '../../data/role.ts'
import { Button } from '../../kit/controls/button.tsx'
import { Dialog } from '../../kit/controls/dialog.tsx'
import { SelectField, TextField } from '../../kit/controls/field.tsx'
import { FormError } from '../../kit/controls/form-error.tsx'
import { readFormText } from '../../kit/controls/form-text.ts'

interface InviteDialogProps {
  /** Role of the inviting person. */
  readonly ownRole: Role
  readonly onDone: (invitation: InvitedMember) => void
  readonly onClose: () => void
}

export function InviteDialog({ ownRole, onDone, onClose }: InviteDialogProps) {
  const roles = listGrantableRoles(ownRole)
  const { mutate, isPending, error } = useMutation({
    mutationFn: (person: { readonly email: string; readonly role: Role }) => client.inviteMember(person),
    onSuccess: onDone,
    // The answer may contain a sign-in link, which the cache must not keep.
    gcTime: 0,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const role = roles.find((each) => each === readFormText(form, 'role'))
    if (role) mutate({ email: readFormText(form, 'email'), role })
  }
  return (
    <Dialog
      title="Invite a member"
      isOpen
      startsInField
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      <form onSubmit={submit} className="space-y-4">
        <TextField label="E-mail" name="email" type="email" required autoComplete="off" maxLength={254} />
        <SelectField
          label="Role"
          name="role"
          defaultValue="viewer"
          options={roles.map((each) => [each, `${each}: ${ROLE_WORDS[each]}`] as const)}
        />
        <FormError error={error} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={isPending}>
            Invite
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
