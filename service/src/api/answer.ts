// Calls an endpoint and builds the response: body, ETag and Cache-Control, or 304.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnyInput, PiecedText, Rendered, StoredFile } from '../contract/endpoint.ts'
import { buildSuccess, buildSuccessInPieces, buildTail } from '../contract/response/envelope.ts'
import { buildWeakEtag, matchesEtag } from './etag.ts'
import { hashPieces, isLarge, toPieces } from './large-answers/pieces.ts'
import type { Reply } from './respond.ts'
import type { ServedEndpoint, Services } from './services.ts'

export interface AnswerContext {
  readonly endpoint: ServedEndpoint
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

const NOT_MODIFIED: Reply = { status: 304, body: '' }

/** Runs a part of an answer after the call's own turn, in a turn of its own. */
export type InOwnTurn = <T>(work: (services: Services) => Promise<T>) => Promise<T>

const NO_TURNS: InOwnTurn = () => Promise.reject(new Error('A public endpoint cannot stream its answer.'))

export async function answer(
  context: AnswerContext,
  input: AnyInput,
  services: Services,
  inOwnTurn: InOwnTurn = NO_TURNS,
): Promise<Reply> {
  const { endpoint, request, reply } = context
  const result = await endpoint.answer(input, services)
  reply.headers({ 'Cache-Control': endpoint.cacheControl, ...result.headers })
  if ('rendered' in result) return replyRendered(context, result.rendered, services)
  if ('file' in result) return replyFile(context, result.file)
  if ('stream' in result) {
    const { stream } = result
    const read = () => inOwnTurn((fresh) => stream.next(fresh))
    return { status: 200, headers: { 'Content-Type': stream.mediaType }, body: { read } }
  }
  const stamp = { correlationId: request.id, now: services.now, loading: services.loading() }
  const data = toPieces('json' in result ? result.json : JSON.stringify(result.data))
  if (hasEtag(endpoint)) {
    const etag = await buildEtag(result.etagSource ?? data)
    if (setEtag(context, etag)) return NOT_MODIFIED
  }
  const isRefunded = result.isRefunded ?? false
  if (isLarge(data))
    return { status: 200, isRefunded, body: { pieces: buildSuccessInPieces(data, stamp, result.topLevel) } }
  return { status: 200, isRefunded, body: buildSuccess(data.join(''), stamp, result.topLevel) }
}

/** The file is read only if the client needs its bytes. */
async function replyFile(context: AnswerContext, file: StoredFile): Promise<Reply> {
  if (setEtag(context, file.etag)) return NOT_MODIFIED
  const list = context.request.method === 'HEAD' ? [] : await file.read()
  return { status: 200, headers: { 'Content-Type': file.mediaType }, body: { file: { list, bytes: file.bytes } } }
}

function buildEtag(source: PiecedText): string | Promise<string> {
  const pieces = toPieces(source)
  return isLarge(pieces) ? hashPieces(pieces) : buildWeakEtag(pieces.join(''))
}

/** Sends cached bytes as `data`; only `meta` is built per response. */
export function replyRendered(context: AnswerContext, head: Rendered, { now, loading }: Services): Reply {
  const { endpoint, request, reply } = context
  reply.header('Cache-Control', endpoint.cacheControl)
  if (hasEtag(endpoint) && setEtag(context, head.etag)) return NOT_MODIFIED
  return { status: 200, body: { head, tail: buildTail({ correlationId: request.id, now, loading: loading() }) } }
}

/** Only responses that clients may cache have an ETag. */
function hasEtag({ method, cacheControl }: ServedEndpoint): boolean {
  return method === 'GET' && cacheControl !== 'no-store'
}

/** Returns true if the client already has this version. */
function setEtag({ request, reply }: AnswerContext, etag: string): boolean {
  reply.header('ETag', etag)
  return matchesEtag(request.headers['if-none-match'], etag)
}
