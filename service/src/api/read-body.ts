// Reads the JSON body of a request. The service does not let Fastify read the body, because Fastify would read it
// before the API key is checked (decision B2).
import type { IncomingMessage } from 'node:http'
import { ApiError, invalidParameters } from '../contract/errors.ts'
import { createIssue } from '../contract/validation-issue.ts'
import { requestBody } from './expect-continue.ts'
import { readHeaderValues } from './header-values.ts'

// Deliberately accepts only these spellings of Content-Type, because lenient parsing of the header has been used to
// bypass validation.
const JSON_TYPE = /^application\/json(?: *; *charset="?utf-8"?)?$/i

/** Returns the parsed JSON body, or undefined if the body is empty. */
export async function readJsonBody(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  // Decision B2 sets the order of the checks of the body: size (413), content type (415), JSON syntax (400).
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw payloadTooLarge(maxBytes)
  const bytes = await readBytes(request, maxBytes)
  assertJsonType(readHeaderValues(request, 'content-type'))
  return bytes.length === 0 ? undefined : parseJson(bytes)
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

/** For each request, the promise that is rejected when the HTTP parser finds an error in the body. */
const parserErrors = new WeakMap<IncomingMessage, PromiseWithResolvers<never>>()

/** Makes the reading of the body fail with an error that the HTTP parser found in the body. */
export function failBody(request: IncomingMessage, error: ApiError): void {
  getParserError(request).reject(error)
}

function getParserError(request: IncomingMessage): PromiseWithResolvers<never> {
  const existing = parserErrors.get(request)
  if (existing) return existing
  const created = Promise.withResolvers<never>()
  // A handler that does not read the body does not wait for the promise.
  created.promise.catch(() => {})
  parserErrors.set(request, created)
  return created
}

function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  requestBody(request)
  return Promise.race([collectBytes(request, maxBytes), getParserError(request).promise])
}

async function collectBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of readChunks(request)) {
    size += chunk.length
    if (size > maxBytes) throw payloadTooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function* readChunks(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    // Without `destroyOnReturn: false`, Node would close the connection when the reading of a too large body stops, and
    // the client could not receive the error response.
    yield* request.iterator({ destroyOnReturn: false })
  } catch {
    // Reading the request body failed, because the client closed the connection.
    throw new ApiError('REQUEST_TIMEOUT', 'The body did not arrive.')
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    // The message of the JSON parser quotes the body, which may contain secrets, so the error response contains only
    // the position.
    const position = /at position \d+/.exec(error instanceof Error ? error.message : '')?.[0]
    const message = position ? `is not JSON in UTF-8 (look ${position})` : 'is not JSON in UTF-8'
    throw invalidParameters([{ ...createIssue('body', null, 'a JSON object'), message }])
  }
}

function payloadTooLarge(maxBytes: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', `The body may have at most ${maxBytes} bytes (${maxBytes / 1024} KiB).`)
}
