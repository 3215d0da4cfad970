// Admits calls with an API key, under /api/v1. Without the header X-API-Key the answer is 401, even with a console
// session.
import type { Caller } from '../accounts/keys/find-caller.ts'
import { ApiError, addressRefused, originRefused, scopeRefused } from '../contract/response/errors.ts'
import {
  allowCallerOrigin,
  allowConfiguredOrigin,
  allowEveryOrigin,
  allowOwnOrigin,
  answerPreflight,
} from './admission/allow-origin.ts'
import { authenticate } from './admission/authenticate.ts'
import { limitRate } from './admission/limit-rate.ts'
import { toNetworkOwner } from './admission/owner.ts'
import type { Admission, AdmittedCall, KeyUseRefusal, RequestContext } from './api-context.ts'
import { readHeaderValues } from './header-values.ts'

export const keyAdmission: Admission = {
  prefix: '',
  open: (request, reply, isPublic, { origins }) => {
    if (isPublic) allowEveryOrigin(reply)
    else allowOwnOrigin(request, reply, origins)
  },
  answerOptions: async (request, reply, { origins }) => {
    await allowConfiguredOrigin(request, reply, origins)
    answerPreflight(reply)
    reply.header('Vary', 'Origin')
  },
  nameEndpoint: ({ name }) => name,
  admit,
}

async function admit({ endpoint, request, reply, api }: RequestContext): Promise<AdmittedCall> {
  try {
    const caller = await authenticate(api.callers, readHeaderValues(request.raw, 'x-api-key'), {
      acceptsLastKnownKeys: endpoint.credits === 0 && endpoint.work === 'none',
      address: request.ip,
    })
    const turn = api.processor.enter(caller.accountId)
    if (turn) await turn
    const isAddressAllowed = caller.allowsAddress(request.ip)
    const isOriginAllowed = allowCallerOrigin(caller, request, reply)
    // A refused address or origin does not count towards the rate limit, but the response has its headers (decision
    // A11).
    const isCounted = isAddressAllowed && isOriginAllowed && endpoint.consumesRate
    await limitRate(reply, caller, isCounted, api.rate)
    if (!isAddressAllowed) throw refuse({ request, api }, caller, 'address', addressRefused(request.ip))
    if (!isOriginAllowed) throw originRefused()
    const { scope = 'read' } = endpoint
    if (!caller.scopes.includes(scope)) throw refuse({ request, api }, caller, 'scope', scopeRefused(scope))
    return { caller, isFree: false }
  } catch (error) {
    if (isUnauthorized(error)) {
      await api.processor.enter(toNetworkOwner(request.ip))
      await allowConfiguredOrigin(request, reply, api.origins)
    }
    throw error
  }
}

/** Records the refusal of a valid API key in the log and the metrics. */
export function refuse(
  { request, api }: Pick<RequestContext, 'request' | 'api'>,
  caller: Caller,
  reason: KeyUseRefusal,
  error: ApiError,
): ApiError {
  request.caller = caller
  request.refusal = reason
  api.countRefusedKey(reason)
  return error
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'UNAUTHORIZED'
}
