// Sign-in at an OpenID Connect provider: one route sends the browser there, the other one receives it back. Problems are
// shown by the sign-in page, because the browser is not on a page of the console while it follows redirects.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Identity, type SignInResult, signInWithIdentity } from '../../../accounts/sign-in.ts'
import { signInSwitchedOff } from '../../../contract/sign-in-errors.ts'
import type { ApiContext } from '../../api-context.ts'
import { toClientNetwork } from '../client-network.ts'
import {
  type ConsoleRequest,
  type ConsoleRoutes,
  endEarlierSessions,
  enter,
  getNetwork,
  prepareSession,
  registerRoutes,
  withTurn,
} from '../console-request.ts'
import { formatOidcCookie, readOidcCookie } from '../cookie.ts'
import type { ConsoleContext } from '../find-session.ts'
import type { OidcProblem, OidcSignIn } from './provider.ts'
import { toReturnPath } from './return-path.ts'
import { MAX_AGE_SECONDS, openPending, type PendingSignIn, sealPending } from './state-cookie.ts'

const START: ConsoleRoutes = { '/console/api/sign-in/oidc': { GET: startSignIn } }
const CALLBACK: ConsoleRoutes = { '/console/api/sign-in/oidc/callback': { GET: finishSignIn } }

/** Words for the reasons why the database opened no session, as the sign-in page receives them. */
const PROBLEMS = {
  unknown: 'unknown',
  identity: 'identity',
  'no group': 'group',
  elsewhere: 'elsewhere',
  suspended: 'suspended',
  removed: 'unknown',
  'too many': 'too-many',
  'too many sign-ups': 'too-many',
  used: 'state',
  expired: 'state',
} as const satisfies Record<Exclude<SignInResult, 'created'>, string>

type Problem = OidcProblem | (typeof PROBLEMS)[keyof typeof PROBLEMS]

export function registerOidcRoutes(app: FastifyInstance, api: ApiContext, consoleApi: ConsoleContext): void {
  registerRoutes(app, START, api, consoleApi)
  // The provider is another site, and sends the browser back with a GET. The encrypted cookie of the sign-in takes the
  // place of the check of the origin.
  registerRoutes(app, CALLBACK, api, consoleApi, () => {})
}

async function startSignIn(context: ConsoleRequest): Promise<FastifyReply> {
  const { request, reply, consoleApi } = context
  const oidc = requireOidc(consoleApi)
  const returnPath = toReturnPath(readQuery(request).get('return') ?? '')
  prepareSession(context)
  const flow = await oidc.start().catch((err: unknown) => {
    request.log.warn({ err }, 'the OpenID Connect provider does not respond')
    return undefined
  })
  if (!flow) return showProblem(context, 'provider')
  const sealed = sealPending({ ...flow.secrets, returnPath }, getFirstKey(oidc), Date.now())
  setCookie(context, sealed, MAX_AGE_SECONDS)
  return reply.redirect(flow.url.href, 302)
}

async function finishSignIn(context: ConsoleRequest): Promise<FastifyReply> {
  const { request, reply, consoleApi } = context
  const oidc = requireOidc(consoleApi)
  const pending = openPending(readOidcCookie(request, consoleApi.publicUrl) ?? '', oidc.cookieKeys, Date.now())
  // The cookie is of use once, whatever the result is.
  setCookie(context, '', 0)
  if (!pending) return showProblem(context, 'state')
  enter(context, getNetwork(request))
  // Each call asks the provider, so failed ones are limited like failed sign-ins with a key.
  const attempt = consoleApi.signInAttempts.start(request.ip)
  if ('waitSeconds' in attempt) return showProblem(context, 'too-many')
  const identity = await identify(request, oidc, pending)
  if ('problem' in identity) return showProblem(context, identity.problem)
  attempt.cancel()
  const { digest, cookie } = prepareSession(context)
  const result = await open(context, identity, digest)
  if (result !== 'created') return showProblem(context, PROBLEMS[result])
  consoleApi.onSignIn('oidc', result)
  await endEarlierSessions(context)
  reply.header('Set-Cookie', cookie)
  return reply.redirect(pending.returnPath, 302)
}

/** The provider's answer must carry the state of this browser; another one belongs to a sign-in that somebody else began. */
async function identify(request: FastifyRequest, oidc: OidcSignIn, pending: PendingSignIn) {
  const query = readQuery(request)
  if (query.get('state') !== pending.state) return { problem: 'state' } as const
  return oidc.finish(`?${query.toString()}`, pending)
}

function open(
  { request, api, consoleApi: { signUp } }: ConsoleRequest,
  identity: Identity,
  sessionDigest: string,
): Promise<SignInResult> {
  const network = toClientNetwork(request.ip)
  return withTurn(api, getNetwork(request), () =>
    signInWithIdentity(api.accounts, identity, { sessionDigest, network, signUp }),
  )
}

function showProblem({ reply, consoleApi }: ConsoleRequest, problem: Problem): FastifyReply {
  consoleApi.onSignIn('oidc', problem)
  return reply.redirect(`/console/sign-in?problem=${problem}`, 302)
}

function setCookie({ request, reply, consoleApi }: ConsoleRequest, value: string, maxAgeSeconds: number): void {
  const cookie = formatOidcCookie(request, consoleApi.publicUrl, value, maxAgeSeconds)
  if (cookie !== undefined) reply.header('Set-Cookie', cookie)
}

function requireOidc({ oidc }: ConsoleContext): OidcSignIn {
  if (oidc) return oidc
  throw signInSwitchedOff('Sign-in with OpenID Connect', 'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET')
}

function getFirstKey({ cookieKeys }: OidcSignIn): Buffer {
  const [key] = cookieKeys
  if (!key) throw new Error('the sign-in with OpenID Connect has no key for its cookie')
  return key
}

function readQuery(request: FastifyRequest): URLSearchParams {
  const at = request.url.indexOf('?')
  return new URLSearchParams(at === -1 ? '' : request.url.slice(at + 1))
}
