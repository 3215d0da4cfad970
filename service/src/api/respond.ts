// The one place where an answer becomes bytes.
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Rendered } from '../contract/endpoint.ts'
import { failure } from '../contract/envelope.ts'
import type { ApiError } from '../contract/errors.ts'
import { ERRORS } from '../contract/errors.ts'
import { acceptsGzip, endGzip, gzip } from './gzip.ts'

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text, or what is kept and the text behind it. */
  readonly body: string | { readonly head: Rendered; readonly tail: string }
}

export async function respond(request: FastifyRequest, reply: FastifyReply, answer: Reply): Promise<FastifyReply> {
  reply.code(answer.status)
  if (!reply.hasHeader('Vary')) reply.header('Vary', 'Accept-Encoding, Origin')
  reply.headers(answer.headers ?? {})
  if (answer.status === 304) return reply.send()
  if (!reply.hasHeader('Content-Type')) reply.header('Content-Type', 'application/json; charset=utf-8')
  const { body } = answer
  if (!acceptsGzip(request.headers['accept-encoding'])) {
    return typeof body === 'string' ? reply.send(Buffer.from(body)) : sendBoth(reply, body.head.plain, body.tail)
  }
  reply.header('Content-Encoding', 'gzip')
  if (typeof body === 'string') return reply.send(await gzip(Buffer.from(body)))
  const head = await body.head.gzipped()
  return sendBoth(reply, head.bytes, endGzip(head, Buffer.from(body.tail)))
}

/** Past Fastify, which would have them joined: a copy of every record for every answer. */
function sendBoth(reply: FastifyReply, kept: Buffer, own: Buffer | string): FastifyReply {
  setConnectionClose(reply)
  reply.header('Content-Length', kept.length + Buffer.byteLength(own))
  // Earned: what Fastify hands to this very function when it sends by itself.
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  reply.hijack()
  // Corked, so that all of it leaves in one write.
  reply.raw.cork()
  reply.raw.write(kept)
  reply.raw.end(own)
  return reply
}

/** While the node drains, whoever is answered should come back to another one. */
export function setConnectionClose(reply: FastifyReply): void {
  if (reply.server.isDraining()) reply.header('Connection', 'close')
}

export async function respondWithError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: ApiError,
  now: Date,
): Promise<FastifyReply> {
  // A mistake is corrected and asked again: nobody should be served the old refusal.
  reply.header('Cache-Control', 'no-store')
  return respond(request, reply, {
    status: ERRORS[error.code].status,
    headers: error.extras.headers ?? {},
    body: failure(error, { correlationId: request.id, now }),
  })
}
