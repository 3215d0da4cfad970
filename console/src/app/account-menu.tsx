// The menu of the signed-in account: plan, role, sign-out.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { CircleUser } from 'lucide-react'
import { sessionQuery } from '../data/queries.ts'
import { dropAccountData } from '../data/query-client.ts'
import { signOut } from '../data/session.ts'
import { Menu, MenuItem } from '../kit/controls/menu.tsx'

export function AccountMenu() {
  const { data, isPending } = useQuery(sessionQuery)
  const session = data?.session
  const href = useRouterState({ select: ({ location }) => location.href })
  const end = useSignOut()
  if (isPending) return <div className="ml-auto size-9" />
  if (!session) {
    return (
      <Link
        to="/sign-in"
        search={{ return: `/console${href}` }}
        className="ml-auto rounded-md bg-accent px-3 py-1.5 text-sm whitespace-nowrap text-accent-ink"
      >
        Sign in
      </Link>
    )
  }
  return (
    <div className="ml-auto flex items-center gap-3">
      {end.error && (
        <span role="alert" className="text-sm text-critical">
          Sign-out failed. Try again.
        </span>
      )}
      <Menu
        label={`Account ${session.account.name}`}
        trigger={
          <>
            <CircleUser aria-hidden size={18} />
            <span className="hidden max-w-40 truncate md:inline">{session.account.name}</span>
          </>
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
