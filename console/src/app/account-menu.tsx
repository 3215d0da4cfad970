// The menu of the signed-in account: plan, role, sign-out.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { sessionQuery } from '../data/queries.ts'
import { dropAccountData } from '../data/query-client.ts'
import { signOut } from '../data/session.ts'
import { useCommands } from '../kit/commands.ts'
import { Menu, MenuItem } from '../kit/controls/menu.tsx'

export function AccountMenu() {
  const { data, isPending } = useQuery(sessionQuery)
  const session = data?.session
  const href = useRouterState({ select: ({ location }) => location.href })
  const end = useSignOut()
  useCommands('Actions', session ? [{ id: 'sign-out', label: 'Sign out', run: () => end.mutate() }] : [])
  if (isPending) return <div className="h-8 w-13" />
  if (!session) {
    return (
      <Link
        to="/sign-in"
        search={{ return: `/console${href}` }}
        className="rounded-md bg-accent px-3 py-1.5 text-sm whitespace-nowrap text-accent-ink"
      >
        Sign in
      </Link>
    )
  }
  const initials = toInitials(session.member?.email ?? session.account.name)
  return (
    <div className="flex items-center gap-3">
      {end.error && (
        <span role="alert" className="text-sm text-critical">
          Sign-out failed. Try again.
        </span>
      )}
      <Menu
        variant="quiet"
        // Speech input finds a button by the letters that it shows.
        label={`Account ${session.account.name}, ${initials}`}
        trigger={
          <span
            aria-hidden
            className="grid size-6.5 place-items-center rounded-full bg-accent-soft text-[0.6875rem] font-semibold text-accent"
          >
            {initials}
          </span>
        }
        heading={
          <>
            <span className="block font-medium text-ink">{session.account.name}</span>
            {session.member && <span className="block break-all">{session.member.email}</span>}
            Plan {session.account.plan}, role {session.role}
          </>
        }
      >
        <MenuItem onSelect={() => end.mutate()}>Sign out</MenuItem>
      </Menu>
    </div>
  )
}

/** The first letters of the first two words: `AM` for "alex.mann@example.org" and for "Acme Mail". */
function toInitials(text: string): string {
  const [words = ''] = text.split('@')
  const [first = '', second = ''] = words.match(/[\p{L}\p{N}]+/gu) ?? []
  return `${first.charAt(0)}${second.charAt(0)}`.toUpperCase()
}

function useSignOut() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      await navigate({ to: '/sign-in' })
      await dropAccountData(queryClient)
    },
  })
}
