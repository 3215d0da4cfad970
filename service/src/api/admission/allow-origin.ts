// Browser origins (decision A13): a preflight passes if any account lists the origin, the real request if its own does.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../accounts/find-caller.ts'
import type { ConfiguredOrigins } from '../../accounts/origins.ts'

const EXPOSED = 'X-Rate-Limit-Remaining, X-Rate-Limit-Reset, X-Blob-Status, ETag, Retry-After, X-Correlation-Id'

export interface OriginRules {
  readonly publicUrl: string | null
  readonly isConfigured: ConfiguredOrigins
}

export function allowEveryOrigin(reply: FastifyReply): void {
  allow(reply, '*')
}

/** Our own origin may read every answer, whoever calls. */
export function allowOwnOrigin(request: FastifyRequest, reply: FastifyReply, { publicUrl }: OriginRules): void {
  const { origin } = request.headers
  if (origin !== undefined && isOwn(request, origin, publicUrl)) allow(reply, origin)
}

/** Whether the caller's own account lists the origin; a request without one comes from no browser. */
export function allowOriginOf(caller: Caller, request: FastifyRequest, reply: FastifyReply): boolean {
  const { origin } = request.headers
  if (origin === undefined || isAllowed(reply)) return true
  if (!caller.origins.includes(origin)) return false
  allow(reply, origin)
  return true
}

/** For answers to nobody in particular: a preflight, or a 401 that a browser should be able to read. */
export async function allowConfiguredOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  rules: OriginRules,
): Promise<void> {
  const { origin } = request.headers
  if (origin === undefined || isAllowed(reply)) return
  // When the accounts are out of reach the header stays away; the answer itself must not fail for it.
  if (await rules.isConfigured(origin).catch(() => false)) allow(reply, origin)
}

export function answerPreflight(reply: FastifyReply): void {
  if (!isAllowed(reply)) return
  reply
    .header('Access-Control-Allow-Methods', 'GET, HEAD, POST')
    .header('Access-Control-Allow-Headers', 'X-API-Key, Content-Type, If-None-Match, X-Request-Id')
    .header('Access-Control-Max-Age', '600')
}

function allow(reply: FastifyReply, origin: string): void {
  reply.header('Access-Control-Allow-Origin', origin).header('Access-Control-Expose-Headers', EXPOSED)
}

function isAllowed(reply: FastifyReply): boolean {
  return reply.hasHeader('Access-Control-Allow-Origin')
}

function isOwn(request: FastifyRequest, origin: string, publicUrl: string | null): boolean {
  // A request of HTTP/1.0 may come without a host.
  const fromHost = request.host ? `${request.protocol}://${request.host}` : undefined
  return origin !== 'null' && (origin === fromHost || origin === URL.parse(publicUrl ?? '')?.origin)
}
