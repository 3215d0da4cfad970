// Sign-in with one-time links. The token of a link is in the fragment of its address, which browsers send to nobody; the
// page sends it in the body of a POST when the person presses a button. Programs that open the links in mails to check
// them send a GET and therefore change nothing.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { requestLink, type SignInResult, useToken } from '../../accounts/sign-in.ts'
import { toTokenDigest } from '../../accounts/token.ts'
import { invalidParameters, tooManyFailedSignIns } from '../../contract/errors.ts'
import {
  linkRefused,
  signInSwitchedOff,
  tooManyLinks,
  tooManyMemberSessions,
  tooManySignUps,
} from '../../contract/sign-in-errors.ts'
import { createIssue, createMissingIssue } from '../../contract/validation-issue.ts'
import { EMAIL_FORM, parseEmail } from '../../domain/email.ts'
import type { ApiContext } from '../api-context.ts'
import { readJsonBody } from '../read-body.ts'
import { toClientNetwork } from './client-network.ts'
import {
  type ConsoleRequest,
  type ConsoleRoutes,
  endEarlierSessions,
  enter,
  NO_ACCOUNT,
  prepareSession,
  registerRoutes,
  sendData,
  sendSession,
  withTurn,
} from './console-request.ts'
import type { ConsoleContext } from './find-session.ts'

const SIGN_IN_WINDOW_SECONDS = 60
/** Maximum size of a body, which holds one e-mail or one token. */
const MAX_BYTES = 1024

const ROUTES: ConsoleRoutes = {
  '/console/api/sign-in/link': { POST: askForLink },
  '/console/api/sign-in/token': { POST: signInWithToken },
}

export function registerLinkRoutes(app: FastifyInstance, api: ApiContext, consoleApi: ConsoleContext): void {
  registerRoutes(app, ROUTES, api, consoleApi)
}

/**
 * Queues a mail with a link. The answer and the work are the same whether the e-mail is known or not: only the process
 * that sends the mail looks for the member.
 */
async function askForLink(context: ConsoleRequest): Promise<FastifyReply> {
  const { request, api, consoleApi } = context
  const { mail } = consoleApi
  if (!mail) throw signInSwitchedOff('Sign-in with a link by e-mail', 'SMTP_URL and MAIL_FROM')
  const sent = readText(await readJsonBody(request.raw, MAX_BYTES), 'email')
  const email = parseEmail(sent)
  if (email === undefined) throw invalidParameters([createIssue('email', sent, EMAIL_FORM)])
  // Requests beyond the limit are refused without the database, so that a flood from one network does not delay others.
  const attempt = consoleApi.signInAttempts.start(request.ip)
  if ('waitSeconds' in attempt) throw tooManyLinks('network', attempt.waitSeconds)
  enter(context, NO_ACCOUNT)
  const { reached, waitSeconds } = await withTurn(api, NO_ACCOUNT, () =>
    requestLink(api.accounts, email, toClientNetwork(request.ip)),
  )
  if (reached) throw tooManyLinks(reached, waitSeconds)
  attempt.cancel()
  mail.wake()
  return sendData(context, 202, { sent: true })
}

/** Uses the token of a link for a session with a new id. A session that the browser already has ends. */
async function signInWithToken(context: ConsoleRequest): Promise<FastifyReply> {
  const { request, reply, consoleApi } = context
  const { digest, cookie } = prepareSession(context)
  const token = readText(await readJsonBody(request.raw, MAX_BYTES), 'token')
  const attempt = consoleApi.signInAttempts.start(request.ip)
  if ('waitSeconds' in attempt) throw tooManyFailedSignIns(attempt.waitSeconds)
  enter(context, NO_ACCOUNT)
  const result = await open(context, token, digest).catch((error: unknown) => {
    attempt.cancel()
    throw error
  })
  consoleApi.onSignIn('link', result)
  if (result !== 'unknown') attempt.cancel()
  assertCreated(result)
  request.caller = (await consoleApi.sessions.find(digest))?.caller
  await endEarlierSessions(context)
  reply.header('Set-Cookie', cookie)
  return sendSession(context, 201, digest)
}

async function open(
  { request, api, consoleApi: { signUp } }: ConsoleRequest,
  token: string,
  sessionDigest: string,
): Promise<SignInResult> {
  const tokenDigest = toTokenDigest(token)
  if (tokenDigest === undefined) return 'unknown'
  const network = toClientNetwork(request.ip)
  return withTurn(api, NO_ACCOUNT, () => useToken(api.accounts, tokenDigest, { sessionDigest, network, signUp }))
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
    case 'no group':
      throw new Error(`a link was refused because of ${result}, which concerns OpenID Connect only`)
    default:
      throw linkRefused(result)
  }
}

/** Returns the text of the only field of a body. The error does not repeat what was sent, because it may be a token. */
function readText(body: unknown, field: 'email' | 'token'): string {
  const sent: unknown =
    typeof body === 'object' && body !== null && field in body ? Reflect.get(body, field) : undefined
  if (typeof sent === 'string' && sent.trim() !== '') return sent.trim()
  const expects = field === 'email' ? EMAIL_FORM : 'a JSON object with the part of your link after the #'
  throw invalidParameters([createMissingIssue(field, expects)])
}
