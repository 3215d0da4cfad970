// Browser origins (decision A13). Accounts cannot configure origins yet, so the only one that passes is our own.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { originRefused } from '../../contract/errors.ts'

const EXPOSED = 'X-Rate-Limit-Remaining, X-Rate-Limit-Reset, X-Blob-Status, ETag, Retry-After, X-Correlation-Id'

export function allowEveryOrigin(reply: FastifyReply): void {
  reply.header('Access-Control-Allow-Origin', '*').header('Access-Control-Expose-Headers', EXPOSED)
}

/** Lets a browser read the answer, also an error, if the origin is ours; says nothing otherwise. */
export function allowOwnOrigin(request: FastifyRequest, reply: FastifyReply, publicUrl: string | null): void {
  const { origin } = request.headers
  if (origin === undefined || !isOwn(request, origin, publicUrl)) return
  reply.header('Access-Control-Allow-Origin', origin).header('Access-Control-Expose-Headers', EXPOSED)
}

export function refuseForeignOrigin(request: FastifyRequest, publicUrl: string | null): void {
  const { origin } = request.headers
  if (origin !== undefined && !isOwn(request, origin, publicUrl)) throw originRefused()
}

export function answerPreflight(reply: FastifyReply): void {
  if (!reply.hasHeader('Access-Control-Allow-Origin')) return
  reply
    .header('Access-Control-Allow-Methods', 'GET, HEAD, POST')
    .header('Access-Control-Allow-Headers', 'X-API-Key, Content-Type, If-None-Match, X-Request-Id')
    .header('Access-Control-Max-Age', '600')
}

function isOwn(request: FastifyRequest, origin: string, publicUrl: string | null): boolean {
  const fromHost = `${request.protocol}://${request.host}`
  return origin !== 'null' && (origin === fromHost || origin === URL.parse(publicUrl ?? '')?.origin)
}
