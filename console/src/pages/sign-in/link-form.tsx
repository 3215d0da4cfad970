// Requests a sign-in link by e-mail. The page gives the same answer for every address, so that it does not reveal who
// has an account.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { requestLink } from '../../data/session.ts'
import { Button } from '../../kit/controls/button.tsx'
import { TextField } from '../../kit/controls/field.tsx'
import { FormError } from '../../kit/controls/form-error.tsx'
import { readFormText } from '../../kit/controls/form-text.ts'

interface LinkFormProps {
  /** Whether the mail server currently does not accept mail. */
  readonly isDelayed: boolean
  /** The first sign-in method gets the colored button. */
  readonly variant: 'normal' | 'primary'
}

export function LinkForm({ isDelayed, variant }: LinkFormProps) {
  const [sentTo, setSentTo] = useState<string>()
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: requestLink,
    meta: { isPublic: true },
    onSuccess: (_, email) => setSentTo(email),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const email = readFormText(event.currentTarget, 'email')
    if (email !== '') mutate(email)
  }
  if (sentTo !== undefined) {
    const again = () => {
      reset()
      setSentTo(undefined)
    }
    return <Sent email={sentTo} isDelayed={isDelayed} onAgain={again} />
  }
  return (
    <form onSubmit={submit}>
      <TextField
        label="E-mail"
        name="email"
        type="email"
        required
        autoComplete="email"
        maxLength={254}
        help="You get a link that signs you in. There is no password."
      />
      <FormError error={error} />
      <Button type="submit" variant={variant} disabled={isPending} className="mt-4 h-9 w-full">
        Send me a link
      </Button>
    </form>
  )
}

interface SentProps {
  readonly email: string
  readonly isDelayed: boolean
  readonly onAgain: () => void
}

function Sent({ email, isDelayed, onAgain }: SentProps) {
  return (
    <div role="status">
      <p className="font-medium">Check your e-mail</p>
      <p className="mt-1 text-sm break-words text-ink-2">
        If {email} may sign in here, a link is on its way. It works once, for 15 minutes.
      </p>
      {isDelayed && (
        <p className="mt-2 text-sm text-high">
          The mail server does not answer at the moment. The e-mail will come later.
        </p>
      )}
      <Button className="mt-3" onClick={onAgain}>
        Use another address
      </Button>
    </div>
  )
}
