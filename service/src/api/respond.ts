import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Rendered } from '../contract/endpoint.ts'
import { buildFailure } from '../contract/response/envelope.ts'
import { type ApiError, ERRORS } from '../contract/response/errors.ts'
import type { MemoryReservation, UnsentBytes } from './admission/unsent-bytes.ts'
import { acceptsGzip, endGzip, gzip } from './gzip.ts'
import { type Chunks, compressChunks, countCharacters, encodePieces, LARGE_BYTES } from './large-answers/pieces.ts'
import type { DisconnectReason, ReadRateWatch } from './large-answers/read-rate.ts'
import { sendChunks } from './large-answers/send.ts'
import { type ReadPart, sendParts } from './large-answers/send-parts.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Memory that was reserved for the response before the charge. */
    reservation: MemoryReservation | undefined
  }
  interface FastifyInstance {
    readonly unsent: UnsentBytes
    readonly readRate: ReadRateWatch
  }
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** True if the credits are refunded even though the status is 2xx (decision A9). */
  readonly isRefunded?: boolean
  /**
   * A text, pieces of a large body, cached bytes (`head`) followed by a text (`tail`), a file sent as is, or a stream
   * whose parts are read until there are no more. Pieces and chunks are removed from their list as they are encoded or
   * sent.
   */
  readonly body:
    | string
    | { readonly pieces: string[] }
    | { readonly head: Rendered; readonly tail: string }
    | { readonly file: Chunks }
    | { readonly read: ReadPart }
  /** Called if a stream fails after its headers were sent. */
  readonly onFailure?: () => void
}

export async function respond(request: FastifyRequest, reply: FastifyReply, answer: Reply): Promise<FastifyReply> {
  reply.code(answer.status)
  if (!reply.hasHeader('Vary')) reply.header('Vary', 'Accept-Encoding, Origin')
  reply.headers(answer.headers ?? {})
  const { body } = answer
  if (answer.status === 304) {
    request.reservation?.release()
    return reply.send()
  }
  if (typeof body === 'object' && 'file' in body) return sendLarge(request, reply, body.file)
  if (!reply.hasHeader('Content-Type')) reply.header('Content-Type', 'application/json; charset=utf-8')
  const isCompressed = acceptsGzip(request.headers['accept-encoding'])
  if (isCompressed) reply.header('Content-Encoding', 'gzip')
  if (typeof body === 'object' && 'read' in body) return sendStream(request, reply, answer, { ...body, isCompressed })
  if (typeof body === 'string')
    return sendWhole(request, reply, isCompressed ? await gzip(Buffer.from(body)) : Buffer.from(body))
  if ('pieces' in body) return sendPieces(request, reply, body.pieces, isCompressed)
  if (!isCompressed) return sendInParts(request, reply, body.head.plain, Buffer.from(body.tail))
  const head = await body.head.gzipped()
  return sendInParts(request, reply, head.bytes, endGzip(head, Buffer.from(body.tail)))
}

async function sendPieces(
  request: FastifyRequest,
  reply: FastifyReply,
  pieces: string[],
  isCompressed: boolean,
): Promise<FastifyReply> {
  const reservation = openReservation(request)
  reservation?.set(countCharacters(pieces))
  const chunks = await encodePieces(pieces)
  reservation?.set(chunks.bytes)
  return sendLarge(
    request,
    reply,
    isCompressed ? await compressChunks(chunks, (bytes) => reservation?.set(bytes)) : chunks,
  )
}

/** Returns before the chunks have been sent. */
function sendLarge(request: FastifyRequest, reply: FastifyReply, chunks: Chunks): FastifyReply {
  const reservation = openReservation(request)
  writeHead(reply, chunks.bytes)
  if (request.method === 'HEAD') {
    reservation?.release()
    reply.raw.end()
    return reply
  }
  reservation?.set(chunks.bytes)
  const onDisconnect = (reason: DisconnectReason, unsentBytes: number) =>
    logDisconnect(request, reply, reason, unsentBytes)
  sendChunks(reply.raw, chunks, { reservation, readRate: reply.server.readRate, onDisconnect }).catch(
    (err: unknown) => {
      request.log.error({ correlationId: request.id, err }, 'sending a response failed')
      reply.raw.destroy()
    },
  )
  return reply
}

