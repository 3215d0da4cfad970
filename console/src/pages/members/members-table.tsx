import type { Member } from 'vis-sdk'
import { listGrantableRoles, mayManageMember, type Role } from '../../data/role.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/controls/button.tsx'
import { EmailText } from '../../kit/email-text.tsx'
import { Absent } from '../../kit/states/absent.tsx'
import { type Column, Table } from '../../kit/tables/table.tsx'
import { formatDay } from '../../text/format.ts'

interface MembersTableProps {
  readonly members: readonly Member[]
  /** Role of the person viewing the page. */
  readonly role: Role
  readonly ownId: string | undefined
  readonly onRole: (member: Member, role: Role) => void
  readonly onRemove: (member: Member) => void
  /** Sends the invitation of a person who has not joined yet again. */
  readonly onInviteAgain: (member: Member) => void
  readonly isInviting: boolean
}

export function MembersTable(props: MembersTableProps) {
  const { members, role, ownId, onRole, onRemove, onInviteAgain, isInviting } = props
  const columns: readonly Column<Member>[] = [
    {
      id: 'email',
      header: 'E-mail',
      cell: (member) => <Name member={member} isSelf={member.id === ownId} />,
      sortValue: ({ email }) => email,
      className: 'w-2/5 max-sm:w-full',
    },
    {
      id: 'role',
      header: 'Role',
      cell: (member) => <RoleSelect member={member} role={role} onRole={onRole} />,
      sortValue: (member) => member.role,
    },
    {
      id: 'signed-in',
      header: 'Last sign-in',
      cell: (member) => <LastSignIn member={member} />,
      sortValue: ({ last_sign_in_day }) => last_sign_in_day,
      firstDirection: 'desc',
      className: 'whitespace-nowrap max-sm:hidden',
    },
    {
      id: 'created',
      header: 'Invited',
      cell: ({ created_at }) => formatDay(created_at),
      sortValue: ({ created_at }) => created_at,
      className: 'whitespace-nowrap max-md:hidden',
    },
    {
      id: 'actions',
      header: 'Actions',
      cell: (member) =>
        mayManageMember(role, member.role) && (
          <Actions member={member} isInviting={isInviting} onRemove={onRemove} onInviteAgain={onInviteAgain} />
        ),
      className: 'w-px text-right whitespace-nowrap max-sm:whitespace-normal',
    },
  ]
  return <Table caption="Members of the account" columns={columns} rows={members} getKey={({ id }) => id} />
}

type ActionsProps = Pick<MembersTableProps, 'isInviting' | 'onRemove' | 'onInviteAgain'> & { readonly member: Member }

function Actions({ member, isInviting, onRemove, onInviteAgain }: ActionsProps) {
  return (
    <span className="-mr-3 inline-flex flex-wrap justify-end gap-1 sm:flex-nowrap">
      {member.state === 'invited' && (
        <Button
          variant="quiet"
          className="-my-1.5"
          aria-label={`Invite ${member.email} again`}
          disabled={isInviting}
          onClick={() => onInviteAgain(member)}
        >
          Invite again
        </Button>
      )}
      <Button
        variant="quiet"
        className="-my-1.5"
        aria-label={`Remove ${member.email}`}
        onClick={() => onRemove(member)}
      >
        Remove
      </Button>
    </span>
  )
}

function Name({ member, isSelf }: { readonly member: Member; readonly isSelf: boolean }) {
  return (
    <>
      <EmailText text={member.email} /> {isSelf && <Badge tone="accent">you</Badge>}{' '}
      {member.state === 'invited' && <Badge>invited</Badge>}
      <span className="block text-xs text-ink-3 sm:hidden">
        last sign-in: <LastSignIn member={member} />
      </span>
    </>
  )
}

function LastSignIn({ member: { last_sign_in_day } }: { readonly member: Member }) {
  return last_sign_in_day ?? <Absent text="never" />
}

interface RoleSelectProps {
  readonly member: Member
  readonly role: Role
  readonly onRole: (member: Member, role: Role) => void
}

/** A list of roles if the person may change the role, otherwise the role as text: only owners can change owners. */
function RoleSelect({ member, role, onRole }: RoleSelectProps) {
  if (!mayManageMember(role, member.role)) return member.role
  const roles = listGrantableRoles(role)
  return (
    <select
      aria-label={`Role of ${member.email}`}
      value={member.role}
      onChange={({ target: { value } }) => {
        const next = roles.find((each) => each === value)
        if (next) onRole(member, next)
      }}
      className="-my-1 h-7 rounded-md border border-line bg-panel px-1.5 text-sm max-sm:h-9"
    >
      {roles.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  )
}
