// Sign-in with an API key. The key is exchanged once for a session cookie and not stored in the browser.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useId } from 'react'
import { dropAccountData } from '../../data/query-client.ts'
import { signInWithKey } from '../../data/session.ts'
import { Button } from '../../kit/controls/button.tsx'
import { describeKeyError } from './describe-sign-in-error.ts'

interface KeyFormProps {
  /** Address to open after the sign-in. */
  readonly returnPath: string
  /** The first sign-in method gets the colored button. */
  readonly variant: 'normal' | 'primary'
}

export function KeyForm({ returnPath, variant }: KeyFormProps) {
  const id = useId()
  const { mutate, isPending, error } = useSignIn(returnPath)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = event.currentTarget.elements.namedItem('key')
    if (!(field instanceof HTMLInputElement)) return
    const key = field.value.trim()
    // The key is cleared from the page as soon as it is sent.
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
        {error && <p className="mt-3">{describeKeyError(error)}</p>}
      </div>
      <Button type="submit" variant={variant} disabled={isPending} className="mt-4 h-9 w-full">
        {isPending ? 'Signing in' : 'Sign in'}
      </Button>
    </form>
  )
}

function useSignIn(returnPath: string) {
  const queryClient = useQueryClient()
  const router = useRouter()
  return useMutation({
    mutationFn: signInWithKey,
    // The mutation's variables contain the API key, which the page does not keep.
    gcTime: 0,
    meta: { isPublic: true },
    onSuccess: () => {
      // The cache may contain another account's data.
      void dropAccountData(queryClient)
      router.history.push(returnPath)
    },
  })
}
