import type { FastifyRequest } from 'fastify'
import type { CallerCache } from '../accounts/keys/caller-cache.ts'
import { toTokenDigest } from '../accounts/keys/token.ts'
import type { SignInStates } from '../accounts/people/identity-status.ts'
import type { FoundSession, SessionCaller, SessionRefusal } from '../accounts/people/sessions.ts'
import { TooManyLookupsError } from '../api/admission/limit-lookups.ts'
import { refuse } from '../api/admit-key.ts'
import type { RequestContext } from '../api/api-context.ts'
import { type ApiError, noSession, unavailable } from '../contract/response/errors.ts'
import { readSessionCookies } from './cookie.ts'
import type { PageReads } from './page-reads.ts'
import type { SignInAttempts } from './sign-in-attempts.ts'

export interface ConsoleContext {
  readonly sessions: CallerCache<FoundSession>
  readonly reads: PageReads
  readonly signInAttempts: SignInAttempts
  /** Counts every view of a link, even a successful one. */
  readonly linkViews: SignInAttempts
  readonly allowsKeySignIn: boolean
  readonly signIn: SignInStates
  readonly onSignIn: (method: string, result: string) => void
  readonly publicUrl: string | null
}

const MAX_NAMED = 2

/** The reason why a request has no valid session. A session from an API key is valid only at that key's addresses. */
type SessionProblem =
  | { readonly problem: 'missing' | 'invalid' | SessionRefusal }
  | { readonly problem: 'address'; readonly caller: SessionCaller }

type SessionState = { readonly digest: string; readonly caller: SessionCaller } | SessionProblem

export async function findRequestSession(
  request: FastifyRequest,
  { sessions, publicUrl }: ConsoleContext,
): Promise<SessionState> {
  const [id = '', second] = readSessionCookies(request, publicUrl)
  if (id === '' && second === undefined) return { problem: 'missing' }
  const digest = second === undefined ? toTokenDigest(id) : undefined
  if (digest === undefined) return { problem: 'invalid' }
  const found = await find(sessions, digest, request)
  if (!found) return { problem: 'invalid' }
  const { caller, refusal } = found
  if (refusal !== undefined) return { problem: refusal }
  return caller.allowsAddress(request.ip) ? { digest, caller } : { problem: 'address', caller }
}

/** Creates the error for a request without a valid session. A refused address is recorded as it is for an API key. */
export function refuseSession(context: Pick<RequestContext, 'request' | 'api'>, state: SessionProblem): ApiError {
  const error = noSession(state.problem)
  return state.problem === 'address' ? refuse(context, state.caller, 'address', error) : error
}

export interface NamedSession {
  readonly digest: string
  readonly accountId: string
}

/** Includes refused sessions, so that a sign-out ends them: a suspended account's session may become valid again. */
export async function findNamedSessions(
  request: FastifyRequest,
  { sessions, publicUrl }: ConsoleContext,
): Promise<readonly NamedSession[]> {
  const digests = readSessionCookies(request, publicUrl).map(toTokenDigest)
  const wellFormed = [...new Set(digests)].filter((digest) => digest !== undefined).slice(0, MAX_NAMED)
  const named: NamedSession[] = []
  for (const digest of wellFormed) {
    const found = await find(sessions, digest, request)
    if (found && found.refusal !== 'ended') named.push({ digest, accountId: found.caller.accountId })
  }
  return named
}

async function find(
  sessions: CallerCache<FoundSession>,
  digest: string,
  { ip }: FastifyRequest,
): Promise<FoundSession | undefined> {
  try {
    return await sessions.find(digest, ip)
  } catch (error) {
    if (error instanceof TooManyLookupsError) throw unavailable('Too many sessions are being checked right now.', error)
    throw error
  }
}
