// Admits calls from the console's pages by their session, under /console/api/v1. The `console` property of an endpoint
// says who may call it, and whether a call costs credits or is a free read within the account's limits.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../accounts/keys/find-caller.ts'
import { limitRate } from '../api/admission/limit-rate.ts'
import { toNetworkOwner } from '../api/admission/owner.ts'
import type { Admission } from '../api/api-context.ts'
import { readHeaderValues } from '../api/header-values.ts'
import { consoleReadsExceeded, roleRefused } from '../contract/response/errors.ts'
import { hasRightsOf } from '../domain/account/role.ts'
import { type ConsoleContext, findRequestSession, refuseSession } from './find-session.ts'
import { assertSameOrigin } from './same-origin.ts'

const ENDPOINT_NAME = 'console'

export function createSessionAdmission(context: ConsoleContext): Admission {
  return {
    prefix: '/console',
    open: (request, reply) => {
      // The response depends on the cookie. Pages of other origins can neither read nor embed it.
      reply.headers({ Vary: 'Accept-Encoding, Cookie', 'Cross-Origin-Resource-Policy': 'same-origin' })
      assertSameOrigin(request, context.publicUrl)
    },
    answerOptions: async () => {},
    nameEndpoint: () => ENDPOINT_NAME,
    admit: async ({ endpoint, request, reply, api }) => {
      const session = await findRequestSession(request, context)
      await api.processor.enter('problem' in session ? toNetworkOwner(request.ip) : session.caller.accountId)
      if ('problem' in session) throw refuseSession({ request, api }, session)
      const { caller } = session
      // Set before the check, so that the log line of a refused read also has the account.
      request.caller = caller
      const rule = endpoint.console
      if (!rule || !hasRightsOf(caller.role, rule.minRole)) throw roleRefused(caller.role)
      const isFree = rule.cost === 'read'
      if (!isFree) await limitRate(reply, caller, endpoint.consumesRate, api.rate)
      else if (endpoint.consumesRate && !rule.countReads) await countReads({ request, reply }, caller, context, 1)
      return { caller, isFree }
    },
    countInput: async ({ endpoint: { console: rule, consumesRate }, request, reply }, input, { caller, isFree }) => {
      if (isFree && consumesRate && rule?.countReads)
        await countReads({ request, reply }, caller, context, rule.countReads(input))
    },
    prepareResponse: (reply) => {
      // The browser must revalidate a response before it shows it again, because the session may have ended. With an
      // ETag, that answer is short.
      if (reply.getHeader('Cache-Control') !== 'no-store') reply.header('Cache-Control', 'private, no-cache')
    },
  }
}

/** The id that a page of the console gives its reads. */
const PAGE_ID_HEADER = 'x-page-id'

async function countReads(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  caller: Caller,
  { reads }: ConsoleContext,
  asked: number,
): Promise<void> {
  const [pageId] = readHeaderValues(request.raw, PAGE_ID_HEADER)
  const { isAllowed, window, remaining, waitSeconds } = await reads.count(caller, pageId, asked)
  const resetAt = new Date(Date.now() + waitSeconds * 1000)
  reply.headers({
    'X-Rate-Limit-Remaining': String(remaining),
    'X-Rate-Limit-Reset': String(Math.floor(resetAt.getTime() / 1000)),
  })
  if (isAllowed) return
  const limit = window === 'day' ? reads.limits.perDay : reads.limits.perMinute
  throw consoleReadsExceeded({ limit, window, resetAt, waitSeconds })
}
