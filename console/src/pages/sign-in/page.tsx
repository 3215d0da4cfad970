// Sign-in with an API key. The key is exchanged once for a session cookie and kept nowhere in the browser.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { type FormEvent, useId } from 'react'
import { sessionQuery } from '../../data/queries.ts'
import { dropAccountData } from '../../data/query-client.ts'
import { toReturnPath } from '../../data/return-path.ts'
import { signIn } from '../../data/session.ts'
import { Button } from '../../kit/button.tsx'
import { describeSignInError } from './describe-sign-in-error.ts'

/** Reasons why a person who was signed in has to sign in again. */
const ENDED: Readonly<Record<string, string>> = {
  ended: 'You are signed out.',
  expired: 'Your session ended. Sign in again to continue.',
  revoked: 'Your session ended, because its API key was revoked.',
  suspended: 'Your session ended, because the account is suspended.',
}

export function SignInPage() {
  const { data } = useQuery(sessionQuery)
  const ended = ENDED[data?.reason ?? '']
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <title>Sign in · Vulnerability Intelligence</title>
      <div className="w-full max-w-sm">
        <h1 className="mb-1 text-xl font-semibold tracking-tight">Vulnerability Intelligence</h1>
        <p className="mb-5 text-ink-2">{ended ?? 'Sign in to look at CVEs.'}</p>
        <div className="rounded-xl border border-line bg-panel p-5">
          {data?.sign_in.api_key === false ? <KeySignInOff /> : <KeyForm />}
        </div>
        <p className="mt-4 flex flex-wrap gap-x-4 text-xs text-ink-3">
          Reading in the console costs no credits.
          <Link to="/status" className="text-accent underline">
            Status
          </Link>
          <a href="/docs/guide" className="text-accent underline">
            Guide
          </a>
        </p>
      </div>
    </main>
  )
}

/** Shown by default: the operator decides whether a key, which programs also use, may open the console. */
function KeySignInOff() {
  return (
    <>
      <p className="font-medium">Sign-in with an API key is turned off on this service.</p>
      <p className="mt-2 text-sm text-ink-2">
        The operator turns it on with the setting <code className="font-mono">CONSOLE_KEY_SIGN_IN=on</code> and a
        restart of the service. The API works without it: the guide shows how to call it with a key.
      </p>
    </>
  )
}

function KeyForm() {
  const id = useId()
  const { mutate, isPending, error } = useSignIn()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = event.currentTarget.elements.namedItem('key')
    if (!(field instanceof HTMLInputElement)) return
    const key = field.value.trim()
    // The key leaves the page as soon as it is sent.
    field.value = ''
    if (key !== '') mutate(key)
    field.focus()
  }
  return (
    <form onSubmit={submit}>
      <label htmlFor={id} className="mb-1.5 block font-medium">
        API key
      </label>
      <input
        id={id}
        name="key"
        type="password"
        required
        autoComplete="off"
        spellCheck={false}
        aria-describedby={`${id}-help`}
        aria-errormessage={error ? `${id}-error` : undefined}
        aria-invalid={error ? true : undefined}
        className="h-9 w-full rounded-lg border border-line-strong bg-canvas px-3 font-mono text-sm"
      />
      <p id={`${id}-help`} className="mt-1.5 text-xs text-ink-3">
        The key starts with <code className="font-mono">vis_</code>. The browser sends it once and does not keep it.
      </p>
      <div role="alert" id={`${id}-error`} className="text-sm text-critical">
        {error && <p className="mt-3">{describeSignInError(error)}</p>}
      </div>
      <Button type="submit" variant="primary" disabled={isPending} className="mt-4 h-9 w-full">
        {isPending ? 'Signing in' : 'Sign in'}
      </Button>
    </form>
  )
}

function useSignIn() {
  const queryClient = useQueryClient()
  const router = useRouter()
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  return useMutation({
    mutationFn: signIn,
    // The variables of the mutation are the API key, which the page does not keep.
    gcTime: 0,
    meta: { isPublic: true },
    onSuccess: () => {
      // The cache may contain answers to another account.
      void dropAccountData(queryClient)
      router.history.push(toReturnPath(search['return']))
    },
  })
}
