// The console's session endpoints: sign in with an API key, see who is signed in, list sessions, sign out.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { toKeyDigest } from '../accounts/keys/api-key.ts'
import type { KeyCaller } from '../accounts/keys/find-caller.ts'
import { createSession, endListedSession, endSessions, listSessions } from '../accounts/people/sessions.ts'
import { authenticate } from '../api/admission/authenticate.ts'
import { refuse } from '../api/admit-key.ts'
import type { ApiContext } from '../api/api-context.ts'
import { readJsonBody } from '../api/read-body.ts'
import { createMissingIssue } from '../contract/request/validation-issue.ts'
import {
  ApiError,
  addressRefused,
  invalidParameters,
  scopeRefused,
  signInRefused,
  tooManyFailedSignIns,
  tooManySignIns,
} from '../contract/response/errors.ts'
import { signInSwitchedOff } from '../contract/response/sign-in-errors.ts'
import {
  type ConsoleRequest,
  type ConsoleRoutes,
  endNamedSession,
  enter,
  giveSession,
  prepareSession,
  registerRoutes,
  sendData,
  sendSession,
  withTurn,
} from './console-request.ts'
import { formatRemovedCookie } from './cookie.ts'
import { renderListedSession } from './describe-session.ts'
import { type ConsoleContext, findNamedSessions, findRequestSession, refuseSession } from './find-session.ts'

const SIGN_IN_WINDOW_SECONDS = 60
const MAX_SIGN_IN_BYTES = 1024

const ROUTES: ConsoleRoutes = {
  '/console/api/session': { GET: showSession, POST: signIn, DELETE: signOut },
  '/console/api/sessions': { GET: showSessions, DELETE: signOutEverywhere },
  '/console/api/sessions/:id': { DELETE: endOneSession },
}

export function registerSessionRoutes(app: FastifyInstance, api: ApiContext, consoleApi: ConsoleContext): void {
  registerRoutes(app, ROUTES, api, consoleApi)
}

/** Shows who is signed in. Answers 200 even without a session, so that a page can ask before anyone signs in. */
async function showSession(context: ConsoleRequest): Promise<FastifyReply> {
  const { request, consoleApi } = context
  const state = await findRequestSession(request, consoleApi)
  if ('problem' in state) {
    // Records in the log and the metrics that a session was used from a wrong address.
    if (state.problem === 'address') refuseSession(context, state)
    return sendSession(context, 200, undefined, state.problem)
  }
  request.caller = state.caller
  enter(context, state.caller.accountId)
  return sendSession(context, 200, state.digest)
}

async function signIn(context: ConsoleRequest): Promise<FastifyReply> {
  const { request, api, consoleApi } = context
  if (!consoleApi.allowsKeySignIn) throw signInSwitchedOff('Sign-in with an API key', 'CONSOLE_KEY_SIGN_IN=on')
  const { digest, cookie } = prepareSession(context)
  const key = readKey(await readJsonBody(request.raw, MAX_SIGN_IN_BYTES))
  const caller = await checkKey(context, key)
  if (!caller.allowsAddress(request.ip)) throw refuse({ request, api }, caller, 'address', addressRefused(request.ip))
  if (!caller.scopes.includes('read')) throw refuse({ request, api }, caller, 'scope', scopeRefused('read'))
  request.caller = caller
  enter(context, caller.accountId)
  const keyDigest = toKeyDigest(key)
  if (!keyDigest) throw signInRefused('invalid')
  const result = await withTurn(api, caller.accountId, () => createSession(api.accounts, digest, keyDigest))
  consoleApi.onSignIn('api-key', result)
  if (result === 'too many') throw tooManySignIns(SIGN_IN_WINDOW_SECONDS)
  if (result === 'refused') throw signInRefused('revoked')
  await giveSession(context, { digest, cookie })
  return sendSession(context, 201, digest)
}

async function signOut(context: ConsoleRequest): Promise<FastifyReply> {
  for (const own of await findNamedSessions(context.request, context.consoleApi)) {
    enter(context, own.accountId)
    await endNamedSession(context, own)
  }
  return removeCookie(context).code(204).send()
}

async function showSessions(context: ConsoleRequest): Promise<FastifyReply> {
  const { api } = context
  const { digest, accountId } = await requireSession(context)
  const sessions = await withTurn(api, accountId, () => listSessions(api.accounts, digest))
  return sendData(context, 200, { sessions: sessions.map(renderListedSession) })
}

async function signOutEverywhere(context: ConsoleRequest): Promise<FastifyReply> {
  const { api, consoleApi } = context
  const { digest, accountId } = await requireSession(context)
  const ended = await withTurn(api, accountId, () => endSessions(api.accounts, digest))
  consoleApi.sessions.evict(accountId)
  removeCookie(context)
  return sendData(context, 200, { ended_sessions: ended })
}

async function endOneSession(context: ConsoleRequest): Promise<FastifyReply> {
  const { request, api, consoleApi } = context
  const { digest, accountId } = await requireSession(context)
  // The cast is safe: Fastify's router sets the params of a route with `:id`.
  const { id } = request.params as { readonly id: string }
  const hasEnded = await withTurn(api, accountId, () => endListedSession(api.accounts, digest, id))
  if (!hasEnded) throw new ApiError('NOT_FOUND', 'There is no such session any more. List your sessions again.')
  consoleApi.sessions.evict(accountId)
  return context.reply.code(204).send()
}

async function requireSession(context: ConsoleRequest): Promise<{ digest: string; accountId: string }> {
  const { request, consoleApi } = context
  const state = await findRequestSession(request, consoleApi)
  if ('problem' in state) throw refuseSession(context, state)
  const { accountId } = state.caller
  request.caller = state.caller
  enter(context, accountId)
  return { digest: state.digest, accountId }
}

function removeCookie({ request, reply, consoleApi }: ConsoleRequest): FastifyReply {
  const cookie = formatRemovedCookie(request, consoleApi.publicUrl)
  return cookie === undefined ? reply : reply.header('Set-Cookie', cookie)
}

/** The error never repeats what was sent, because it may be a key. */
function readKey(body: unknown): string {
  const key = typeof body === 'object' && body !== null && 'api_key' in body ? body.api_key : undefined
  if (typeof key === 'string' && key.trim() !== '') return key.trim()
  throw invalidParameters([createMissingIssue('api_key', 'a JSON object with your API key as text')])
}

/** A wrong key counts as a failed sign-in from the client's address. */
async function checkKey({ request, api, consoleApi }: ConsoleRequest, key: string): Promise<KeyCaller> {
  const attempt = consoleApi.signInAttempts.start(request.ip)
  if ('waitSeconds' in attempt) throw tooManyFailedSignIns(attempt.waitSeconds)
  try {
    const caller = await authenticate(api.callers, [key], { acceptsLastKnownKeys: false, address: request.ip })
    attempt.cancel()
    return caller
  } catch (error) {
    if (!isUnauthorized(error)) attempt.cancel()
    else consoleApi.onSignIn('api-key', 'refused')
    return toSignInError(error)
  }
}

function isUnauthorized(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'UNAUTHORIZED'
}

function toSignInError(error: unknown): never {
  if (!isUnauthorized(error)) throw error
  // The cast is safe: every UNAUTHORIZED error of `authenticate` is created by `badKey`, with one of these reasons.
  throw signInRefused(error.extras.details?.['reason'] as Parameters<typeof signInRefused>[0])
}