/** Returns once the headers are written. A stream that fails ends without its last chunk, which clients notice. */
function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { onFailure = () => {} }: Reply,
  { read, isCompressed }: { readonly read: ReadPart; readonly isCompressed: boolean },
): FastifyReply {
  writeHead(reply, undefined)
  if (request.method === 'HEAD') {
    reply.raw.end()
    return reply
  }
  const onDisconnect = (reason: DisconnectReason, unsentBytes: number) =>
    logDisconnect(request, reply, reason, unsentBytes)
  const delivery = { reservation: openReservation(request), readRate: reply.server.readRate, onDisconnect }
  // A node that stops closes the connections that are left; a client that hangs up pays (decision A6).
  const finish = () => void (!reply.raw.writableEnded && reply.server.isDraining() && onFailure())
  sendParts(reply.raw, read, { ...delivery, isCompressed }).then(finish, (err: unknown) => {
    request.log.error({ correlationId: request.id, err }, 'sending a stream failed')
    onFailure()
    reply.raw.destroy()
  })
  return reply
}

/** Also counts a large response for which no memory was reserved. */
function openReservation(request: FastifyRequest): MemoryReservation | undefined {
  if (request.caller) request.reservation ??= request.server.unsent.count(request.caller.accountId)
  return request.reservation
}

/** Replaces the usual log line, which is written when a response ends. */
function logDisconnect(
  request: FastifyRequest,
  reply: FastifyReply,
  reason: DisconnectReason,
  unsentBytes: number,
): void {
  request.log.warn(
    {
      correlationId: request.id,
      endpoint: request.endpointName,
      accountId: request.caller?.accountId,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      reason,
      unsentBytes,
    },
    'connection closed, because the client read its response too slowly',
  )
}

/**
 * Throws if Node rejects a header, so that the caller can refund the call; Fastify would send an error response itself.
 */
function sendWhole(request: FastifyRequest, reply: FastifyReply, body: Buffer): FastifyReply {
  if (body.length > LARGE_BYTES) return sendLarge(request, reply, { list: [body], bytes: body.length })
  request.reservation?.release()
  writeHead(reply, body.length)
  reply.raw.end(body)
  return reply
}

/** Avoids Fastify, which would need both parts in one buffer and so a copy of the cached bytes for every response. */
function sendInParts(request: FastifyRequest, reply: FastifyReply, head: Buffer, tail: Buffer): FastifyReply {
  const bytes = head.length + tail.length
  if (bytes > LARGE_BYTES) return sendLarge(request, reply, { list: [head, tail], bytes })
  request.reservation?.release()
  writeHead(reply, bytes)
  // `cork`: headers and both parts go out in one write.
  reply.raw.cork()
  reply.raw.write(head)
  reply.raw.end(tail)
  return reply
}

/** Writes the headers for a body that is written without Fastify. Without a length, it is sent in chunks. */
function writeHead(reply: FastifyReply, bytes: number | undefined): void {
  setConnectionClose(reply)
  if (bytes !== undefined) reply.header('Content-Length', bytes)
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  reply.hijack()
}

/** While the node shuts down, the client's next request should go to another node. */
export function setConnectionClose(reply: FastifyReply): void {
  if (reply.server.isDraining()) reply.header('Connection', 'close')
}

export async function respondWithError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: ApiError,
  now: Date,
): Promise<FastifyReply> {
  // A client that corrects its request must not get a cached error.
  reply.header('Cache-Control', 'no-store')
  return respond(request, reply, {
    status: ERRORS[error.code].status,
    headers: error.extras.headers ?? {},
    body: buildFailure(error, { correlationId: request.id, now }),
  })
}
