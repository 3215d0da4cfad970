// The person's sessions in all browsers: list them, end one, end all.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { dropAccountData } from '../../data/query-client.ts'
import { endAllSessions, endSession, type ListedSession, listSessions, type SignInMethod } from '../../data/session.ts'
import { useSession } from '../../data/use-session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/controls/button.tsx'
import { ConfirmDialog } from '../../kit/controls/confirm-dialog.tsx'
import { FormError } from '../../kit/controls/form-error.tsx'
import { Page } from '../../kit/page.tsx'
import { Panel } from '../../kit/panel.tsx'
import { QueryState } from '../../kit/states/query-state.tsx'
import { type Column, Table } from '../../kit/tables/table.tsx'
import { formatTime } from '../../text/format.ts'

const QUERY_KEY = ['sessions'] as const

const METHODS: Readonly<Record<SignInMethod, string>> = {
  'api-key': 'API key',
  link: 'link by e-mail',
  oidc: 'OpenID provider',
}

export function SessionsPage() {
  const query = useQuery({ queryKey: QUERY_KEY, queryFn: ({ signal }) => listSessions(signal), staleTime: 0 })
  const session = useSession()
  const [isAsking, setIsAsking] = useState(false)
  const { endOne, endAll } = useEnd()
  const actions: Column<ListedSession> = {
    id: 'actions',
    header: 'Actions',
    cell: ({ id, browser, created_at, is_current }) =>
      !is_current && (
        <Button
          variant="quiet"
          className="-my-1.5"
          aria-label={`End the session of ${formatTime(created_at)}${browser === null ? '' : ` in ${browser}`}`}
          disabled={endOne.isPending}
          onClick={() => endOne.mutate(id)}
        >
          End
        </Button>
      ),
    className: 'w-px text-right',
  }
  return (
    <Page title="Sessions" actions={<Button onClick={() => setIsAsking(true)}>Sign out everywhere</Button>}>
      <p className="max-w-prose text-sm text-ink-2">
        {session?.member
          ? `The browsers in which ${session.member.email} is signed in.`
          : 'The browsers that are signed in with the same API key as this one.'}{' '}
        Below each is the range of addresses from which it signed in. A session ends 12 hours after its last use, and
        after 7 days at the latest.
      </p>
      <Panel isFlush>
        <QueryState query={query} label="Loading the sessions">
          {(sessions) => (
            <Table caption="Open sessions" columns={[...COLUMNS, actions]} rows={sessions} getKey={({ id }) => id} />
          )}
        </QueryState>
        <div className="px-3 pb-1">
          <FormError error={endOne.error} />
        </div>
      </Panel>
      {isAsking && (
        <ConfirmDialog
          title="Sign out everywhere?"
          action="End all sessions"
          isPending={endAll.isPending}
          error={endAll.error}
          onConfirm={() => endAll.mutate()}
          onClose={() => setIsAsking(false)}
        >
          <p>All sessions in this list end within 2 seconds, this one too.</p>
        </ConfirmDialog>
      )}
    </Page>
  )
}

const COLUMNS: readonly Column<ListedSession>[] = [
  {
    id: 'browser',
    header: 'Browser',
    cell: (session) => <Browser session={session} />,
    sortValue: ({ browser }) => browser,
    className: 'w-full',
  },
  {
    id: 'method',
    header: 'Signed in by',
    cell: ({ method }) => METHODS[method],
    sortValue: ({ method }) => METHODS[method],
    className: 'whitespace-nowrap max-md:hidden',
  },
  {
    id: 'created',
    header: 'Since',
    cell: ({ created_at }) => formatTime(created_at),
    sortValue: ({ created_at }) => created_at,
    className: 'whitespace-nowrap max-md:hidden',
  },
  {
    id: 'used',
    header: 'Last used',
    cell: ({ last_used_at }) => formatTime(last_used_at),
    sortValue: ({ last_used_at }) => last_used_at,
    firstDirection: 'desc',
    className: 'whitespace-nowrap max-sm:hidden',
  },
  {
    id: 'ends',
    header: 'Ends',
    cell: ({ ends_at }) => formatTime(ends_at),
    sortValue: ({ ends_at }) => ends_at,
    className: 'whitespace-nowrap max-xl:hidden',
  },
]

function Browser({ session }: { readonly session: ListedSession }) {
  const { browser, network, method, is_current, created_at, last_used_at } = session
  return (
    <>
      {browser ?? 'Browser not recorded'} {is_current && <Badge tone="accent">this browser</Badge>}
      {network !== null && <span className="block text-xs text-ink-3">from {network}</span>}
      <span className="block text-xs text-ink-3 md:hidden">
        {METHODS[method]}, since {formatTime(created_at)}
      </span>
      <span className="block text-xs text-ink-3 sm:hidden">last used {formatTime(last_used_at)}</span>
    </>
  )
}

function useEnd() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const endOne = useMutation({
    mutationFn: endSession,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: QUERY_KEY }),
  })
  const endAll = useMutation({
    mutationFn: endAllSessions,
    onSuccess: async () => {
      await navigate({ to: '/sign-in' })
      await dropAccountData(queryClient)
    },
  })
  return { endOne, endAll }
}
