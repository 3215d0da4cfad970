// Decides which browser origins may read responses (CORS, decision A13). A preflight request has no API key, so it is
// allowed if any account lists the origin; for the request itself, the caller's own account must list it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../accounts/keys/find-caller.ts'
import type { OriginLookup } from '../../accounts/origins.ts'
import { containsKey } from '../../domain/account/key-form.ts'

const EXPOSED_HEADERS = 'X-Rate-Limit-Remaining, X-Rate-Limit-Reset, X-Blob-Status, ETag, Retry-After, X-Correlation-Id'

export interface OriginRules {
  readonly publicUrl: string | null
  readonly isConfigured: OriginLookup
}

export function allowEveryOrigin(reply: FastifyReply): void {
  allow(reply, '*')
}

/** /docs sends requests from the service's own origin. */
export function allowOwnOrigin(request: FastifyRequest, reply: FastifyReply, { publicUrl }: OriginRules): void {
  const { origin } = request.headers
  if (origin !== undefined && isOwnOrigin(request, origin, publicUrl)) allow(reply, origin)
}

/**
 * Returns false if the caller's account does not list the origin. Browsers send the Origin header with every
 * cross-origin request, so a request without it does not come from another site's page.
 */
export function allowCallerOrigin(caller: Caller, request: FastifyRequest, reply: FastifyReply): boolean {
  const { origin } = request.headers
  if (origin === undefined || isAllowed(reply)) return true
  if (!caller.origins.includes(origin)) return false
  allow(reply, origin)
  return true
}

/**
 * Handles requests without a known account: a preflight, or one without a valid key, whose 401 the page should be able
 * to read.
 */
export async function allowConfiguredOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  rules: OriginRules,
): Promise<void> {
  const { origin } = request.headers
  if (origin === undefined || isAllowed(reply)) return
  // While the accounts database is unreachable, the header is omitted and the request continues.
  if (await rules.isConfigured(origin).catch(() => false)) allow(reply, origin)
}

export function answerPreflight(reply: FastifyReply): void {
  if (!isAllowed(reply)) return
  reply
    .header('Access-Control-Allow-Methods', 'GET, HEAD, POST')
    .header('Access-Control-Allow-Headers', 'X-API-Key, Content-Type, Content-Encoding, If-None-Match, X-Request-Id')
    .header('Access-Control-Max-Age', '600')
}

function allow(reply: FastifyReply, origin: string): void {
  // No response repeats text that looks like an API key (threat T-4).
  if (containsKey(origin)) return
  reply.header('Access-Control-Allow-Origin', origin).header('Access-Control-Expose-Headers', EXPOSED_HEADERS)
}

function isAllowed(reply: FastifyReply): boolean {
  return reply.hasHeader('Access-Control-Allow-Origin')
}

export function isOwnOrigin(request: FastifyRequest, origin: string, publicUrl: string | null): boolean {
  // HTTP/1.0 requests may have no Host header.
  const fromHost = request.host ? `${request.protocol}://${request.host}` : undefined
  return origin !== 'null' && (origin === fromHost || origin === URL.parse(publicUrl ?? '')?.origin)
}
