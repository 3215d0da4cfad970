// Errors that members can get when they sign in to the console.
import { ApiError } from './errors.ts'

const LINK_PROBLEMS = {
  unknown: 'This link is not valid. Copy the whole link from the mail, or ask for a new one on the sign-in page.',
  used: 'This link was used already: each link works once. Ask for a new one on the sign-in page.',
  expired:
    'This link has expired. Ask for a new one on the sign-in page; ask whoever invited you for a new invitation.',
  removed: 'This link belongs to a person who is no longer a member of the account. Ask an owner of the account.',
  elsewhere:
    'Your e-mail address belongs to a member of another account, and can belong to one account only. Ask an owner of that account to remove you, then open this link again.',
  suspended: 'The account of this link is suspended. Ask the operator of this server.',
} as const

type LinkProblem = keyof typeof LINK_PROBLEMS

/** Creates the error for a one-time link that does not open a session. */
export function linkRefused(reason: LinkProblem): ApiError {
  return new ApiError('UNAUTHORIZED', LINK_PROBLEMS[reason], {
    details: { reason },
    headers: { 'WWW-Authenticate': 'Session' },
  })
}

/** Creates the error for too many link requests. It is the same for known and unknown e-mail addresses. */
export function tooManyLinks(reached: 'network' | 'e-mail', waitSeconds: number): ApiError {
  const message =
    reached === 'network'
      ? 'Too many links were requested from this address within an hour; wait, then try again.'
      : 'Too many links were requested for this e-mail. Use the link in the newest mail, or wait, then try again.'
  return new ApiError('RATE_LIMIT_EXCEEDED', message, { headers: { 'Retry-After': String(waitSeconds) } })
}

export function tooManyMemberSessions(waitSeconds: number): ApiError {
  return new ApiError('RATE_LIMIT_EXCEEDED', 'You have signed in too often within a minute; wait, then try again.', {
    headers: { 'Retry-After': String(waitSeconds) },
  })
}

export function tooManySignUps(): ApiError {
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    'Too many accounts were created today from this address or for this e-mail domain. Try again tomorrow, or ask the operator of this server.',
    { headers: { 'Retry-After': '86400' } },
  )
}

/**
 * Creates the error for a sign-in method that the operator has not set up. `settings` names the settings that enable
 * it.
 */
export function signInSwitchedOff(way: string, settings: string): ApiError {
  return new ApiError('FORBIDDEN', `${way} is switched off on this server. Its operator can set ${settings}.`)
}

/** Creates the error for a member's sign-in while no process is available to decide it. */
export function signInAway(): ApiError {
  return new ApiError(
    'SERVICE_UNAVAILABLE',
    'Sign-in of members is switched off right now: the part of this server that checks sign-ins does not run. API keys work as usual. Its operator can start vis-server worker.',
    { headers: { 'Retry-After': '10' } },
  )
}

/** Creates the error for a sign-in whose cookie the browser would not store. */
export function httpsRequired(): ApiError {
  return new ApiError(
    'FORBIDDEN',
    'The console needs HTTPS: browsers keep its cookie over HTTP at loopback addresses only. Set PUBLIC_URL to the https:// address of this server.',
  )
}
