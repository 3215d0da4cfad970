// The session endpoints of the console: sign in, see who is signed in, sign out. They are for the console's own pages and
// are not part of the public API (openapi.json).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toKeyDigest } from '../../accounts/api-key.ts'
import type { KeyCaller } from '../../accounts/find-caller.ts'
import {
  createSession,
  createSessionId,
  endSession,
  endSessions,
  readSession,
  toSessionDigest,
} from '../../accounts/sessions.ts'
import { buildSuccess } from '../../contract/envelope.ts'
import {
  ApiError,
  addressRefused,
  invalidParameters,
  methodNotAllowed,
  noSession,
  signInRefused,
  tooManyFailedSignIns,
  tooManySignIns,
} from '../../contract/errors.ts'
import { createMissingIssue } from '../../contract/validation-issue.ts'
import { refuse } from '../admission/admit-key.ts'
import { authenticate } from '../admission/authenticate.ts'
import type { ApiContext } from '../api-context.ts'
import { callWhenSent } from '../call-when-sent.ts'
import { readJsonBody } from '../read-body.ts'
import { respond } from '../respond.ts'
import { formatRemovedCookie, formatSessionCookie } from './cookie.ts'
import { describeSession } from './describe-session.ts'
import { type ConsoleContext, findNamedSessions, findRequestSession, type NamedSession } from './find-session.ts'
import { assertSameOrigin } from './same-origin.ts'

const SIGN_IN_WINDOW_SECONDS = 60
/** Maximum size of the body of a sign-in, which holds one API key. */
const MAX_SIGN_IN_BYTES = 1024

interface SessionRequest {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly api: ApiContext
  readonly consoleApi: ConsoleContext
}

type Handler = (context: SessionRequest) => Promise<FastifyReply>

const ROUTES: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  '/console/api/session': { GET: showSession, POST: signIn, DELETE: signOut },
  '/console/api/sessions': { DELETE: signOutEverywhere },
}

export function registerSessionRoutes(app: FastifyInstance, api: ApiContext, consoleApi: ConsoleContext): void {
  for (const [url, handlers] of Object.entries(ROUTES)) {
    const methods = Object.keys(handlers)
    const allow = [...methods, ...(handlers['GET'] ? ['HEAD'] : []), 'OPTIONS']
    app.route({
      method: app.supportedMethods,
      url,
      handler: async (request, reply) => {
        request.endpointName = 'console-session'
        reply.headers({
          'Cache-Control': 'no-store',
          Vary: 'Accept-Encoding, Cookie',
          'Cross-Origin-Resource-Policy': 'same-origin',
        })
        assertSameOrigin(request, consoleApi.publicUrl)
        if (request.method === 'OPTIONS') return reply.code(204).header('Allow', allow.join(', ')).send()
        const handler = handlers[request.method === 'HEAD' ? 'GET' : request.method]
        if (!handler) throw methodNotAllowed(allow)
        return handler({ request, reply, api, consoleApi })
      },
    })
  }
}

/** Tells who is signed in. Answers 200 without a session too, so that a page can ask before anybody signs in. */
async function showSession(context: SessionRequest): Promise<FastifyReply> {
  const { request, consoleApi } = context
  const state = await findRequestSession(request, consoleApi)
  if ('problem' in state) return sendSession(context, 200, undefined, state.problem)
  request.caller = state.caller
  enter(context, state.caller.accountId)
  return sendSession(context, 200, state.digest)
}

/** Exchanges an API key for a session with a new id. A session that the browser already has ends. */
async function signIn(context: SessionRequest): Promise<FastifyReply> {
  const { request, reply, api, consoleApi } = context
  if (!consoleApi.allowsKeySignIn)
    throw new ApiError(
      'FORBIDDEN',
      'Sign-in with an API key is switched off on this server. Its operator can set CONSOLE_KEY_SIGN_IN=on.',
    )
  const id = createSessionId()
  const cookie = formatSessionCookie(request, consoleApi.publicUrl, id)
  if (cookie === undefined)
    throw new ApiError(
      'FORBIDDEN',
      'The console needs HTTPS: browsers keep its cookie over HTTP at loopback addresses only. Set PUBLIC_URL to the https:// address of this server.',
    )
  const key = readKey(await readJsonBody(request.raw, MAX_SIGN_IN_BYTES))
  const caller = await checkKey(context, key)
  if (!caller.allowsAddress(request.ip)) throw refuse({ request, api }, caller, 'address', addressRefused(request.ip))
  request.caller = caller
  enter(context, caller.accountId)
  const [digest, keyDigest] = [toSessionDigest(id), toKeyDigest(key)]
  if (!digest || !keyDigest) throw signInRefused('invalid')
  const result = await withTurn(api, caller.accountId, () => createSession(api.accounts, digest, keyDigest))
  if (result === 'too many') throw tooManySignIns(SIGN_IN_WINDOW_SECONDS)
  if (result === 'refused') throw signInRefused('revoked')
  for (const own of await findNamedSessions(request, consoleApi)) await end(context, own)
  reply.header('Set-Cookie', cookie)
  return sendSession(context, 201, digest)
}

