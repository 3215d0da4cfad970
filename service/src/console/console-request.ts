// What the console's own endpoints share: their routes, their turns to use the accounts database, and how they answer.
// These endpoints are for the console's pages and are not part of the public API (openapi.json).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createTokenWithDigest } from '../accounts/keys/token.ts'
import { endSession, noteSessionClient, readSession } from '../accounts/people/sessions.ts'
import { type Owner, toNetworkOwner } from '../api/admission/owner.ts'
import type { ApiContext } from '../api/api-context.ts'
import { callWhenSent } from '../api/call-when-sent.ts'
import { respond } from '../api/respond.ts'
import { buildSuccess } from '../contract/response/envelope.ts'
import { methodNotAllowed } from '../contract/response/errors.ts'
import { httpsRequired } from '../contract/response/sign-in-errors.ts'
import { describeBrowser, toWideNetwork } from '../domain/account/client-words.ts'
import { formatSessionCookie } from './cookie.ts'
import { describeSession } from './describe-session.ts'
import { type ConsoleContext, findNamedSessions, type NamedSession } from './find-session.ts'
import { assertSameOrigin } from './same-origin.ts'

export interface ConsoleRequest {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly api: ApiContext
  readonly consoleApi: ConsoleContext
}

type Handler = (context: ConsoleRequest) => Promise<FastifyReply>

export type ConsoleRoutes = Readonly<Record<string, Readonly<Record<string, Handler>>>>

export const getNetwork = ({ ip }: FastifyRequest): Owner => toNetworkOwner(ip)

/** Signing in checks a credential and reads a body, which takes as long as several calls. */
const SESSION_WEIGHT = 4

export function registerRoutes(
  app: FastifyInstance,
  routes: ConsoleRoutes,
  api: ApiContext,
  consoleApi: ConsoleContext,
  check: (request: FastifyRequest, publicUrl: string | null) => void = assertSameOrigin,
): void {
  for (const [url, handlers] of Object.entries(routes)) {
    const methods = Object.keys(handlers)
    const allow = [...methods, ...(handlers['GET'] ? ['HEAD'] : []), 'OPTIONS']
    app.route({
      method: app.supportedMethods,
      url,
      handler: async (request, reply) => {
        request.endpointName = 'console-session'
        await app.enterProcessor(request, SESSION_WEIGHT)
        reply.headers({
          'Cache-Control': 'no-store',
          Vary: 'Accept-Encoding, Cookie',
          'Cross-Origin-Resource-Policy': 'same-origin',
        })
        check(request, consoleApi.publicUrl)
        if (request.method === 'OPTIONS') return reply.code(204).header('Allow', allow.join(', ')).send()
        const handler = handlers[request.method === 'HEAD' ? 'GET' : request.method]
        if (!handler) throw methodNotAllowed(allow)
        return handler({ request, reply, api, consoleApi })
      },
    })
  }
}

export interface NewSession {
  readonly digest: string
  readonly cookie: string
}

/** Throws 403 if the browser would not keep the session's cookie. */
export function prepareSession({ request, consoleApi }: ConsoleRequest): NewSession {
  const { token, digest } = createTokenWithDigest()
  const cookie = formatSessionCookie(request, consoleApi.publicUrl, token)
  if (cookie === undefined) throw httpsRequired()
  return { digest, cookie }
}

/** Ends the sessions that the browser had before a sign-in, so that every sign-in changes the session id. */
async function endEarlierSessions(context: ConsoleRequest): Promise<void> {
  for (const own of await findNamedSessions(context.request, context.consoleApi)) await endNamedSession(context, own)
}

/** Ends the sessions that the browser had before, and gives it the new one, with words for where it was opened. */
export async function giveSession(context: ConsoleRequest, { digest, cookie }: NewSession): Promise<void> {
  const { request, reply, api } = context
  await endEarlierSessions(context)
  const where = { browser: describeBrowser(request.headers['user-agent']), network: toWideNetwork(request.ip) }
  await withTurn(api, request.caller?.accountId ?? getNetwork(request), () =>
    noteSessionClient(api.accounts, digest, where),
  )
  reply.header('Set-Cookie', cookie)
}

export async function endNamedSession(
  { api, consoleApi }: ConsoleRequest,
  { digest, accountId }: NamedSession,
): Promise<void> {
  await withTurn(api, accountId, () => endSession(api.accounts, digest))
  // Other nodes are notified by the database. This node does not wait for the notification.
  consoleApi.sessions.evict(accountId)
}

export async function sendSession(
  context: ConsoleRequest,
  status: number,
  digest: string | undefined,
  problem?: string,
): Promise<FastifyReply> {
  const { request, api, consoleApi } = context
  const accountId = request.caller?.accountId ?? getNetwork(request)
  const read = (known: string) => withTurn(api, accountId, () => readSession(api.accounts, known))
  const found = digest === undefined ? undefined : await read(digest)
  const { reads, allowsKeySignIn, signIn } = consoleApi
  const { isOn, mail, oidcName, allowsSignUp } = await signIn.read()
  const ways = {
    api_key: allowsKeySignIn,
    members: isOn ? 'on' : 'off',
    link: isOn && mail !== null,
    mail: isOn ? mail : null,
    oidc: isOn && oidcName !== null ? { name: oidcName } : null,
    sign_up: allowsSignUp ? 'open' : 'closed',
  } as const
  return sendData(context, status, describeSession(found, problem ?? 'ended', reads.limits, ways))
}

export function sendData(
  { request, reply, api }: ConsoleRequest,
  status: number,
  data: unknown,
): Promise<FastifyReply> {
  const body = buildSuccess(JSON.stringify(data), { correlationId: request.id, now: api.clock() })
  return respond(request, reply, { status, body })
}

/** Counts the request as one of the owner's calls until its response is sent. Throws 503 if the owner has too many. */
export function enter({ reply, api }: ConsoleRequest, owner: Owner): void {
  callWhenSent(reply.raw, api.concurrency.enter(owner))
}

/** Runs a statement when it is the owner's turn. Turns keep most of the pool's connections free for API key lookups. */
export async function withTurn<T>(api: ApiContext, owner: Owner, statement: () => Promise<T>): Promise<T> {
  const turn = await api.turns.accounts.take(owner, 'account')
  try {
    return await turn.run(statement)
  } finally {
    turn.end()
  }
}
