// The one place where an answer becomes bytes.
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
  if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(plainBytes(answer.body))
  return reply.header('Content-Encoding', 'gzip').send(await gzippedBytes(answer.body))
}

function plainBytes(body: Reply['body']): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : Buffer.concat([body.head.plain, Buffer.from(body.tail)])
}

async function gzippedBytes(body: Reply['body']): Promise<Buffer> {
  return typeof body === 'string' ? gzip(Buffer.from(body)) : endGzip(await body.head.gzipped(), Buffer.from(body.tail))
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
