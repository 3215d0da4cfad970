// Sign-in at an OpenID Connect provider: one route sends the browser there, and the other one receives it back. The
// sign-in page shows any problems, because the browser is not on a console page while it follows redirects.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SignInResult } from '../accounts/people/sign-in.ts'
import { toClientNetwork } from '../api/admission/client-network.ts'
import type { ApiContext } from '../api/api-context.ts'
import { signInAway, signInSwitchedOff } from '../contract/response/sign-in-errors.ts'
import { askIdentity } from './ask-identity.ts'
import {
  type ConsoleRequest,
  type ConsoleRoutes,
  enter,
  getNetwork,
  giveSession,
  prepareSession,
  registerRoutes,
} from './console-request.ts'
import { formatOidcCookie, readOidcCookie } from './cookie.ts'
import type { ConsoleContext } from './find-session.ts'
import { CONSOLE_PATH } from './serve-files.ts'

/** Time that a person has to sign in at the provider. */
const COOKIE_SECONDS = 600

const START: ConsoleRoutes = { '/console/api/sign-in/oidc': { GET: startSignIn } }
const CALLBACK: ConsoleRoutes = { '/console/api/sign-in/oidc/callback': { GET: finishSignIn } }

const MAX_PATH_LENGTH = 2000
/** An arbitrary origin, used only to parse paths. */
const BASE = 'http://console.invalid'

const PROBLEMS = {
  unknown: 'unknown',
  identity: 'identity',
  'no group': 'group',
  elsewhere: 'elsewhere',
  suspended: 'suspended',
  removed: 'unknown',
  domain: 'domain',
  'too many': 'too-many',
  'too many sign-ups': 'too-many',
  used: 'state',
  expired: 'state',
} as const satisfies Record<Exclude<SignInResult, 'created'>, string>

type ProviderProblem = 'provider' | 'state' | 'denied' | 'email'

type Problem = ProviderProblem | (typeof PROBLEMS)[keyof typeof PROBLEMS]

/**
 * The provider's address, and the encrypted text that ties the sign-in to the browser; this node cannot read that text.
 */
type StartedSignIn = { readonly url: string; readonly sealed: string } | { readonly problem: ProviderProblem }
type FinishedSignIn =
  | { readonly result: SignInResult; readonly returnPath: string }
  | { readonly problem: ProviderProblem }

export function registerOidcRoutes(app: FastifyInstance, api: ApiContext, consoleApi: ConsoleContext): void {
  registerRoutes(app, START, api, consoleApi)
  // The provider is another site and sends the browser back with a GET. The encrypted sign-in cookie replaces the check
  // of the origin.
  registerRoutes(app, CALLBACK, api, consoleApi, () => {})
}

async function startSignIn(context: ConsoleRequest): Promise<FastifyReply> {
  const { request, reply, consoleApi } = context
  await assertOidc(consoleApi)
  const returnPath = toReturnPath(readQuery(request).get('return') ?? '')
  prepareSession(context)
  enter(context, getNetwork(request))
  const started = await askIdentity<StartedSignIn>(context, 'oidc-start', { returnPath })
  if ('problem' in started) return showProblem(context, started.problem)
  setCookie(context, started.sealed, COOKIE_SECONDS)
  return reply.redirect(started.url, 302)
}

async function finishSignIn(context: ConsoleRequest): Promise<FastifyReply> {
  const { request, reply, consoleApi } = context
  await assertOidc(consoleApi)
  const sealed = readOidcCookie(request, consoleApi.publicUrl)
  // The cookie is valid only once, whatever the result.
  setCookie(context, '', 0)
  if (!sealed) return showProblem(context, 'state')
  enter(context, getNetwork(request))
  // Each call contacts the provider, so failed calls are limited like failed sign-ins with a key.
  const attempt = consoleApi.signInAttempts.start(request.ip)
  if ('waitSeconds' in attempt) return showProblem(context, 'too-many')
  const { digest, cookie } = prepareSession(context)
  const finished = await askIdentity<FinishedSignIn>(context, 'oidc-finish', {
    sealed,
    query: readQuery(request).toString(),
    sessionDigest: digest,
    network: toClientNetwork(request.ip),
  })
  if ('problem' in finished) return showProblem(context, finished.problem)
  attempt.cancel()
  const { result, returnPath } = finished
  if (result !== 'created') return showProblem(context, PROBLEMS[result])
  consoleApi.onSignIn('oidc', result)
  await giveSession(context, { digest, cookie })
  return reply.redirect(toReturnPath(returnPath), 302)
}

function showProblem({ reply, consoleApi }: ConsoleRequest, problem: Problem): FastifyReply {
  consoleApi.onSignIn('oidc', problem)
  return reply.redirect(`/console/sign-in?problem=${problem}`, 302)
}

function setCookie({ request, reply, consoleApi }: ConsoleRequest, value: string, maxAgeSeconds: number): void {
  const cookie = formatOidcCookie(request, consoleApi.publicUrl, value, maxAgeSeconds)
  if (cookie !== undefined) reply.header('Set-Cookie', cookie)
}

async function assertOidc({ signIn }: ConsoleContext): Promise<void> {
  const { isOn, oidcName } = await signIn.read()
  if (!isOn) throw signInAway()
  if (oidcName === null)
    throw signInSwitchedOff('Sign-in with OpenID Connect', 'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET')
}

function readQuery(request: FastifyRequest): URLSearchParams {
  const at = request.url.indexOf('?')
  return new URLSearchParams(at === -1 ? '' : request.url.slice(at + 1))
}

/** Returns the start page unless the path belongs to the console. Accepting another host would be an open redirect. */
function toReturnPath(asked: string): string {
  if (asked.length > MAX_PATH_LENGTH || !asked.startsWith(CONSOLE_PATH)) return CONSOLE_PATH
  const url = URL.parse(asked, BASE)
  if (!url || url.origin !== BASE || !url.pathname.startsWith(CONSOLE_PATH)) return CONSOLE_PATH
  if (url.pathname.startsWith('/console/api')) return CONSOLE_PATH
  return url.pathname + url.search
}
