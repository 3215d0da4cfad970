// The page that a link in an e-mail leads to. Opening it changes nothing, because mail scanners open links: only the
// button signs in. Before that, the page shows who will be signed in to which account, because an attacker may send a
// link to make a person work in another account unnoticed. The token comes from the fragment, which has already been
// removed from the address.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useSyncExternalStore } from 'react'
import { isVisError, type VisError } from 'vis-sdk'
import { dropEntryToken, getEntryToken, onEntryToken } from '../../data/entry-token.ts'
import { sessionQuery } from '../../data/queries.ts'
import { dropAccountData } from '../../data/query-client.ts'
import { describeLink, type LinkDescription, type Session, signInWithToken } from '../../data/session.ts'
import { Button, buttonClasses } from '../../kit/controls/button.tsx'
import { FormError } from '../../kit/controls/form-error.tsx'
import { EntryFrame } from '../../kit/states/entry-frame.tsx'
import { QueryState } from '../../kit/states/query-state.tsx'
import { classNames } from '../../text/class-names.ts'

export function EnterPage() {
  const token = useSyncExternalStore(onEntryToken, getEntryToken)
  const enter = useEnter()
  const link = useLink(token)
  const { data } = useQuery(sessionQuery)
  const { reset } = enter
  // A refused link must not affect another link that is opened later in the same tab.
  useEffect(() => {
    if (token !== undefined) reset()
  }, [token, reset])
  const refusal = [enter.error, link.error].find(isRefused)
  return (
    <EntryFrame title="Sign in" lead="You opened a sign-in link.">
      {token === undefined || refusal ? (
        <NoToken message={refusal?.message} isSignedIn={Boolean(data?.session)} />
      ) : (
        <QueryState query={link} label="Reading the link">
          {(description) => (
            <>
              <Described link={description} current={data?.session ?? undefined} />
              <FormError error={enter.error} />
              <Button
                variant="primary"
                disabled={enter.isPending}
                className="mt-4 h-9 w-full"
                onClick={() => {
                  enter.reset()
                  enter.mutate(token)
                }}
              >
                {enter.isPending ? 'Signing in' : 'Sign in'}
              </Button>
            </>
          )}
        </QueryState>
      )}
    </EntryFrame>
  )
}

interface DescribedProps {
  readonly link: LinkDescription
  /** The browser's current session. */
  readonly current: Session | undefined
}

/** Explains who will be signed in, and what happens to the browser's current session. */
function Described({ link: { email, account }, current }: DescribedProps) {
  const isOther = current?.member?.email !== email || current.account.name !== account?.name
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-sm">
        <dt className="text-ink-3">E-mail</dt>
        <dd className="font-medium break-all">{email}</dd>
        <dt className="text-ink-3">Account</dt>
        <dd className="font-medium break-words">{account ? account.name : 'a new free account'}</dd>
      </dl>
      <p className="mt-3 text-sm text-ink-2">
        The link works once. Continue only if this is your e-mail and the account that you expect.
      </p>
      {current && (
        <p className={classNames('mt-2 text-sm', isOther ? 'text-critical' : 'text-ink-2')}>
          This browser is signed in {current.member ? `as ${current.member.email} ` : ''}to {current.account.name} at
          the moment. That session ends.
        </p>
      )}
    </>
  )
}

/** Asks who will be signed in. The token stays valid. */
function useLink(token: string | undefined) {
  return useQuery({
    queryKey: ['link', token],
    queryFn: ({ signal }) => describeLink(token ?? '', signal),
    enabled: token !== undefined,
    // The query key contains the token, which the page does not keep.
    gcTime: 0,
    meta: { isPublic: true },
  })
}

/** Returns whether the service refuses the link because it was used, is too old, or is unknown. */
function isRefused(error: unknown): error is VisError {
  return isVisError(error) && error.status === 401
}

interface NoTokenProps {
  readonly message: string | undefined
  readonly isSignedIn: boolean
}

/** Shown if the link was already used, or if the page was opened or reloaded without a token. */
function NoToken({ message, isSignedIn }: NoTokenProps) {
  return (
    <>
      <p role={message ? 'alert' : undefined} className="text-sm">
        {message ?? 'The address has no token any more. Open the link in your e-mail again.'}
      </p>
      <p className="mt-4 flex flex-wrap gap-2">
        <Link to="/sign-in" className={buttonClasses('primary')}>
          Open the sign-in page
        </Link>
        {isSignedIn && (
          <Link to="/" className={buttonClasses()}>
            Open the console
          </Link>
        )}
      </p>
    </>
  )
}

function useEnter() {
  const queryClient = useQueryClient()
  const router = useRouter()
  return useMutation({
    mutationFn: signInWithToken,
    // The mutation's variables contain the token, which the page does not keep.
    gcTime: 0,
    meta: { isPublic: true },
    onSuccess: () => {
      dropEntryToken()
      // The cache may contain another account's data.
      void dropAccountData(queryClient)
      void router.navigate({ to: '/', replace: true })
    },
    onError: (error) => {
      if (isRefused(error)) dropEntryToken()
    },
  })
}
