// The one place where an answer becomes bytes.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { failure } from '../contract/envelope.ts'
import type { ApiError } from '../contract/errors.ts'
import { ERRORS } from '../contract/errors.ts'
import { acceptsGzip, gzip } from './gzip.ts'

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

export async function respond(request: FastifyRequest, reply: FastifyReply, answer: Reply): Promise<FastifyReply> {
  reply.code(answer.status)
  if (!reply.hasHeader('Vary')) reply.header('Vary', 'Accept-Encoding, Origin')
  reply.headers(answer.headers ?? {})
  if (answer.status === 304) return reply.send()
  if (!reply.hasHeader('Content-Type')) reply.header('Content-Type', 'application/json; charset=utf-8')
  const plain = Buffer.from(answer.body)
  if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(plain)
  return reply.header('Content-Encoding', 'gzip').send(await gzip(plain))
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