/** Ends the sessions of all session cookies of the request. */
async function signOut(context: SessionRequest): Promise<FastifyReply> {
  for (const own of await findNamedSessions(context.request, context.consoleApi)) {
    enter(context, own.accountId)
    await end(context, own)
  }
  return removeCookie(context).code(204).send()
}

/** Ends all sessions that came from the same API key. */
async function signOutEverywhere(context: SessionRequest): Promise<FastifyReply> {
  const { request, reply, api, consoleApi } = context
  const state = await findRequestSession(request, consoleApi)
  if ('problem' in state) throw noSession(state.problem)
  const { accountId } = state.caller
  request.caller = state.caller
  enter(context, accountId)
  const ended = await withTurn(api, accountId, () => endSessions(api.accounts, state.digest))
  consoleApi.sessions.evict(accountId)
  removeCookie(context)
  return respond(request, reply, { status: 200, body: buildBody(context, { ended_sessions: ended }) })
}

async function end({ api, consoleApi }: SessionRequest, { digest, accountId }: NamedSession): Promise<void> {
  await withTurn(api, accountId, () => endSession(api.accounts, digest))
  // Other nodes are notified by the database. This node does not wait for the notification.
  consoleApi.sessions.evict(accountId)
}

function removeCookie({ request, reply, consoleApi }: SessionRequest): FastifyReply {
  const cookie = formatRemovedCookie(request, consoleApi.publicUrl)
  return cookie === undefined ? reply : reply.header('Set-Cookie', cookie)
}

/** Returns the API key of a sign-in. The error never repeats what was sent, because it may be a key. */
function readKey(body: unknown): string {
  const key = typeof body === 'object' && body !== null && 'api_key' in body ? body.api_key : undefined
  if (typeof key === 'string' && key.trim() !== '') return key.trim()
  throw invalidParameters([createMissingIssue('api_key', 'a JSON object with your API key as text')])
}

/** Returns the caller of the key. A wrong key counts as a failed sign-in of the client's address. */
async function checkKey({ request, api, consoleApi }: SessionRequest, key: string): Promise<KeyCaller> {
  const attempt = consoleApi.signInAttempts.start(request.ip)
  if ('waitSeconds' in attempt) throw tooManyFailedSignIns(attempt.waitSeconds)
  try {
    const caller = await authenticate(api.callers, [key], { acceptsLastKnownKeys: false })
    attempt.cancel()
    return caller
  } catch (error) {
    if (!isUnauthorized(error)) attempt.cancel()
    return toSignInError(error)
  }
}

function isUnauthorized(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'UNAUTHORIZED'
}

function toSignInError(error: unknown): never {
  if (!isUnauthorized(error)) throw error
  // The cast is safe: every UNAUTHORIZED error of `authenticate` is made by `badKey`, with one of these reasons.
  throw signInRefused(error.extras.details?.['reason'] as Parameters<typeof signInRefused>[0])
}

async function sendSession(
  context: SessionRequest,
  status: number,
  digest: string | undefined,
  problem?: string,
): Promise<FastifyReply> {
  const { request, reply, api, consoleApi } = context
  const accountId = request.caller?.accountId ?? ''
  const read = (known: string) => withTurn(api, accountId, () => readSession(api.accounts, known))
  const found = digest === undefined ? undefined : await read(digest)
  const data = describeSession(found, problem ?? 'ended', {
    limits: consoleApi.reads.limits,
    allowsKeySignIn: consoleApi.allowsKeySignIn,
  })
  return respond(request, reply, { status, body: buildBody({ request, api }, data) })
}

/** Counts the request as a call of the account until its response is sent. Throws 503 if the account has too many. */
function enter({ reply, api }: SessionRequest, accountId: string): void {
  callWhenSent(reply.raw, api.concurrency.enter(accountId))
}

/**
 * Runs a statement when it is the turn of the account to use the database. Turns leave most connections of the pool to
 * the lookups of API keys.
 */
async function withTurn<T>(api: ApiContext, accountId: string, statement: () => Promise<T>): Promise<T> {
  const turn = await api.turns.accounts.take(accountId, 'account')
  try {
    return await turn.run(statement)
  } finally {
    turn.end()
  }
}

function buildBody({ request, api }: Pick<SessionRequest, 'request' | 'api'>, data: unknown): string {
  return buildSuccess(JSON.stringify(data), { correlationId: request.id, now: api.clock() })
}
