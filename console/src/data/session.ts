// Signing in and out, and the person's sessions: the routes `/console/api/session`, `/sessions` and `/sign-in`.
import { callConsole } from './call-console.ts'
import type { Role } from './role.ts'

export type SignInMethod = 'api-key' | 'link' | 'oidc'

/** Who is signed in to which account. */
export interface Session {
  readonly account: { readonly name: string; readonly plan: string }
  readonly role: Role
  /** The signed-in person. Absent if the session came from an API key. */
  readonly member?: { readonly id: string; readonly email: string } | null
}

/** Ways to sign in that the operator permits. */
export interface SignInOptions {
  readonly api_key: boolean
  /** `off` while the part of the service that checks member sign-ins is not running. */
  readonly members?: 'on' | 'off'
  /** Whether sign-in links can be sent by e-mail. */
  readonly link?: boolean
  /** Name of the OpenID provider. */
  readonly oidc?: { readonly name: string } | null
  /** Whether signing in creates an account for a person who has none. */
  readonly sign_up?: 'open' | 'closed'
  /** `delayed` while the mail server cannot be reached; null if the service sends no mail. */
  readonly mail?: 'normal' | 'delayed' | null
}

interface SessionState {
  /** Null if no one is signed in. */
  readonly session: Session | null
  /** Why no one is signed in, such as `expired`. */
  readonly reason?: string
  readonly sign_in: SignInOptions
}

/** Returns the session, and how far the service's clock is ahead of the browser's. */
export async function readSession(signal: AbortSignal): Promise<SessionState & { readonly clockOffsetMs: number }> {
  const answer = await callConsole<SessionState>('session', { method: 'GET', signal })
  if (!answer) throw new Error('The answer about the session has no body')
  const offsetMs = Date.parse(answer.meta.timestamp) - (Date.now() - findAgeMs('/console/api/session'))
  return { ...answer.data, clockOffsetMs: Number.isNaN(offsetMs) ? 0 : offsetMs }
}

/** Time since an answer arrived: the start script may have asked for it before the application had loaded. */
function findAgeMs(path: string): number {
  const entry = performance.getEntriesByName(`${location.origin}${path}`, 'resource').at(-1)
  return entry instanceof PerformanceResourceTiming ? performance.now() - entry.responseEnd : 0
}

/** Exchanges an API key for a session cookie. The key is sent once and not stored. */
export async function signInWithKey(apiKey: string): Promise<void> {
  await callConsole('session', { method: 'POST', body: { api_key: apiKey } })
}

/** Requests an e-mail with a sign-in link. The answer does not reveal whether the service knows the address. */
export async function requestLink(email: string): Promise<void> {
  await callConsole('sign-in/link', { method: 'POST', body: { email } })
}

/** Who a link would sign in. */
export interface LinkDescription {
  readonly email: string
  /** Null if the link creates an account. */
  readonly account: { readonly name: string } | null
}

/** Asks who the link's token would sign in. The token stays valid. */
export async function describeLink(token: string, signal: AbortSignal): Promise<LinkDescription> {
  const answer = await callConsole<LinkDescription>('sign-in/token/description', {
    method: 'POST',
    body: { token },
    signal,
  })
  if (!answer) throw new Error('The answer about the link has no body')
  return answer.data
}

/** Exchanges the token of a link for a session cookie. A token works only once. */
export async function signInWithToken(token: string): Promise<void> {
  await callConsole('sign-in/token', { method: 'POST', body: { token } })
}

/** Returns the address that leads to the OpenID provider and from there to a page of the console. */
export function toProviderAddress(returnPath: string): string {
  return `/console/api/sign-in/oidc?${new URLSearchParams({ return: returnPath })}`
}

export async function signOut(): Promise<void> {
  await callConsole('session', { method: 'DELETE' })
}

/** One of the person's sessions, in this browser or another one. */
export interface ListedSession {
  readonly id: string
  readonly created_at: string
  readonly last_used_at: string
  readonly ends_at: string
  readonly method: SignInMethod
  readonly is_current: boolean
  /** Such as `Firefox on Linux`; null if it was not noted. */
  readonly browser: string | null
  /** Range of addresses of the sign-in. */
  readonly network: string | null
}

export async function listSessions(signal: AbortSignal): Promise<readonly ListedSession[]> {
  const answer = await callConsole<{ sessions: readonly ListedSession[] }>('sessions', { method: 'GET', signal })
  return answer?.data.sessions ?? []
}

export async function endSession(id: string): Promise<void> {
  await callConsole(`sessions/${encodeURIComponent(id)}`, { method: 'DELETE' })
}

export async function endAllSessions(): Promise<void> {
  await callConsole('sessions', { method: 'DELETE' })
}
