// The page behind the link of an e-mail. Opening it changes nothing, because mail scanners open links: only the button
// signs in. The token comes from the fragment of the address, which has been removed from the address already.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { isVisError } from 'vis-sdk'
import { dropEntryToken, getEntryToken, onEntryToken } from '../../data/entry-token.ts'
import { sessionQuery } from '../../data/queries.ts'
import { dropAccountData } from '../../data/query-client.ts'
import { signInWithToken } from '../../data/session.ts'
import { Button, buttonClasses } from '../../kit/button.tsx'
import { EntryFrame } from '../../kit/entry-frame.tsx'
import { describeChangeError } from '../../kit/form-error.tsx'

export function EnterPage() {
  const token = useSyncExternalStore(onEntryToken, getEntryToken)
  const { mutate, isPending, error, reset } = useEnter()
  const { data } = useQuery(sessionQuery)
  const session = data?.session
  const isEnded = isRefused(error)
  return (
    <EntryFrame title="Sign in" lead="You opened a sign-in link.">
      {token === undefined || isEnded ? (
        <NoToken message={isVisError(error) ? error.message : undefined} isSignedIn={Boolean(session)} />
      ) : (
        <>
          <p className="text-sm text-ink-2">
            The link works once. Continue only if you asked for it, or if you were invited.
          </p>
          {session && (
            <p className="mt-2 text-sm text-ink-2">
              This browser is signed in to {session.account.name} at the moment. That session ends.
            </p>
          )}
          <div role="alert" className="text-sm text-critical">
            {error && <p className="mt-3">{describeChangeError(error)}</p>}
          </div>
          <Button
            variant="primary"
            disabled={isPending}
            className="mt-4 h-9 w-full"
            onClick={() => {
              reset()
              mutate(token)
            }}
          >
            {isPending ? 'Signing in' : 'Sign in'}
          </Button>
        </>
      )}
    </EntryFrame>
  )
}

/** Returns whether the service will not accept the link: it was used, is too old, or is unknown. */
function isRefused(error: unknown): boolean {
  return isVisError(error) && error.status === 401
}

interface NoTokenProps {
  readonly message: string | undefined
  readonly isSignedIn: boolean
}

/** Shown if the link was used already, or if the page was opened or loaded again without a token. */
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
    // The variables of the mutation are the token, which the page does not keep.
    gcTime: 0,
    meta: { isPublic: true },
    onSuccess: () => {
      dropEntryToken()
      // The cache may contain answers to another account.
      void dropAccountData(queryClient)
      void router.navigate({ to: '/', replace: true })
    },
    onError: (error) => {
      if (isRefused(error)) dropEntryToken()
    },
  })
}
