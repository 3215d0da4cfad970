// Writes every response: status, headers, compression and body.
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Rendered } from '../contract/endpoint.ts'
import { buildFailure } from '../contract/envelope.ts'
import type { ApiError } from '../contract/errors.ts'
import { ERRORS } from '../contract/errors.ts'
import { acceptsGzip, endGzip, gzip } from './gzip.ts'

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** The whole body as text, or cached bytes (`head`) and the text that follows the cached bytes (`tail`). */
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
    return typeof body === 'string' ? reply.send(Buffer.from(body)) : sendInParts(reply, body.head.plain, body.tail)
  }
  reply.header('Content-Encoding', 'gzip')
  if (typeof body === 'string') return reply.send(await gzip(Buffer.from(body)))
  const head = await body.head.gzipped()
  return sendInParts(reply, head.bytes, endGzip(head, Buffer.from(body.tail)))
}

/**
 * Writes the two parts of a response body, cached bytes and the text after them, directly to the connection. Fastify
 * would need both parts in one buffer, so that the cached bytes would be copied for every response.
 */
function sendInParts(reply: FastifyReply, head: Buffer, tail: Buffer | string): FastifyReply {
  setConnectionClose(reply)
  reply.header('Content-Length', head.length + Buffer.byteLength(tail))
  // The cast is safe: Fastify itself passes the result of getHeaders to writeHead.
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  reply.hijack()
  // `cork` makes Node send the headers and both parts of the body in one write.
  reply.raw.cork()
  reply.raw.write(head)
  reply.raw.end(tail)
  return reply
}

/**
 * While the node shuts down, asks the client to close the connection, so that the client's next request goes to another
 * node.
 */
export function setConnectionClose(reply: FastifyReply): void {
  if (reply.server.isDraining()) reply.header('Connection', 'close')
}

export async function respondWithError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: ApiError,
  now: Date,
): Promise<FastifyReply> {
  // Error responses are not cached: a client that corrects its request must not get the old error again.
  reply.header('Cache-Control', 'no-store')
  return respond(request, reply, {
    status: ERRORS[error.code].status,
    headers: error.extras.headers ?? {},
    body: buildFailure(error, { correlationId: request.id, now }),
  })
}
