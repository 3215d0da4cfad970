// The sign-in page: by OpenID provider, by a link in an e-mail, or by API key, depending on what the operator permits.
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { sessionQuery } from '../../data/queries.ts'
import { toReturnPath } from '../../data/return-path.ts'
import { type SignInOptions, toProviderAddress } from '../../data/session.ts'
import { buttonClasses } from '../../kit/controls/button.tsx'
import { EntryFrame } from '../../kit/states/entry-frame.tsx'
import { QueryState } from '../../kit/states/query-state.tsx'
import { classNames } from '../../text/class-names.ts'
import { describeProblem } from './describe-sign-in-error.ts'
import { KeyForm } from './key-form.tsx'
import { LinkForm } from './link-form.tsx'

/** Reasons why a person has to sign in again. */
const ENDED: Readonly<Record<string, string>> = {
  address: 'Your session came from an API key that may not be used from the address of this network.',
  ended: 'You are signed out.',
  expired: 'Your session ended. Sign in again to continue.',
  revoked: 'Your session ended, because its API key was revoked.',
  suspended: 'Your session ended, because the account is suspended.',
}

export function SignInPage() {
  const query = useQuery(sessionQuery)
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const problem = describeProblem(search['problem'])
  return (
    <EntryFrame title="Sign in" lead={ENDED[query.data?.reason ?? ''] ?? 'Sign in to use the console.'}>
      {problem && (
        <p role="alert" className="mb-4 text-sm text-critical">
          {problem}
        </p>
      )}
      <QueryState query={query} label="Loading the ways to sign in">
        {({ sign_in }) => <Ways options={sign_in} returnPath={toReturnPath(search['return'])} />}
      </QueryState>
    </EntryFrame>
  )
}

interface WaysProps {
  readonly options: SignInOptions
  readonly returnPath: string
}

function Ways({ options, returnPath }: WaysProps) {
  const { api_key, link = false, oidc, sign_up } = options
  const ways: readonly (readonly [name: string, way: ReactNode])[] = [
    ...(oidc ? ([['oidc', <ProviderLink key="oidc" name={oidc.name} returnPath={returnPath} />]] as const) : []),
    ...(link
      ? ([
          [
            'link',
            <LinkForm key="link" isDelayed={options.mail === 'delayed'} variant={oidc ? 'normal' : 'primary'} />,
          ],
        ] as const)
      : []),
    ...(api_key
      ? ([
          ['key', <KeyForm key="key" returnPath={returnPath} variant={oidc || link ? 'normal' : 'primary'} />],
        ] as const)
      : []),
  ]
  if (ways.length === 0) return <NoWay isAway={options.members === 'off'} />
  return (
    <>
      {options.members === 'off' && <Away />}
      {ways.map(([name, way], index) => (
        <Fragment key={name}>
          {index > 0 && <Or />}
          {way}
        </Fragment>
      ))}
      {sign_up === 'open' && (link || oidc) && (
        <p className="mt-4 border-t border-line pt-3 text-sm text-ink-2">
          New here? Sign in the same way: an address that belongs to no account yet gets a free account of its own.
        </p>
      )}
    </>
  )
}

function ProviderLink({ name, returnPath }: { readonly name: string; readonly returnPath: string }) {
  return (
    <a href={toProviderAddress(returnPath)} className={classNames(buttonClasses('primary'), 'h-9 w-full')}>
      Sign in with {name}
    </a>
  )
}

function Or() {
  return (
    <p className="my-4 flex items-center gap-3 text-xs text-ink-3 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      or
    </p>
  )
}

/** Shown while the part of the service that checks member sign-ins is unavailable. */
function Away() {
  return (
    <p role="status" className="mb-4 text-sm text-ink-2">
      Members cannot sign in right now: the part of this service that checks sign-ins does not run. The operator starts
      it with <Setting name="vis-server worker" />. The API works without it: the guide shows how to call it with a key.
    </p>
  )
}

/** Shown if sign-in is off, which is the default: the operator decides how people sign in. */
function NoWay({ isAway }: { readonly isAway: boolean }) {
  return (
    <>
      {isAway && <Away />}
      <p className="font-medium">Sign-in is turned off on this service.</p>
      <p className="mt-2 text-sm text-ink-2">
        The operator turns it on for members with the setting <Setting name="SMTP_URL" /> or{' '}
        <Setting name="OIDC_ISSUER" />, or for API keys with <Setting name="CONSOLE_KEY_SIGN_IN=on" />, and a restart of
        the service. The API works without it: the guide shows how to call it with a key.
      </p>
    </>
  )
}

function Setting({ name }: { readonly name: string }) {
  return <code className="font-mono text-xs whitespace-nowrap">{name}</code>
}
