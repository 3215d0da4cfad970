// Sends one call: builds the URL and headers, retries, and converts failures to VisError.
import { isVisError, VisError, type VisErrorCode } from './errors.ts'
import type { ClientOptions, RateLimit, SessionClientOptions } from './options.ts'
import { computeRetryDelayMs, sleep } from './retry.ts'

type QueryValue = string | number | boolean | readonly string[] | undefined

interface Call {
  readonly method: 'GET' | 'POST'
  /** Path relative to the base URL, without a leading slash. */
  readonly path: string
  /** Query parameters. Lists are sent comma-separated (`listTexts`); undefined parameters are left out. */
  readonly query?: object
  /** Body to be sent as JSON. */
  readonly body?: unknown
  /** Body that is already JSON. */
  readonly content?: Content
  readonly signal: AbortSignal | undefined
  /** Leaves out the API key, for `/health`. */
  readonly isPublic?: boolean
  /** Whether the response is a file. `data` then contains its bytes. */
  readonly isFile?: boolean
  /** True for a call that changes the account. It is retried only if the service certainly did not make the change. */
  readonly isChange?: boolean
  /** An earlier response to the same call. It is returned again, free of charge, if nothing has changed since. */
  readonly earlier?: Result<unknown> | undefined
}

/** Text of a JSON body, in UTF-8. */
export interface Content {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly isGzip: boolean
}

export interface Result<Data> {
  readonly data: Data
  readonly headers: Headers
}

export type Send = <Data>(call: Call) => Promise<Result<Data>>

const DEFAULT_RETRIES = 2
const DEFAULT_TIMEOUT_MS = 30_000

/** Validates the options once. The key stays in a closure, so that no printed object contains it. */
export function createSender(options: ClientOptions): Send {
  const base = parseBaseUrl(options.url)
  return createSenderWith(options, base, { headers: createKeyHeaders(options.apiKey), credentials: 'omit' })
}

/** Creates a sender that sends cookies instead of an API key, and only to the origin of the page. */
export function createSessionSender(options: SessionClientOptions): Send {
  const base = parseBaseUrl(options.url)
  const { location } = globalThis as { readonly location?: { readonly origin: string } }
  if (location?.origin !== base.origin) {
    throw new TypeError('createSessionClient works only in a browser, with the origin of the page as url')
  }
  return createSenderWith(options, base, { headers: {}, credentials: 'same-origin' })
}

/** How a call identifies its sender: by a header with the API key, or by the page's cookies. */
interface Identity {
  readonly headers: Readonly<Record<string, string>>
  readonly credentials: 'omit' | 'same-origin'
}

function createSenderWith(options: SessionClientOptions, base: URL, identity: Identity): Send {
  const { retries = DEFAULT_RETRIES } = options
  return <Data>(call: Call) => {
    const url = buildUrl(base, call)
    return sendWithRetries(call, retries, (attempt) => sendOnce<Data>({ options, call, url, identity, attempt }))
  }
}

async function sendWithRetries<Data>(
  call: Call,
  retries: number,
  send: (attempt: number) => Promise<Data>,
  attempt = 1,
): Promise<Data> {
  try {
    return await send(attempt)
  } catch (error) {
    const mayRetry = isVisError(error) && attempt <= retries
    const delayMs = mayRetry ? computeRetryDelayMs({ call, error, attempt }) : undefined
    if (delayMs === undefined) throw error
    await sleep(delayMs, call.signal)
  }
  return sendWithRetries(call, retries, send, attempt + 1)
}

