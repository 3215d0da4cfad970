// Reads the JSON body of a request. The service does this itself, because Fastify would read the body before the key is
// checked (decision B2).
import type { IncomingMessage } from 'node:http'
import { ApiError, invalidParameters } from '../contract/errors.ts'
import { createIssue } from '../contract/validation-issue.ts'
import { readHeaderValues } from './header-values.ts'

const MAX_BODY_BYTES = 64 * 1024
// Deliberately the only accepted spellings: lenient parsing of Content-Type has been used to bypass validation.
const JSON_TYPE = /^application\/json(?: *; *charset="?utf-8"?)?$/i

export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  // Decision B2 sets the order of the checks: size (413), type (415), JSON (400).
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw payloadTooLarge()
  const bytes = await readBytes(request)
  assertJsonType(readHeaderValues(request, 'content-type'))
  return parseJson(bytes)
}

function assertJsonType([type, second]: readonly string[]): void {
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
  for await (const chunk of readChunks(request)) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw payloadTooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function* readChunks(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    // Node reads and discards the rest of a body that is too large, so that the client can receive the error.
    yield* request.iterator({ destroyOnReturn: false })
  } catch {
    // The client closed the connection, or parser-errors.ts has already answered a timeout on the socket.
    throw new ApiError('REQUEST_TIMEOUT', 'The body did not arrive.')
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    // The parser's message quotes the body, which may contain secrets, so only the position is passed on.
    const position = /at position \d+/.exec(error instanceof Error ? error.message : '')?.[0]
    const message = position ? `is not JSON in UTF-8 (look ${position})` : 'is not JSON in UTF-8'
    throw invalidParameters([{ ...createIssue('body', null, 'a JSON object'), message }])
  }
}

function payloadTooLarge(): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', `The body may have at most ${MAX_BODY_BYTES} bytes.`)
}
