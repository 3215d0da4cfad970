// Fastify would read the body before the API key is checked (decision B2), so the service reads bodies itself.
import type { IncomingMessage } from 'node:http'
import type { SentDocument } from '../contract/endpoint.ts'
import { createIssue } from '../contract/request/validation-issue.ts'
import { ApiError, invalidParameters, payloadTooLarge } from '../contract/response/errors.ts'
import { requestBody } from './expect-continue.ts'
import { readHeaderValues } from './header-values.ts'

const JSON_TYPES = ['application/json'] as const

/** Returns undefined for an empty body. */
export async function readJsonBody(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const bytes = await readBytes(request, maxBytes)
  assertType(readHeaderValues(request, 'content-type'), JSON_TYPES)
  readIsGzip(readHeaderValues(request, 'content-encoding'), false)
  return bytes.length === 0 ? undefined : parseJson(bytes)
}

interface DocumentRules {
  readonly types: readonly string[]
  readonly maxBytes: number
  /** Called with the number of bytes that have arrived. Throws if the node has no memory for them. */
  readonly onBytes: (length: number) => void
}

/** A compressed body is not decompressed here. */
export async function readDocument(request: IncomingMessage, rules: DocumentRules): Promise<SentDocument> {
  const bytes = await readBytes(request, rules.maxBytes, rules.onBytes)
  assertType(readHeaderValues(request, 'content-type'), rules.types)
  const isGzip = readIsGzip(readHeaderValues(request, 'content-encoding'), true)
  // Node may keep small buffers in a shared block; the copy has a block of its own, which can be transferred to another
  // thread.
  return { bytes: new Uint8Array(bytes), isGzip }
}

// Few spellings are accepted, because lenient parsing of Content-Type has been used to bypass validation. CycloneDX
// documents may give the specification version as a parameter.
const TYPE = /^([a-z.+/]{1,64})((?: *; *(?:charset="?utf-8"?|version="?\d\.\d"?)){0,2})$/i

function assertType([type, second]: readonly string[], types: readonly string[]): void {
  if (type === undefined) return
  const [, name = '', parameters = ''] = TYPE.exec(type) ?? []
  const isJson = name.toLowerCase() === JSON_TYPES[0]
  if (second === undefined && types.includes(name.toLowerCase()) && !(isJson && /version/i.test(parameters))) return
  throw new ApiError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Send the body as Content-Type: ${types.join(' or ')}, optionally with charset=utf-8.`,
  )
}

/** Throws 415 for an encoding that the endpoint does not accept. */
function readIsGzip(encodings: readonly string[], acceptsGzip: boolean): boolean {
  const [encoding = 'identity', second] = encodings.map((each) => each.toLowerCase())
  if (second === undefined && encoding === 'identity') return false
  if (second === undefined && encoding === 'gzip' && acceptsGzip) return true
  const advice = acceptsGzip
    ? 'Send the body with Content-Encoding: gzip, or without Content-Encoding.'
    : 'Send the body without compression and without Content-Encoding.'
  const accepted = acceptsGzip ? 'gzip, identity' : 'identity'
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', advice, { headers: { 'Accept-Encoding': accepted } })
}

/** Rejected when the HTTP parser finds an error in the body. */
const parserErrors = new WeakMap<IncomingMessage, PromiseWithResolvers<never>>()

/** Makes reading the body fail with this error. */
export function failBody(request: IncomingMessage, error: ApiError): void {
  getParserError(request).reject(error)
}

function getParserError(request: IncomingMessage): PromiseWithResolvers<never> {
  const existing = parserErrors.get(request)
  if (existing) return existing
  const created = Promise.withResolvers<never>()
  // If the handler does not read the body, the promise is never awaited.
  created.promise.catch(() => {})
  parserErrors.set(request, created)
  return created
}

type OnBytes = (length: number) => void

/** Decision B2 orders the checks: size (413), content type (415), JSON syntax (400). */
function readBytes(request: IncomingMessage, maxBytes: number, onBytes?: OnBytes): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw payloadTooLarge(maxBytes)
  requestBody(request)
  return Promise.race([collectBytes(request, maxBytes, onBytes), getParserError(request).promise])
}

async function collectBytes(request: IncomingMessage, maxBytes: number, onBytes?: OnBytes): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of readChunks(request)) {
    size += chunk.length
    if (size > maxBytes) throw payloadTooLarge(maxBytes)
    onBytes?.(chunk.length)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function* readChunks(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    // Otherwise, when the service stops reading a body that is too large, Node would close the connection before the
    // client gets the error.
    yield* request.iterator({ destroyOnReturn: false })
  } catch {
    // The client closed the connection.
    throw new ApiError('REQUEST_TIMEOUT', 'The body did not arrive.')
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    // The parser's message quotes the body, which may contain secrets, so the response names only the position.
    const position = /at position \d+/.exec(error instanceof Error ? error.message : '')?.[0]
    const message = position ? `is not JSON in UTF-8 (look ${position})` : 'is not JSON in UTF-8'
    throw invalidParameters([{ ...createIssue('body', null, 'a JSON object'), message }])
  }
}
