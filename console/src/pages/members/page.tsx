// The members of the account: invite, change a role, remove.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { InvitedMember, Member } from 'vis-sdk'
import { client } from '../../data/client.ts'
import { membersQuery } from '../../data/queries.ts'
import type { Role } from '../../data/role.ts'
import { useSession } from '../../data/use-session.ts'
import { Button } from '../../kit/controls/button.tsx'
import { ConfirmDialog } from '../../kit/controls/confirm-dialog.tsx'
import { FormError } from '../../kit/controls/form-error.tsx'
import { SecretPanel } from '../../kit/controls/secret-panel.tsx'
import { Page } from '../../kit/page.tsx'
import { Panel } from '../../kit/panel.tsx'
import { QueryState } from '../../kit/states/query-state.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MembersTable } from './members-table.tsx'

export function MembersPage() {
  const session = useSession()
  const refresh = useRefresh()
  const [isInviting, setIsInviting] = useState(false)
  const [toRemove, setToRemove] = useState<Member>()
  const [invitation, setInvitation] = useState<InvitedMember>()
  // The page frame has loaded the session; without one, reading the members leads to the sign-in page.
  const role = session?.role ?? 'viewer'
  return (
    <Page
      title="Members"
      actions={
        <Button variant="primary" onClick={() => setIsInviting(true)}>
          <UserPlus aria-hidden size={14} /> Invite
        </Button>
      }
    >
      {invitation && <InvitationResult invitation={invitation} onDone={() => setInvitation(undefined)} />}
      <MemberList role={role} ownId={session?.member?.id} onRemove={setToRemove} onInvited={setInvitation} />
      {isInviting && (
        <InviteDialog
          ownRole={role}
          onClose={() => setIsInviting(false)}
          onDone={(result) => {
            setIsInviting(false)
            setInvitation(result)
            refresh()
          }}
        />
      )}
      {toRemove && (
        <RemoveDialog
          member={toRemove}
          isSelf={toRemove.id === session?.member?.id}
          onClose={() => setToRemove(undefined)}
          onDone={() => {
            setToRemove(undefined)
            refresh()
          }}
        />
      )}
    </Page>
  )
}

interface MemberListProps {
  readonly role: Role
  readonly ownId: string | undefined
  readonly onRemove: (member: Member) => void
  readonly onInvited: (invitation: InvitedMember) => void
}

function MemberList({ role, ownId, onRemove, onInvited }: MemberListProps) {
  const query = useQuery(membersQuery)
  const change = useMutation({
    mutationFn: ({ member, next }: { readonly member: Member; readonly next: Role }) =>
      client.changeMemberRole(member.id, next),
    onSettled: useRefresh(),
  })
  // A second invitation replaces the first, whose link stops working.
  const invite = useMutation({
    mutationFn: ({ email, role: invited }: Member) => client.inviteMember({ email, role: invited }),
    onSuccess: onInvited,
    // The answer may contain a sign-in link, which the cache must not keep.
    gcTime: 0,
  })
  return (
    <Panel isFlush>
      <QueryState query={query} label="Loading the members">
        {(members) => (
          <MembersTable
            members={members}
            role={role}
            ownId={ownId}
            onRole={(member, next) => change.mutate({ member, next })}
            onRemove={onRemove}
            onInviteAgain={invite.mutate}
            isInviting={invite.isPending}
          />
        )}
      </QueryState>
      <div className="px-3 pb-1">
        <FormError error={change.error ?? invite.error} />
      </div>
    </Panel>
  )
}

function useRefresh(): () => void {
  const queryClient = useQueryClient()
  return () => void queryClient.invalidateQueries({ queryKey: membersQuery.queryKey })
}

interface InvitationResultProps {
  readonly invitation: InvitedMember
  readonly onDone: () => void
}

/** Without a mail server, the inviting person has to pass on the link. */
function InvitationResult({ invitation: { member, link }, onDone }: InvitationResultProps) {
  if (link === undefined) {
    return (
      <p role="status" className="rounded-[10px] border border-line bg-panel px-4 py-3 shadow-panel text-sm">
        An invitation is on its way to {member.email}. Its link works for 72 hours.
      </p>
    )
  }
  return (
    <SecretPanel title={`Invitation for ${member.email}`} secret={link} copyLabel="Copy the link" onDone={onDone}>
      This service cannot send e-mail. Hand the link over to {member.email} yourself. Anyone who has the link can use
      it, once, within 72 hours. It is not shown again.
    </SecretPanel>
  )
}

interface RemoveDialogProps {
  readonly member: Member
  readonly isSelf: boolean
  readonly onClose: () => void
  readonly onDone: () => void
}

function RemoveDialog({ member, isSelf, onClose, onDone }: RemoveDialogProps) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => client.removeMember(member.id),
    onSuccess: () => onDone(),
  })
  return (
    <ConfirmDialog
      title={`Remove ${member.email}?`}
      action={member.state === 'invited' ? 'Withdraw invitation' : 'Remove member'}
      isPending={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <p>
        {member.state === 'invited'
          ? 'The link of the invitation stops working.'
          : 'All sessions of this person end within 2 seconds. API keys stay valid: revoke those that this person knows.'}
      </p>
      {isSelf && <p className="font-medium text-ink">This is you: you are signed out at once.</p>}
    </ConfirmDialog>
  )
}
