// The body of a request: type, size and JSON, judged by us at the place in the flow that decision B2 gives it.
import type { IncomingMessage } from 'node:http'
import { ApiError, invalidParameters } from '../contract/errors.ts'
import { fault } from '../contract/validation-issue.ts'
import { sentValues } from './sent-headers.ts'

const MAX_BYTES = 64 * 1024
// Anything cleverer has been a way around validation before: this is the whole grammar we accept.
const JSON_TYPE = /^application\/json(?: *; *charset="?utf-8"?)?$/i

export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  // Size before type: both are refused here, and the larger harm first (decision B2 lists 413, 415, JSON).
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) throw tooLarge()
  const bytes = await readBytes(request)
  refuseOtherTypes(sentValues(request, 'content-type'))
  return parse(bytes)
}

function refuseOtherTypes([type, second]: readonly string[]): void {
  if (type === undefined) return
  if (second !== undefined || !JSON_TYPE.test(type)) {
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the body as Content-Type: application/json, optionally with charset=utf-8.',
    )
  }
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of arriving(request)) {
    size += chunk.length
    if (size > MAX_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function* arriving(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    // The rest of a body that is too large is read and thrown away by Node, so that the client gets to see why.
    yield* request.iterator({ destroyOnReturn: false })
  } catch {
    // The client left, or was too slow and has been told so on the bare socket.
    throw new ApiError('REQUEST_TIMEOUT', 'The body did not arrive.')
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    // The parser's message repeats parts of the body, which may hold anything: only the place is told.
    const place = /at position \d+/.exec(error instanceof Error ? error.message : '')?.[0]
    const message = place ? `is not JSON in UTF-8 (look ${place})` : 'is not JSON in UTF-8'
    throw invalidParameters([{ ...fault('body', null, 'a JSON object'), message }])
  }
}

function tooLarge(): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', `The body may have at most ${MAX_BYTES} bytes.`)
}
