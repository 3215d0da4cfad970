// Sign-in with one-time links. The token is in the fragment of the link's address, which browsers never send; the page
// sends it in the body of a POST. The page first asks who would be signed in, which does not use up the link, and shows
// the answer: otherwise an attacker's link could sign a person in to the attacker's account unnoticed. Only the button
// on the page uses the link. Programs that check links in mails open the page but press no button.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { toTokenDigest } from '../accounts/keys/token.ts'
import type { LinkDescription, LinkRequest, SignInResult } from '../accounts/people/sign-in.ts'
import { toClientNetwork } from '../api/admission/client-network.ts'
import type { ApiContext } from '../api/api-context.ts'
import { readJsonBody } from '../api/read-body.ts'
import { createIssue, createMissingIssue } from '../contract/request/validation-issue.ts'
import { invalidParameters, tooManyFailedSignIns, tooManyLinkViews } from '../contract/response/errors.ts'
import {
  linkRefused,
  signInAway,
  signInSwitchedOff,
  tooManyLinks,
  tooManyMemberSessions,
  tooManySignUps,
} from '../contract/response/sign-in-errors.ts'
import { EMAIL_FORM, parseEmail } from '../domain/account/email.ts'
import { askIdentity } from './ask-identity.ts'
import {
  type ConsoleRequest,
  type ConsoleRoutes,
  enter,
  getNetwork,
  giveSession,
  prepareSession,
  registerRoutes,
  sendData,
  sendSession,
} from './console-request.ts'
import type { ConsoleContext } from './find-session.ts'

const SIGN_IN_WINDOW_SECONDS = 60
const MAX_BYTES = 1024

const ROUTES: ConsoleRoutes = {
  '/console/api/sign-in/link': { POST: askForLink },
  '/console/api/sign-in/token': { POST: signInWithToken },
  '/console/api/sign-in/token/description': { POST: showLink },
}

export function registerLinkRoutes(app: FastifyInstance, api: ApiContext, consoleApi: ConsoleContext): void {
  registerRoutes(app, ROUTES, api, consoleApi)
}

/**
 * Known and unknown e-mail addresses get the same answer after the same work: the member is looked up only when the
 * mail is sent.
 */
async function askForLink(context: ConsoleRequest): Promise<FastifyReply> {
  const { request, consoleApi } = context
  const { isOn, mail } = await consoleApi.signIn.read()
  if (!isOn) throw signInAway()
  if (mail === null) throw signInSwitchedOff('Sign-in with a link by e-mail', 'SMTP_URL and MAIL_FROM')
  const sent = readText(await readJsonBody(request.raw, MAX_BYTES), 'email')
  const email = parseEmail(sent)
  if (email === undefined) throw invalidParameters([createIssue('email', sent, EMAIL_FORM)])
  // Requests beyond the limit are refused without a query, so that a flood from one network does not delay others.
  enter(context, getNetwork(request))
  const attempt = consoleApi.signInAttempts.start(request.ip)
  if ('waitSeconds' in attempt) throw tooManyLinks('network', attempt.waitSeconds)
  const parameters = { email, network: toClientNetwork(request.ip) }
  const { reached, waitSeconds } = await askIdentity<LinkRequest>(context, 'link', parameters)
  if (reached) throw tooManyLinks(reached, waitSeconds)
  attempt.cancel()
  return sendData(context, 202, { sent: true })
}

async function showLink(context: ConsoleRequest): Promise<FastifyReply> {
  const { request, consoleApi } = context
  // A link can be viewed many times, so the number of views is limited without a query.
  const view = consoleApi.linkViews.start(request.ip)
  if ('waitSeconds' in view) throw tooManyLinkViews(view.waitSeconds)
  const link = await tryToken(
    context,
    (tokenDigest) => askIdentity<LinkDescription>(context, 'description', { tokenDigest }),
    ({ refusal }) => refusal === 'unknown',
  )
  if (link === undefined || link.refusal !== null) throw linkRefused(link?.refusal ?? 'unknown')
  const { email, accountName } = link
  return sendData(context, 200, { email, account: accountName === null ? null : { name: accountName } })
}

/** Exchanges the token of a link for a session with a new id. A session that the browser already has ends. */
async function signInWithToken(context: ConsoleRequest): Promise<FastifyReply> {
  const { request, consoleApi } = context
  const { digest, cookie } = prepareSession(context)
  const terms = { sessionDigest: digest, network: toClientNetwork(request.ip) }
  const opened = await tryToken(
    context,
    (tokenDigest) => askIdentity<{ readonly result: SignInResult }>(context, 'token', { tokenDigest, ...terms }),
    ({ result }) => result === 'unknown',
  )
  const result = opened?.result ?? 'unknown'
  consoleApi.onSignIn('link', result)
  assertCreated(result)
  request.caller = (await consoleApi.sessions.find(digest, request.ip))?.caller
  await giveSession(context, { digest, cookie })
  return sendSession(context, 201, digest)
}

/**
 * An unknown token counts as a failed sign-in from the client's network. Returns undefined for text that is not a
 * token.
 */
async function tryToken<T>(
  context: ConsoleRequest,
  ask: (tokenDigest: string) => Promise<T>,
  isUnknown: (answer: T) => boolean,
): Promise<T | undefined> {
  const { request, consoleApi } = context
  const tokenDigest = toTokenDigest(readText(await readJsonBody(request.raw, MAX_BYTES), 'token'))
  // A call that the node refuses at once is not a failed sign-in, so it is not counted.
  enter(context, getNetwork(request))
  const attempt = consoleApi.signInAttempts.start(request.ip)
  if ('waitSeconds' in attempt) throw tooManyFailedSignIns(attempt.waitSeconds)
  if (tokenDigest === undefined) return undefined
  const answer = await ask(tokenDigest).catch((error: unknown) => {
    attempt.cancel()
    throw error
  })
  if (!isUnknown(answer)) attempt.cancel()
  return answer
}

function assertCreated(result: SignInResult): void {
  switch (result) {
    case 'created':
      return
    case 'too many':
      throw tooManyMemberSessions(SIGN_IN_WINDOW_SECONDS)
    case 'too many sign-ups':
      throw tooManySignUps()
    case 'identity':
    case 'domain':
    case 'no group':
      throw new Error(`a link was refused because of ${result}, which concerns OpenID Connect only`)
    default:
      throw linkRefused(result)
  }
}

/** The error does not repeat what was sent, because it may be a token. */
function readText(body: unknown, field: 'email' | 'token'): string {
  const sent: unknown =
    typeof body === 'object' && body !== null && field in body ? Reflect.get(body, field) : undefined
  if (typeof sent === 'string' && sent.trim() !== '') return sent.trim()
  const expects = field === 'email' ? EMAIL_FORM : 'a JSON object with the part of your link after the #'
  throw invalidParameters([createMissingIssue(field, expects)])
}