function parseBaseUrl(url: string): URL {
  const base = URL.canParse(url) ? new URL(url) : undefined
  if (!base || !/^https?:$/.test(base.protocol) || base.username || base.password) {
    throw new TypeError('url must be an http or https address without a user name, such as https://vis.example.org')
  }
  base.pathname = base.pathname.replace(/(?<!\/)\/*$/, '/')
  return base
}

function createKeyHeaders(apiKey: string): Readonly<Record<string, string>> {
  // fetch would reject an invalid API key as well, but its error message would show the key.
  if (!/^[\x21-\x7e]*$/.test(apiKey)) {
    throw new TypeError('apiKey contains a character that no key has, perhaps a line break at the end')
  }
  return apiKey === '' ? {} : { 'X-API-Key': apiKey }
}

function buildUrl(base: URL, { path, query = {} }: Call): URL {
  const url = new URL(path, base)
  const parameters: readonly [string, QueryValue][] = Object.entries(query)
  for (const [name, value] of parameters) {
    if (value !== undefined) for (const text of listTexts(value)) url.searchParams.append(name, text)
  }
  return url
}

/**
 * A list is one comma-separated text. An item with a comma is a text of its own: the service reads such a text as one
 * name if it knows that name.
 */
function listTexts(value: Exclude<QueryValue, undefined>): readonly string[] {
  if (typeof value !== 'object') return [String(value)]
  const plain = value.filter((item) => !item.includes(','))
  const others = value.filter((item) => item.includes(','))
  return plain.length === 0 && others.length > 0 ? others : [plain.join(','), ...others]
}

interface Attempt {
  readonly options: SessionClientOptions
  readonly call: Call
  readonly url: URL
  readonly identity: Identity
  readonly attempt: number
}

async function sendOnce<Data>(request: Attempt): Promise<Result<Data>> {
  const { options, call, url, attempt } = request
  const { onResponse } = options
  const startedAt = performance.now()
  const { response, text, bytes } = await fetchBody(request)
  const { headers, status } = response
  const metadata = {
    status,
    correlationId: headers.get('X-Correlation-Id') ?? undefined,
    retryAfter: parseRetryAfter(headers),
  }
  onResponse?.({
    ...metadata,
    method: call.method,
    path: url.pathname + url.search,
    rateLimit: parseRateLimit(headers),
    durationMs: performance.now() - startedAt,
    attempt,
  })
  // The cast is safe: the earlier response belongs to the same call.
  if (status === 304 && call.earlier) return call.earlier as Result<Data>
  // The cast is safe: a caller that requests a file expects its bytes.
  if (bytes) return { data: bytes as Data, headers }
  const body = parseJsonObject(text)
  if (!response.ok || body === undefined || !('data' in body)) throw toVisError(metadata, body)
  // The cast is safe: openapi.json declares the type of `data`, and the service is tested against openapi.json.
  return { data: body['data'] as Data, headers }
}

/** Fetches the response: bytes for a file, otherwise JSON text. Errors are JSON, too. */
async function fetchBody({ options, call, url, identity }: Attempt) {
  const { fetch = globalThis.fetch, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const timeout = AbortSignal.timeout(timeoutMs)
  const body = call.content?.bytes ?? (call.body === undefined ? undefined : JSON.stringify(call.body))
  try {
    const response = await fetch(url, {
      method: call.method,
      headers: {
        Accept: call.isFile ? '*/*' : 'application/json',
        ...createConditionHeaders(call),
        ...(call.isPublic ? {} : identity.headers),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(call.content?.isGzip ? { 'Content-Encoding': 'gzip' } : {}),
      },
      ...(body === undefined ? {} : { body }),
      signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
      credentials: call.isPublic ? 'omit' : identity.credentials,
      // Following a redirect would send the key to another host.
      redirect: 'error',
    })
    return call.isFile && response.ok
      ? { response, text: '', bytes: new Uint8Array(await response.arrayBuffer()) }
      : { response, text: await response.text() }
  } catch (cause) {
    if (call.signal?.aborted) throw call.signal.reason
    if (timeout.aborted) {
      throw new VisError({ code: 'TIMEOUT', message: `${url.host} did not answer within ${timeoutMs} ms`, cause })
    }
    throw new VisError({ code: 'NETWORK_ERROR', message: `${url.host} could not be reached`, cause })
  }
}

function createConditionHeaders({ earlier }: Call): Readonly<Record<string, string>> {
  const etag = earlier?.headers.get('ETag')
  return etag ? { 'If-None-Match': etag } : {}
}

function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return isObject(body) ? body : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface ResponseMetadata {
  readonly status: number
  readonly correlationId: string | undefined
  readonly retryAfter: number | undefined
}

function toVisError(metadata: ResponseMetadata, body: Readonly<Record<string, unknown>> | undefined): VisError {
  const error = body?.['error']
  if (!isObject(error) || typeof error['code'] !== 'string') {
    const message = `the response with status ${metadata.status} is not one of the service`
    return new VisError({ ...metadata, code: 'INVALID_RESPONSE', message })
  }
  const { code, message, parameter, value, details } = error
  return new VisError({
    ...metadata,
    // The cast is safe: openapi.json lists all error codes that the service returns.
    code: code as VisErrorCode,
    message: String(message),
    parameter: typeof parameter === 'string' ? parameter : undefined,
    value,
    details: isObject(details) ? details : undefined,
  })
}

function parseRetryAfter(headers: Headers): number | undefined {
  const seconds = headers.get('Retry-After')
  return seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) : undefined
}

function parseRateLimit(headers: Headers): RateLimit | undefined {
  const [remaining, reset] = [headers.get('X-Rate-Limit-Remaining'), headers.get('X-Rate-Limit-Reset')]
  if (remaining === null || reset === null) return undefined
  return { remaining: Number(remaining), resetAt: new Date(Number(reset) * 1000) }
}
