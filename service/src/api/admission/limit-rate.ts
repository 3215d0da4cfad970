import type { FastifyReply } from 'fastify'
import type { Caller } from '../../accounts/keys/find-caller.ts'
import { rateLimited } from '../../contract/response/errors.ts'
import { PLANS } from '../../domain/account/plan.ts'
import type { RateLimit, RateWindow } from './rate-window.ts'

export interface RateRule {
  readonly limit: RateLimit
  readonly window: RateWindow
}

/** Only the free plan has a rate limit. Its responses have the rate limit headers even if they are errors. */
export async function limitRate(reply: FastifyReply, caller: Caller, consumes: boolean, rule: RateRule): Promise<void> {
  if (!PLANS[caller.plan].isRateLimited) return
  const state = await rule.window(caller.accountId, consumes ? 1 : 0)
  reply.header('X-Rate-Limit-Remaining', String(state.remaining)).header('X-Rate-Limit-Reset', String(state.resetAt))
  if (state.isAllowed) return
  throw rateLimited(rule.limit.requests, rule.limit.windowSeconds, new Date(state.resetAt * 1000), state.waitSeconds)
}
