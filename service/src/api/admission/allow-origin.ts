// Decides which browser origins may read responses (CORS, decision A13). A preflight request carries no API key, so it
// is allowed if any account lists the origin. The request after the preflight has a key and is allowed only if the
// account of that key lists the origin.
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

/** Allows pages of the service's own origin to read every response, because /docs sends requests from that origin. */
export function allowOwnOrigin(request: FastifyRequest, reply: FastifyReply, { publicUrl }: OriginRules): void {
  const { origin } = request.headers
  if (origin !== undefined && isOwnOrigin(request, origin, publicUrl)) allow(reply, origin)
}

/**
 * Returns whether the caller's account lists the origin of the request among its allowed browser origins. A request
 * without an Origin header is allowed: browsers send the header with every cross-origin request, so no web page of
 * another origin sent this request.
 */
export function allowCallerOrigin(caller: Caller, request: FastifyRequest, reply: FastifyReply): boolean {
  const { origin } = request.headers
  if (origin === undefined || isAllowed(reply)) return true
  if (!caller.origins.includes(origin)) return false
  allow(reply, origin)
  return true
}

/**
 * Allows an origin that any account lists. Used for responses to requests without a known account: a preflight request,
 * or a request without a valid API key, whose 401 response the page in the browser should be able to read.
 */
export async function allowConfiguredOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  rules: OriginRules,
): Promise<void> {
  const { origin } = request.headers
  if (origin === undefined || isAllowed(reply)) return
  // If the accounts database is unreachable, the response has no Access-Control-Allow-Origin header, but the request
  // does not fail.
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
  // No response repeats text that has the form of an API key (threat T-4).
  if (containsKey(origin)) return
  reply.header('Access-Control-Allow-Origin', origin).header('Access-Control-Expose-Headers', EXPOSED_HEADERS)
}

function isAllowed(reply: FastifyReply): boolean {
  return reply.hasHeader('Access-Control-Allow-Origin')
}

/** Returns whether an origin is the service's own: that of the request's address, or that of PUBLIC_URL. */
export function isOwnOrigin(request: FastifyRequest, origin: string, publicUrl: string | null): boolean {
  // An HTTP/1.0 request may have no Host header; the service's own origin is then known only from `publicUrl`.
  const fromHost = request.host ? `${request.protocol}://${request.host}` : undefined
  return origin !== 'null' && (origin === fromHost || origin === URL.parse(publicUrl ?? '')?.origin)
}
